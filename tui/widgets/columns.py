"""Layout of labels and details in two columns. Pure."""

from collections.abc import Iterable
from typing import Final

from tui.widgets.content_lines import cells

WIDEST: Final = 32
"""Most cells of a column; the detail of a longer text begins after it."""
GAP: Final = 2
"""Cells between columns."""


def column(texts: Iterable[str]) -> int:
    """Return the width of a column for these texts: of the widest that is not too wide; 0 without any."""
    return widest(map(cells, texts))


def widest(sizes: Iterable[int]) -> int:
    """Return the width of a column for texts of these widths."""
    return max((size for size in sizes if size <= WIDEST), default=0)


def blanks(text: str, width: int) -> str:
    """Return the blanks from a text to the next column."""
    return " " * (max(0, width - cells(text)) + GAP)
