"""Colors for terminals with few of them: the nearest of 256, and themes of the 16. Pure; colors only.

The 256 are the fixed ones (numbers 16 to 255), which look alike in every terminal; the first 16 depend on
the user's terminal (docs/decisions/0018).
"""

from functools import lru_cache
from typing import Final, TypeAlias

from textual.theme import Theme

from tui.themes.contrast import STRONG

Rgb: TypeAlias = tuple[int, int, int]

ENOUGH: Final = 4.5
"""The contrast that text needs, as WCAG 2.1 asks for at level AA."""

_LEVELS: Final = (0, 95, 135, 175, 215, 255)
_FIRST_GRAY: Final = 232
_STEPS: Final = 20


def rgb_of(number: int) -> Rgb:
    """Return the RGB of a color of the palette; `number` is from 16 to 255."""
    if number >= _FIRST_GRAY:
        level = 8 + 10 * (number - _FIRST_GRAY)
        return level, level, level
    red, rest = divmod(number - 16, 36)
    green, blue = divmod(rest, 6)
    return _LEVELS[red], _LEVELS[green], _LEVELS[blue]


@lru_cache(maxsize=8192)
def nearest(color: Rgb) -> int:
    """Return the number of the most similar color of the palette: one of the cube, or a gray."""
    red, green, blue = (_nearest_level(part) for part in color)
    cube = 16 + 36 * red + 6 * green + blue
    gray = _FIRST_GRAY + max(0, min(23, round((sum(color) / 3 - 8) / 10)))
    return min(cube, gray, key=lambda number: _distance(rgb_of(number), color))


@lru_cache(maxsize=4096)
def readable(color: Rgb, behind: int) -> int:
    """Return the number of the nearest color with enough contrast on the palette's color `behind`."""
    back = rgb_of(behind)
    target = (255, 255, 255) if luminance(back) < 0.18 else (0, 0, 0)
    for step in range(_STEPS + 1):
        red, green, blue = (
            round(part + (end - part) * step / _STEPS)
            for part, end in zip(color, target, strict=True)
        )
        index = nearest((red, green, blue))
        if contrast(rgb_of(index), back) >= ENOUGH:
            return index
    return nearest(target)


def contrast(one: Rgb, other: Rgb) -> float:
    """Return the contrast ratio of two colors as WCAG defines it, 1 to 21."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(color: Rgb) -> float:
    """Return the relative luminance of a color, 0 to 1."""
    red, green, blue = (
        part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4
        for part in color
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _nearest_level(part: int) -> int:
    return min(range(len(_LEVELS)), key=lambda at: abs(_LEVELS[at] - part))


def _distance(one: Rgb, other: Rgb) -> float:
    """Return how different two colors look; eyes see green best, and blue least."""
    red, green, blue = (a - b for a, b in zip(one, other, strict=True))
    return 0.30 * red * red + 0.59 * green * green + 0.11 * blue * blue


NAMES: Final = "names"
"""A theme's variable: the colors of people's names, as words."""

DARK_16: Final = Theme(
    name="chinwag-16-dark",
    dark=True,
    ansi=True,
    primary="ansi_bright_yellow",
    secondary="ansi_bright_cyan",
    accent="ansi_bright_yellow",
    warning="ansi_bright_yellow",
    error="ansi_bright_red",
    success="ansi_bright_green",
    foreground="ansi_white",
    background="ansi_black",
    surface="ansi_black",
    panel="ansi_black",
    boost="ansi_black",
    variables={
        STRONG: "on",
        NAMES: "ansi_bright_cyan ansi_bright_green ansi_bright_magenta ansi_bright_red",
        "ansi-background": "ansi_black",
        "ansi-foreground": "ansi_white",
        "text-muted": "ansi_white",
        "border": "ansi_white",
        "border-blurred": "ansi_white",
        "block-cursor-foreground": "ansi_black",
        "block-cursor-background": "ansi_white",
        "block-cursor-blurred-foreground": "ansi_black",
        "block-cursor-blurred-background": "ansi_white",
        "input-cursor-background": "ansi_white",
        "input-cursor-foreground": "ansi_black",
        "input-selection-background": "ansi_cyan",
        "input-selection-foreground": "ansi_black",
        "screen-selection-background": "ansi_cyan",
        "screen-selection-foreground": "ansi_black",
        "footer-background": "ansi_black",
        "scrollbar": "ansi_white",
        "scrollbar-background": "ansi_black",
    },
)

LIGHT_16: Final = Theme(
    name="chinwag-16-light",
    dark=False,
    ansi=True,
    primary="ansi_blue",
    secondary="ansi_blue",
    accent="ansi_blue",
    warning="ansi_blue",
    error="ansi_black",
    success="ansi_blue",
    foreground="ansi_black",
    background="ansi_white",
    surface="ansi_white",
    panel="ansi_white",
    boost="ansi_white",
    variables={
        STRONG: "on",
        NAMES: "ansi_blue ansi_black",
        "ansi-background": "ansi_white",
        "ansi-foreground": "ansi_black",
        "text-muted": "ansi_black",
        "border": "ansi_black",
        "border-blurred": "ansi_black",
        "block-cursor-foreground": "ansi_white",
        "block-cursor-background": "ansi_black",
        "block-cursor-blurred-foreground": "ansi_white",
        "block-cursor-blurred-background": "ansi_black",
        "input-cursor-background": "ansi_black",
        "input-cursor-foreground": "ansi_white",
        "input-selection-background": "ansi_blue",
        "input-selection-foreground": "ansi_white",
        "screen-selection-background": "ansi_blue",
        "screen-selection-foreground": "ansi_white",
        "footer-background": "ansi_white",
        "scrollbar": "ansi_black",
        "scrollbar-background": "ansi_white",
    },
)
