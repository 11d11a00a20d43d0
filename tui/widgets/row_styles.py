"""The styles of rows, computed once for a theme: read, muted, marked, people's colors. Draws nothing."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from textual.color import Color
from textual.style import Style

from tui.dataclass import dataclass
from tui.themes.contrast import STRONG
from tui.themes.few_colors import NAMES
from tui.widgets.content_palette import Palette

HUES: Final = (205, 165, 285, 330, 185, 230, 125, 350, 260, 305, 145, 15)
"""Degrees of hue for people's names, by their ID. The accent's own range is left out."""

_ANSI_NAMES: Final = ("ansi_cyan", "ansi_green", "ansi_magenta", "ansi_blue", "ansi_red")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowStyles:
    """One style for each part of a row, on one background."""

    palette: Palette
    base: Style
    muted: Style
    faint: Style
    accent: Style
    unread: Style
    error: Style
    good: Style
    tint: Style
    """A background one step from the row's own."""
    chip: Style
    own_chip: Style
    focused: Style
    """The title of the focused pane: a label in the accent's color, reversed without colors."""
    people: tuple[Style, ...]

    def person(self, user_id: int) -> Style:
        """Return the color of a person's name, always the same."""
        return self.people[user_id * 7 % len(self.people)]

    def channel(self, color: str) -> Style:
        """Return a channel's own color, moved until it can be read on this background."""
        return _readable_style(color, self.base)


CURSOR: Final = "▌"
"""At the left edge of the row under the cursor, and of the open one."""

SELECTED: Final = 0.13
OPENED: Final = 0.07
"""How far a row's background is moved towards the text's color. Themes have colors for a cursor of their own,
but they are made for a word on them, not for text of many colors.
"""


@lru_cache(maxsize=24)
def _look(variables: tuple[tuple[str, str], ...], behind: str, lift: float) -> RowStyles:
    named = dict(variables)
    plain = Color.parse(named.get(behind, behind))
    text = Color.parse(named.get("foreground", "#e0e0e0"))
    if plain.ansi is not None or text.ansi is not None:
        return _ansi_look(named, text, lift)
    palette = Palette.of_theme(named, plain.blend(text, lift, alpha=1.0).hex)
    base = palette.base
    assert base.background is not None
    assert base.foreground is not None
    back, fore = base.background, base.foreground
    accent = Color.parse(named.get("primary", "#d9a45b"))
    error = Color.parse(named.get("error", "#e27878"))
    good = Color.parse(named.get("success", "#8fbf86"))
    muted, faint = (0.12, 0.25) if STRONG in named else (0.42, 0.7)
    tint = back.blend(fore, 0.07, alpha=1.0)
    own = back.blend(accent, 0.24, alpha=1.0)
    return RowStyles(
        palette=palette,
        base=base,
        muted=Style(foreground=fore.blend(back, muted, alpha=1.0)),
        faint=Style(foreground=fore.blend(back, faint, alpha=1.0)),
        accent=Style(foreground=readable(accent, back)),
        unread=Style(foreground=fore, bold=True),
        error=Style(foreground=readable(error, back)),
        good=Style(foreground=readable(good, back)),
        tint=Style(background=tint),
        chip=Style(foreground=fore.blend(back, 0.2, alpha=1.0), background=tint),
        own_chip=Style(foreground=readable(accent, own), background=own, bold=True),
        focused=Style(foreground=readable(back, accent), background=accent, bold=True),
        people=tuple(
            Style(foreground=readable(Color.from_hsl(hue / 360, 0.42, 0.62), back), bold=True)
            for hue in HUES
        ),
    )


def _ansi_look(named: Mapping[str, str], text: Color, lift: float) -> RowStyles:
    """Return the styles where the terminal chooses the colors: no backgrounds, a selected row reversed."""
    palette = Palette.of_theme(named)
    accent = Color.parse(named.get("primary", "ansi_yellow"))
    base = Style(foreground=text, reverse=lift >= SELECTED)
    muted = Style(foreground=text, dim=STRONG not in named)
    people = named[NAMES].split() if NAMES in named else _ANSI_NAMES
    return RowStyles(
        palette=replace(palette, base=base),
        base=base,
        muted=muted,
        faint=muted,
        accent=Style(foreground=accent, bold=True),
        unread=Style(foreground=text, bold=True),
        error=Style(foreground=Color.parse(named.get("error", "ansi_red"))),
        good=Style(foreground=Color.parse(named.get("success", "ansi_green"))),
        tint=Style(),
        chip=Style(foreground=text),
        own_chip=Style(foreground=text, reverse=True, bold=True),
        focused=Style(foreground=accent, reverse=True, bold=True),
        people=tuple(Style(foreground=Color.parse(name), bold=True) for name in people),
    )


_VARIABLES = ("foreground", "primary", "warning", "error", "success", STRONG, NAMES)
_TEXT_VARIABLES = ("text-primary", "text-accent", "text-success", "text-warning", "text-error")


def look_of_theme(variables: Mapping[str, str], background: str, lift: float = 0.0) -> RowStyles:
    """Return the styles on a background (the name of a theme's variable), from `app.theme_variables`.

    `lift` is `SELECTED` or `OPENED` for a row that stands out.
    """
    variable_names = (*_VARIABLES, *_TEXT_VARIABLES, background)
    named = tuple((name, variables[name]) for name in variable_names if name in variables)
    return _look(named, background, lift)


def readable(color: Color, background: Color, contrast: float = 4.5) -> Color:
    """Return the color, moved towards white or black until it has enough contrast."""
    target = Color(255, 255, 255) if background.brightness < 0.5 else Color(0, 0, 0)
    for step in range(11):
        moved = color.blend(target, step / 10, alpha=1.0)
        if _contrast(moved, background) >= contrast:
            return moved
    return target


def _contrast(one: Color, other: Color) -> float:
    """Return the ratio of two colors' luminance as WCAG defines it, 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in color.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=128)
def _readable_style(color: str, base: Style) -> Style:
    if base.background is None or base.background.ansi is not None or not color:
        return Style()
    return Style(foreground=readable(Color.parse(color), base.background, 3.5))
