"""A table of a message -> lines: columns that stay aligned at any width, cells that wrap.

Where the columns do not fit, each row becomes a short list of its cells. Knows no theme.
"""

from collections.abc import Sequence
from typing import Final

from textual.style import Style

from tui.content import nodes as n
from tui.widgets.content_inline import Drawing, pieces_of, wrapped
from tui.widgets.content_lines import Line, Piece, Run, line_cells, padded, wrap

MIN_COLUMN: Final = 4
"""Cells; a table whose columns would be narrower is drawn as lists."""

_BOLD = Style(bold=True)
_BETWEEN = " │ "


def draw_table(table: n.Table, width: int, drawing: Drawing, style: Style) -> list[Line]:
    """The lines of a table, each at most `width` cells."""
    header = [pieces_of(cell, drawing, style + _BOLD) for cell in table.header]
    rows = [[pieces_of(cell, drawing, style) for cell in row] for row in table.rows]
    has_header = any(table.header)
    wanted = _wanted([header, *rows])
    widths = _fit(wanted, width - len(_BETWEEN) * (len(wanted) - 1))
    if widths is None:
        return _as_lists(header if has_header else None, rows, width, drawing, style)
    lines: list[Line] = []
    if has_header:
        lines += _row(header, widths, table.alignments, drawing, style)
        rule = "─┼─".join("─" * column for column in widths)
        lines.append([Run(rule, style + drawing.palette.rule)])
    for row in rows:
        lines += _row(row, widths, table.alignments, drawing, style)
    return lines


def _wanted(rows: Sequence[Sequence[list[Piece]]]) -> list[int]:
    """The width that each column would like: that of its longest cell."""
    wanted = [1] * len(rows[0])
    for row in rows:
        for i, pieces in enumerate(row):
            for line in wrap(pieces, 10**9, 0):
                wanted[i] = max(wanted[i], line_cells(line))
    return wanted


def _fit(wanted: list[int], room: int) -> list[int] | None:
    """Widths within `room`: narrow columns keep theirs, wide ones share the rest."""
    if sum(wanted) <= room:
        return wanted
    if room < MIN_COLUMN * len(wanted):
        return None
    widths = [0] * len(wanted)
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    for done, i in enumerate(order):
        share = room // (len(wanted) - done)
        widths[i] = min(wanted[i], share)
        room -= widths[i]
    return widths


def _row(
    row: Sequence[list[Piece]],
    widths: Sequence[int],
    alignments: Sequence[n.Alignment],
    drawing: Drawing,
    style: Style,
) -> list[Line]:
    cells = [wrapped(pieces, width, drawing) for pieces, width in zip(row, widths, strict=True)]
    lines: list[Line] = []
    between = Run(_BETWEEN, style + drawing.palette.rule)
    for i in range(max(map(len, cells))):
        line: Line = []
        for j, cell in enumerate(cells):
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
    drawing: Drawing,
    style: Style,
) -> list[Line]:
    """For each row its cells below each other, after the names of their columns."""
    lines: list[Line] = []
    for i, row in enumerate(rows):
        if i:
            lines.append([Run("─" * min(width, MIN_COLUMN), style + drawing.palette.rule)])
        for j, pieces in enumerate(row):
            name = [*header[j], (": ", style)] if header and header[j] else []
            lines += wrapped([*name, *pieces], width, drawing)
    return lines
