"""The themes of strong contrast keep their promise: nothing that is read is faint."""

import pytest
from textual.color import Color
from textual.style import Style
from textual.theme import Theme

from tui.themes.contrast import CONTRAST_DARK, CONTRAST_LIGHT
from tui.widgets.row_styles import OPENED, SELECTED, look_of_theme

ENOUGH = 7.0
"""The ratio that WCAG asks for at its highest level."""


def luminance(color: Color) -> float:
    parts = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in color.normalized)
    red, green, blue = parts
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(style: Style, behind: Color) -> float:
    assert style.foreground is not None
    darker, lighter = sorted((luminance(style.foreground), luminance(behind)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", [CONTRAST_DARK, CONTRAST_LIGHT])
@pytest.mark.parametrize("lift", [0.0, OPENED, SELECTED])
def test_what_is_muted_elsewhere_is_well_readable(theme: Theme, lift: float) -> None:
    """Times, counts, quiet names, also under the cursor."""
    variables = theme.to_color_system().generate() | theme.variables
    look = look_of_theme(variables, "background", lift)
    assert look.base.background is not None
    for style in (look.muted, look.faint, look.unread, look.palette.muted):
        assert contrast(style, look.base.background) >= ENOUGH
