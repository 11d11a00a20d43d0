"""A table of a message -> lines: columns that stay aligned at any width, cells that wrap.

Where the columns do not fit, each row becomes a short list of its cells. Knows no theme.
"""

from collections.abc import Sequence
from typing import Final

from textual.style import Style

from tui.content import nodes as n
from tui.widgets.content_inline import RenderContext, pieces_of, wrapped
from tui.widgets.content_lines import Line, Piece, Run, cells, line_cells, padded, wrap

MIN_COLUMN: Final = 4
"""Cells of the narrowest column."""
LONGEST_WORD: Final = 16
"""In cells; a table whose columns could not hold words of that length is drawn as lists."""

_BOLD = Style(bold=True)
_BETWEEN = (" │ ", "│")
"""Separators of columns; the second where there is no room for the first."""


def draw_table(table: n.Table, width: int, drawing: RenderContext, style: Style) -> list[Line]:
    """Return the lines of a table, each at most `width` cells."""
    header = [pieces_of(cell, drawing, style + _BOLD) for cell in table.header]
    rows = [[pieces_of(cell, drawing, style) for cell in row] for row in table.rows]
    has_header = any(table.header)
    widths_wanted = _wanted([header, *rows])
    needed = _wanted([header, *rows], by_word=True)
    between, widths = _BETWEEN[0], None
    for between in _BETWEEN:
        widths = _fit(widths_wanted, needed, width - len(between) * (len(widths_wanted) - 1))
        if widths is not None:
            break
    if widths is None:
        return _as_lists(header if has_header else None, rows, width, drawing, style)
    lines: list[Line] = []
    if has_header:
        lines += _row(header, widths, between, table.alignments, drawing, style)
        rule = between.replace(" ", "─").replace("│", "┼").join("─" * column for column in widths)
        lines.append([Run(rule, style + drawing.palette.rule)])
    for row in rows:
        lines += _row(row, widths, between, table.alignments, drawing, style)
    return lines


def _wanted(rows: Sequence[Sequence[list[Piece]]], *, by_word: bool = False) -> list[int]:
    """Return the width of each column's longest cell, or with `by_word` of its longest word."""
    widths = [1] * len(rows[0])
    for row in rows:
        for i, pieces in enumerate(row):
            if by_word:
                text = "".join([text for text, _ in pieces])
                sizes = [min(cells(word), LONGEST_WORD) for word in text.split()]
            else:
                sizes = [line_cells(line) for line in wrap(pieces, 10**9, 0)]
            widths[i] = max(widths[i], *sizes, 1)
    return widths


def _fit(best_widths: list[int], needed: list[int], room: int) -> list[int] | None:
    """Return widths within `room`: no column narrower than its words, the wide ones share the rest. None if
    impossible.
    """
    if sum(best_widths) <= room:
        return best_widths
    least = [
        min(want, max(need, MIN_COLUMN)) for want, need in zip(best_widths, needed, strict=True)
    ]
    if sum(least) > room:
        return None
    widths = list(least)
    room -= sum(least)
    order = sorted(range(len(best_widths)), key=lambda i: best_widths[i] - least[i])
    for done, i in enumerate(order):
        more = min(best_widths[i] - least[i], room // (len(best_widths) - done))
        widths[i] += more
        room -= more
    return widths


def _row(
    row: Sequence[list[Piece]],
    widths: Sequence[int],
    parted: str,
    alignments: Sequence[n.Alignment],
    drawing: RenderContext,
    style: Style,
) -> list[Line]:
    columns = [wrapped(pieces, width, drawing) for pieces, width in zip(row, widths, strict=True)]
    lines: list[Line] = []
    between = Run(parted, style + drawing.palette.rule)
    for i in range(max(map(len, columns))):
        line: Line = []
        for j, cell in enumerate(columns):
            if j:
                line.append(between)
            line += _aligned(cell[i] if i < len(cell) else [], widths[j], alignments[j], style)
        lines.append(line)
    return lines


def _aligned(line: Line, width: int, alignment: n.Alignment, style: Style) -> Line:
    missing = width - line_cells(line)
    left = {"left": 0, "center": missing // 2, "right": missing}[alignment]
    start: Line = [Run(" " * left, style)] if left > 0 else []
    return padded([*start, *line], width, style)


def _as_lists(
    header: Sequence[list[Piece]] | None,
    rows: Sequence[Sequence[list[Piece]]],
    width: int,
    drawing: RenderContext,
    style: Style,
) -> list[Line]:
    """Return each row as a list of its cells, after the names of their columns."""
    lines: list[Line] = []
    for i, row in enumerate(rows):
        if i:
            lines.append([Run("─" * min(width, MIN_COLUMN), style + drawing.palette.rule)])
        for j, pieces in enumerate(row):
            name = [*header[j], (": ", style)] if header and header[j] else []
            lines += wrapped([*name, *pieces], width, drawing)
    return lines
