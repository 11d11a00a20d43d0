"""Lets functions of Textual and Rich remember fewer results. Draws nothing.

Each of them keeps thousands, with the styles, colors and texts that they were asked about: enough for many themes, but a
client that has been used for a day had all of them full: some ten megabytes, of which a frame uses a few hundred results.
"""

from functools import lru_cache
from typing import Any, Final

from rich.color import Color as RichColor
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual.color import Color
from textual.css.scalar import Scalar
from textual.geometry import Region
from textual.strip import Strip
from textual.style import Style

MOST: Final = 512
"""Results of each function."""

_METHODS: Final[tuple[tuple[type, tuple[str, ...]], ...]] = (
    (RichColor, ("downgrade", "get_ansi_codes", "parse")),
    (RichStyle, ("_add", "get_html_style", "normalize", "parse")),
    (Segment, ("_split_cells",)),
    (Color, ("blend", "darken", "from_rich_color", "get_contrast_text", "parse", "rich_color", "tint")),
    (Scalar, ("parse", "resolve")),
    (Region, ("__contains__", "contains_region", "grow", "intersection", "overlaps", "shrink")),
    (Region, ("split", "split_horizontal", "split_vertical", "translate", "union")),
    (Strip, ("blank", "render_ansi")),
    (Style, ("__add__", "__radd__")),
)  # fmt: skip


def use_smaller_caches() -> None:
    """Let these methods keep `MOST` results each from now on."""
    for cls, names in _METHODS:
        for name in names:
            setattr(cls, name, _smaller(vars(cls)[name]))


def _smaller(method: Any) -> Any:
    """Return a method, class method or property with a smaller cache, and without what it had remembered."""
    if isinstance(method, classmethod):
        return classmethod(_smaller(method.__func__))
    if isinstance(method, property):
        return property(_smaller(method.fget), doc=method.__doc__)
    return lru_cache(MOST)(method.__wrapped__)
