"""Lets strips, which are the lines that Textual draws, take less memory.

Textual makes seven caches with each line: 900 bytes and 14 objects, of which most lines never use more than one or
two. Thousands of lines are kept: here their caches are made when they are first used. Rich keeps the widths of the
last 4,096 texts and 4,096 characters that it measured, with the texts, of messages that were dropped, too: almost a
megabyte. Plain text is measured by its length. Textual keeps the lines of the last 1,024 widgets that were drawn, those of dialogs that were
closed as well: 30 MB after 200 dialogs. It remembers two colors for each of them, by the object that has its lines.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from rich import cells
from rich.segment import Segment
from textual._styles_cache import StylesCache
from textual.cache import FIFOCache
from textual.color import Color
from textual.strip import Strip
from textual.style import Style

from tui.smaller_caches import use_smaller_caches
from tui.style_values import keep_without_dictionaries

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


_remembering: Final = cells.cached_cell_len
_width: Final[Callable[..., int]] = lru_cache(128)(_remembering.__wrapped__)
_of_character: Final = cells.get_character_cell_size
_character_width: Final[Callable[..., int]] = lru_cache(256)(_of_character.__wrapped__)


def use_less_memory() -> None:
    """Let all strips of this process be made, measured and kept so from now on."""
    for name, module in list(sys.modules.items()):  # those that are loaded later take it from these
        if name.startswith(("rich.", "textual.")):
            for own in ("cached_cell_len", "cell_len"):
                if vars(module).get(own) is _remembering:
                    vars(module)[own] = _cell_len
            if vars(module).get("get_character_cell_size") is _of_character:
                vars(module)["get_character_cell_size"] = _character_width
    use_smaller_caches()
    keep_without_dictionaries()
    Strip.__init__ = _begin  # type: ignore[method-assign]  # Textual has no hook for it
    Strip.__getattr__ = _cache  # type: ignore[attr-defined]  # called for what is not there
    StylesCache.get_inner_outer = staticmethod(_inner_outer)  # type: ignore[assignment, method-assign]  # no hook either


@lru_cache(64)
def _inner_outer(base_background: Color, background: Color) -> tuple[Style, Style]:
    """As Textual's, which has the widget's lines among the arguments that it remembers."""
    return Style(background=base_background + background), Style(background=base_background)


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
    cache: FIFOCache[Any, Any] = FIFOCache(size)
    setattr(self, name, cache)
    return cache
