"""Chinwag's own themes: calm, with amber for what concerns the user. Colors only."""

from pathlib import Path
from typing import Any, Final

from textual.app import App
from textual.theme import Theme

from tui.themes.contrast import CONTRAST_DARK, CONTRAST_LIGHT
from tui.themes.few_colors import DARK_16, LIGHT_16

DARK: Final = Theme(
    name="chinwag-dark",
    dark=True,
    primary="#d9a45b",
    secondary="#6fb3b8",
    accent="#e8b86d",
    warning="#e0c06a",
    error="#e27878",
    success="#8fbf86",
    foreground="#d3d6dc",
    background="#15171c",
    surface="#1b1e25",
    panel="#111317",
    variables={
        "block-cursor-foreground": "#f4f1ea",
        "block-cursor-background": "#2c3038",
        "block-cursor-blurred-background": "#22252c",
        "input-selection-background": "#d9a45b 30%",
        "footer-background": "#111317",
        "footer-key-foreground": "#d9a45b",
        "footer-description-foreground": "#8a909b",
        "scrollbar": "#2b2f37",
        "scrollbar-hover": "#3a3f49",
        "scrollbar-active": "#d9a45b",
        "scrollbar-background": "#15171c",
        "scrollbar-background-hover": "#15171c",
        "scrollbar-background-active": "#15171c",
        "border": "#2b2f37",
        "link-color": "#8cc4e8",
    },
)

LIGHT: Final = Theme(
    name="chinwag-light",
    dark=False,
    primary="#9a5f0b",
    secondary="#1f7a80",
    accent="#b36a00",
    warning="#8f6a00",
    error="#b3383c",
    success="#3c7a33",
    foreground="#2a2d33",
    background="#fbfaf7",
    surface="#f1efe9",
    panel="#eae7df",
    variables={
        "block-cursor-foreground": "#1d1f24",
        "block-cursor-background": "#dcd7ca",
        "block-cursor-blurred-background": "#e6e2d8",
        "input-selection-background": "#b36a00 25%",
        "footer-background": "#eae7df",
        "footer-key-foreground": "#9a5f0b",
        "footer-description-foreground": "#6a6d75",
        "scrollbar": "#d3cec1",
        "scrollbar-hover": "#bdb7a7",
        "scrollbar-active": "#9a5f0b",
        "scrollbar-background": "#fbfaf7",
        "scrollbar-background-hover": "#fbfaf7",
        "scrollbar-background-active": "#fbfaf7",
        "border": "#d3cec1",
        "link-color": "#1a5fa8",
    },
)

ALL: Final = (DARK, LIGHT, CONTRAST_DARK, CONTRAST_LIGHT, DARK_16, LIGHT_16)


def for_colors(theme: Theme, colors: str) -> str:
    """Return the name of the theme to use for a terminal with `colors`: "all", "256" or "16"."""
    if colors != "16" or theme.ansi:
        return theme.name
    return DARK_16.name if theme.dark else LIGHT_16.name


def register(app: App[Any], folder: Path) -> list[str]:
    """Register these themes and the user's own, which are in a folder; return the errors in those."""
    for theme in ALL:
        app.register_theme(theme)
    if not folder.is_dir():
        return []
    from tui.themes.own import read_themes

    own_themes, troubles = read_themes(folder, frozenset(app.available_themes))
    for theme in own_themes:
        app.register_theme(theme)
    return troubles
