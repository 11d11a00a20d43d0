"""Names in a column, and what is said beside them in the next one. Pure."""

from collections.abc import Iterable
from typing import Final

from tui.widgets.content_lines import cells

WIDEST: Final = 32
"""Cells of a column at most; what stands beside a longer text begins after it."""
GAP: Final = 2
"""Cells between columns."""


def column(texts: Iterable[str]) -> int:
    """The cells of a column for these texts: of the widest that is not too wide; 0 without any."""
    return widest(map(cells, texts))


def widest(sizes: Iterable[int]) -> int:
    """The same for texts that are measured already."""
    return max((size for size in sizes if size <= WIDEST), default=0)


def blanks(text: str, width: int) -> str:
    """What fills a text up to its column's end, and parts it from the next one."""
    return " " * (max(0, width - cells(text)) + GAP)
