"""Tables: a head, a line of dashes, rows. Pure."""

import re
from typing import Final

from markdown_it.rules_block import StateBlock

from server_lite.markup.rules.paragraph import begins_block

_DELIMITER: Final = re.compile(r"[ \t]*:?-+:?[ \t]*")
_CELL_END: Final = re.compile(r"\\.|`+|\|")
MAX_COLUMNS: Final = 64
MAX_PADDING: Final = 1000
"""Limit of empty cells added to short rows; without it a few characters would make thousands."""


def table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse a table: the dashes have as many columns as the head; rows are truncated or filled to it."""
    if start + 2 > end or state.is_code_block(start):
        return False
    alignments = _alignments(state, start + 1)
    if not alignments or "|" not in _line(state, start):
        return False
    head = cells(_line(state, start))
    if len(head) != len(alignments):
        return False
    if silent:
        return True
    state.push("table_open", "table", 1)
    state.push("thead_open", "thead", 1)
    _row(state, "th", head, alignments)
    state.push("thead_close", "thead", -1)
    state.push("tbody_open", "tbody", 1)
    state.line = start + 2
    _body(state, alignments, end)
    state.push("tbody_close", "tbody", -1)
    state.push("table_close", "table", -1)
    return True


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _alignments(state: StateBlock, line: int) -> list[str]:
    """Return `left`, `right`, `center` or nothing for each column; empty if this is no line of dashes."""
    row = _line(state, line)
    if (
        not row
        or row[0] not in "|-:"
        or "-" not in row
        or row.strip("|-: \t")
        or state.sCount[line] < state.blkIndent
    ):
        return []
    columns = row.strip().removeprefix("|").removesuffix("|").split("|")
    if len(columns) > MAX_COLUMNS or not all(_DELIMITER.fullmatch(column) for column in columns):
        return []
    if len(columns) == 1 and "|" not in row:
        return []
    return [_alignment(column.strip()) for column in columns]


def _alignment(column: str) -> str:
    if column.startswith(":") and column.endswith(":"):
        return "center"
    if column.endswith(":"):
        return "right"
    return "left" if column.startswith(":") else ""


def cells(row: str) -> list[str]:
    """Return the text of each cell; bars in code spans or after a backslash do not separate cells."""
    row = row.strip().removeprefix("|")
    result: list[str] = []
    begin = 0
    open_code = ""
    for match in _CELL_END.finditer(row):
        if match[0].startswith("`"):
            if open_code in {"", match[0]}:
                is_paired = bool(open_code) or row.find(match[0], match.end()) >= 0
                open_code = "" if open_code or not is_paired else match[0]
        elif match[0] == "|" and not open_code:
            result.append(row[begin : match.start()])
            begin = match.end()
    if row[begin:].strip() or not result:
        result.append(row[begin:])
    return [cell.strip().replace("\\|", "|") for cell in result]


def _body(state: StateBlock, alignments: list[str], end: int) -> None:
    padding = MAX_PADDING
    line = state.line
    while line < end and not state.isEmpty(line) and state.sCount[line] >= state.blkIndent:
        if state.is_code_block(line) or begins_block(state, line, end, "paragraph"):
            break
        row = cells(_line(state, line))[: len(alignments)]
        missing = min(len(alignments) - len(row), padding)
        padding -= missing
        _row(state, "td", row + [""] * missing, alignments)
        line += 1
    state.line = line


def _row(state: StateBlock, name: str, row: list[str], alignments: list[str]) -> None:
    state.push("tr_open", "tr", 1)
    for words, alignment in zip(row, alignments, strict=False):
        cell = state.push("cell_open", name, 1)
        if alignment:
            cell.attrs = {"style": f"text-align: {alignment};"}
        inline = state.push("inline", "", 0)
        inline.content = words
        inline.children = []
        state.push("cell_close", name, -1)
    state.push("tr_close", "tr", -1)
