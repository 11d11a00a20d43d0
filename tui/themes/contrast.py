"""Two themes with strong contrast: black and white, few colors, nothing faint. Colors only."""

from typing import Final

from textual.theme import Theme

STRONG: Final = "strong-contrast"
"""A theme's variable: muted and faint text stays well readable with it."""

CONTRAST_DARK: Final = Theme(
    name="chinwag-contrast-dark",
    dark=True,
    primary="#ffd83d",
    secondary="#5ff0ff",
    accent="#ffd83d",
    warning="#ffd83d",
    error="#ff9c9c",
    success="#7dff8a",
    foreground="#ffffff",
    background="#000000",
    surface="#0d0d0d",
    panel="#000000",
    variables={
        STRONG: "on",
        "text-muted": "#e0e0e0",
        "text-disabled": "#b8b8b8",
        "block-cursor-foreground": "#000000",
        "block-cursor-background": "#ffffff",
        "block-cursor-blurred-background": "#5a5a5a",
        "input-cursor-background": "#ffffff",
        "input-cursor-foreground": "#000000",
        "input-selection-background": "#ffd83d 45%",
        "scrollbar": "#b0b0b0",
        "scrollbar-hover": "#ffffff",
        "scrollbar-active": "#ffd83d",
        "scrollbar-background": "#000000",
        "scrollbar-background-hover": "#000000",
        "scrollbar-background-active": "#000000",
        "border": "#ffffff",
        "link-color": "#7fd4ff",
    },
)

CONTRAST_LIGHT: Final = Theme(
    name="chinwag-contrast-light",
    dark=False,
    primary="#0b3a9e",
    secondary="#00565c",
    accent="#0b3a9e",
    warning="#6b4a00",
    error="#a00010",
    success="#0b5c12",
    foreground="#000000",
    background="#ffffff",
    surface="#f2f2f2",
    panel="#ffffff",
    variables={
        STRONG: "on",
        "text-muted": "#262626",
        "text-disabled": "#4a4a4a",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-background": "#000000",
        "block-cursor-blurred-background": "#b0b0b0",
        "input-cursor-background": "#000000",
        "input-cursor-foreground": "#ffffff",
        "input-selection-background": "#0b3a9e 35%",
        "scrollbar": "#5a5a5a",
        "scrollbar-hover": "#000000",
        "scrollbar-active": "#0b3a9e",
        "scrollbar-background": "#ffffff",
        "scrollbar-background-hover": "#ffffff",
        "scrollbar-background-active": "#ffffff",
        "border": "#000000",
        "link-color": "#0b3a9e",
    },
)
