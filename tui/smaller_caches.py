"""Lets functions of Textual and Rich remember fewer results. Draws nothing.

Each of them keeps thousands, with the styles, colors and texts that they were asked about: enough for many themes, but a
client that has been used for a day had all of them full: some ten megabytes. The sizes here are those beyond which a day's
calls find hardly more: a result takes 200 to 600 bytes, and most are computed again in a few microseconds.
"""

from functools import lru_cache
from typing import Any, Final

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.color import Color
from textual.css.scalar import Scalar
from textual.filter import ANSIToTruecolor
from textual.geometry import Region
from textual.strip import Strip
from textual.style import Style

MOST: Final = 256
"""Results of each function, at most."""

_METHODS: Final[tuple[tuple[type, int, tuple[str, ...]], ...]] = (
    (RichColor, 64, ("downgrade", "get_ansi_codes", "parse")),
    (RichStyle, MOST, ("_add",)),
    (RichStyle, 32, ("clear_meta_and_links", "get_html_style", "normalize", "parse")),
    (Segment, 32, ("_split_cells",)),
    (Color, 128, ("blend", "parse", "rich_color")),
    (Color, 32, ("darken", "from_rich_color", "get_contrast_text", "tint")),
    (ANSIToTruecolor, MOST, ("truecolor_style",)),
    (Scalar, 64, ("parse", "resolve")),
    (Region, 128, ("intersection", "overlaps", "shrink", "translate")),
    (Region, 64, ("__contains__", "contains_region", "grow", "split", "split_horizontal", "split_vertical", "union")),
    (Strip, 32, ("blank",)),
    (Strip, 16, ("render_ansi",)),
    (Style, MOST, ("__add__", "__radd__")),
)  # fmt: skip
"""Methods, with how many results each keeps. What `render_ansi` returns is kept in `tui.frames` as well."""


def use_smaller_caches() -> None:
    """Let these methods keep so many results each from now on."""
    for cls, size, names in _METHODS:
        for name in names:
            setattr(cls, name, _smaller(vars(cls)[name], size))


def _smaller(method: Any, size: int) -> Any:
    """Return a method, class method or property with a smaller cache, and without what it had remembered."""
    if isinstance(method, classmethod):
        return classmethod(_smaller(method.__func__, size))
    if isinstance(method, property):
        return property(_smaller(method.fget, size), doc=method.__doc__)
    return lru_cache(size)(method.__wrapped__)
