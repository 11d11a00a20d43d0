"""Prints rows in columns for a terminal, or as JSON for programs."""

from collections.abc import Callable, Sequence
from typing import Any

from server_lite.cli import output

Item = dict[str, Any]
"""An object that an administration command returns."""


def print_rows(
    rows: Sequence[Item],
    cells_of: Callable[[Item], tuple[object, ...]],
    *,
    as_json: bool,
) -> None:
    """Print one JSON array, or the cells of each row in columns; numbers are right-aligned."""
    if as_json:
        output.show_json(rows)
        return
    lines = [tuple(cells_of(row)) for row in rows]
    texts = [[output.inert(str(cell)) for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    for line, cells in zip(lines, texts, strict=True):
        padded = [
            text.rjust(width) if isinstance(cell, int) else text.ljust(width)
            for cell, text, width in zip(line, cells, widths, strict=True)
        ]
        output.show("  ".join(padded).rstrip())
