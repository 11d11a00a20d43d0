"""Terminals with few colors: whatever is read stands out from what is behind it, in every theme."""

from collections.abc import Iterator
from dataclasses import fields

import pytest
from rich.color import ColorType
from rich.segment import Segment
from textual.color import Color
from textual.style import Style
from textual.theme import Theme

from tui import themes
from tui.terminal import known_colors
from tui.themes.contrast import CONTRAST_DARK
from tui.themes.few_colors import DARK_16, ENOUGH, LIGHT_16, Rgb, contrast, nearest, rgb_of
from tui.widgets.fewer_colors import FewerColors
from tui.widgets.row_styles import OPENED, SELECTED, RowStyles, look_of_theme

FULL = [theme for theme in themes.ALL if not theme.ansi]
OF_16 = [DARK_16, LIGHT_16]
NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
XTERM = (
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
)  # fmt: skip
LINUX = (
    (0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170), (170, 170, 170),
    (85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255), (255, 85, 255), (85, 255, 255), (255, 255, 255),
)  # fmt: skip


def _styles(look: RowStyles) -> Iterator[tuple[str, Style]]:
    """Every style in which something is written, laid over the look's background."""
    for owner in (look, look.palette):
        for each in fields(owner):
            style = getattr(owner, each.name)
            if isinstance(style, Style) and each.name not in ("tint", "faint", "rule", "quote_bar"):
                yield each.name, look.base + style
    yield from (("person", look.base + style) for style in look.people)
    yield from (("token", look.base + style) for style in look.palette.tokens.values())
    for color in ("#d9734a", "#3a3a3a", "#ffffff", "#123456"):
        yield "channel", look.base + look.channel(color)


@pytest.mark.parametrize("theme", FULL, ids=lambda theme: theme.name)
@pytest.mark.parametrize("behind", ["background", "surface", "panel"])
@pytest.mark.parametrize("lift", [0.0, OPENED, SELECTED])
def test_in_256_colors_all_text_is_readable(theme: Theme, behind: str, lift: float) -> None:
    """Each pair of colors that is left of a theme is one of the palette, and far enough apart."""
    variables = theme.to_color_system().generate() | theme.variables
    look = look_of_theme(variables, behind, lift)
    for name, style in _styles(look):
        (drawn,) = FewerColors().apply([Segment("text", style.rich_style)], Color(0, 0, 0))
        assert drawn.style is not None
        fore, back = drawn.style.color, drawn.style.bgcolor
        assert fore is not None
        assert back is not None
        assert fore.type == back.type == ColorType.EIGHT_BIT
        assert fore.number is not None
        assert back.number is not None
        assert contrast(rgb_of(fore.number), rgb_of(back.number)) >= ENOUGH, name


@pytest.mark.parametrize("theme", OF_16, ids=lambda theme: theme.name)
@pytest.mark.parametrize("palette", [XTERM, LINUX], ids=["xterm", "linux"])
def test_in_16_colors_all_text_is_readable(theme: Theme, palette: tuple[Rgb, ...]) -> None:
    """With the colors that xterm and the Linux console have for the names."""
    variables = theme.to_color_system().generate() | theme.variables
    ground = palette[NAMES.index(theme.background.removeprefix("ansi_"))]  # type: ignore[union-attr]  # both have one
    for lift in (0.0, SELECTED):
        for name, style in _styles(look_of_theme(variables, "background", lift)):
            rich = style.rich_style
            assert rich.color is not None
            assert rich.color.number is not None
            assert not rich.dim, name
            assert contrast(palette[rich.color.number], ground) >= ENOUGH, (name, rich)


def test_what_is_meant_for_the_reader_is_no_olive() -> None:
    """Amber on a dark ground became #5f5f00; a gray is nearer to it."""
    variables = themes.DARK.to_color_system().generate() | themes.DARK.variables
    look = look_of_theme(variables, "background")
    for style in (look.palette.mention_of_reader, look.own_chip, look.palette.mention):
        assert style.background is not None
        red, green, blue = rgb_of(nearest(style.background.rgb))
        assert max(red, green, blue) - min(red, green, blue) <= 40


def test_pictures_keep_their_colors() -> None:
    """Half blocks are drawn in the nearest colors, however near those are to one another."""
    block = Style(foreground=Color(60, 60, 60), background=Color(58, 58, 58)).rich_style
    (drawn,) = FewerColors().apply([Segment("▀▀", block)], Color(0, 0, 0))
    assert drawn.style is not None
    assert drawn.style.color == drawn.style.bgcolor


def test_the_environment_says_how_many_colors_there_are() -> None:
    """As it is in terminals, in tmux, in macOS Terminal and on the console."""
    for environment, colors in (
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, "all"),
        ({"TERM": "tmux-256color"}, "256"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"}, "256"),
        ({"TERM": "linux"}, "16"),
        ({"TERM": "xterm"}, "16"),
    ):
        assert known_colors(environment) == colors


def test_a_terminal_with_16_colors_has_a_theme_of_its_own() -> None:
    """Dark stays dark; a theme that has the terminal's colors anyway stays as it is."""
    assert themes.for_colors(themes.LIGHT, "16") == LIGHT_16.name
    assert themes.for_colors(CONTRAST_DARK, "16") == DARK_16.name
    assert themes.for_colors(themes.DARK, "256") == themes.DARK.name
    assert themes.for_colors(LIGHT_16, "16") == LIGHT_16.name
