"""Lets strips, which are the lines that Textual draws, make their caches when they are first used.

Textual makes seven with each line: 900 bytes and 14 objects, of which most lines never use more than one or
two. Thousands of lines are kept. Rich keeps the widths of the last 4,096 texts that it measured, with the
texts, of messages that were dropped, too: half a megabyte. Plain text is measured by its length.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from rich import cells, segment
from rich.segment import Segment
from textual.cache import FIFOCache
from textual.strip import Strip

_SIZES: Final[Mapping[str, int]] = {
    "_divide_cache": 4,
    "_crop_cache": 16,
    "_style_cache": 16,
    "_filter_cache": 4,
    "_line_length_cache": 4,
    "_crop_extend_cache": 4,
    "_offsets_cache": 4,
}
"""Textual's own sizes of the caches of a strip."""


_width: Final[Callable[..., int]] = cells.cached_cell_len


def make_caches_late() -> None:
    """Let all strips of this process be made and measured so from now on."""
    vars(cells)["cached_cell_len"] = vars(segment)["cached_cell_len"] = _cell_len  # by these names
    Strip.__init__ = _begin  # type: ignore[method-assign]  # Textual has no hook for it
    Strip.__getattr__ = _cache  # type: ignore[attr-defined]  # called for what is not there


def _cell_len(text: str, *unicode_version: str) -> int:
    if text.isascii() and text.isprintable():
        return len(text)
    return _width(text, *unicode_version)


def _begin(self: Strip, segments: Iterable[Segment], cell_length: int | None = None) -> None:
    self._segments = list(segments)
    self._cell_length = cell_length
    self._render_cache = None
    self._link_ids = None
    self._cell_count = None


def _cache(self: Strip, name: str) -> FIFOCache[Any, Any]:
    """Make a cache: Python asks for it here while the strip has none."""
    size = _SIZES.get(name)
    if size is None:
        raise AttributeError(name)
    cache = FIFOCache[Any, Any](size)
    setattr(self, name, cache)
    return cache
