"""The first frame: the panes of the account screen, in every theme and size."""

import re

import pytest
from rich.console import Console
from textual.app import App
from textual.geometry import Size
from textual.theme import BUILTIN_THEMES, Theme

from tui import themes
from tui.screens.skeleton import first_frame
from tui.widgets.fewer_colors import FewerColors

_ROW = re.compile(r"\x1b\[(\d+);1H")
_STYLE = re.compile(r"\x1b\[[0-9;]*m")


def rows(size: Size, theme: str, *, few: bool = False) -> list[str]:
    """The rows of a first frame, with the styles in them."""
    app: App[None] = App()
    for each in themes.ALL:
        app.register_theme(each)
    app.theme = theme
    app.get_css_variables()
    console = Console(color_system="truecolor", force_terminal=True, width=size.width)
    filters = [FewerColors(enabled=True)] if few else []
    drawn = first_frame(size, app.theme_variables, filters, console)
    empty, *parts = _ROW.split(drawn)
    assert empty == ""
    assert parts[::2] == [str(y) for y in range(1, size.height + 1)]
    return parts[1::2]


@pytest.mark.parametrize("colors", ["all", "256", "16"])
@pytest.mark.parametrize(
    "theme", [*themes.ALL, *BUILTIN_THEMES.values()], ids=lambda theme: theme.name
)
def test_it_fills_the_terminal_in_every_theme(theme: Theme, colors: str) -> None:
    """Words can be read, and no cell keeps the color of the shell."""
    drawn = rows(Size(140, 4), themes.for_colors(theme, colors), few=colors == "256")
    assert [len(_STYLE.sub("", row)) for row in drawn] == [140] * 4
    plain = _STYLE.sub("", drawn[0])
    assert plain.split() == ["chinwag", "opening…"]
    assert drawn[0].count("\x1b[") > 4, "each part has its style"


@pytest.mark.parametrize("width", [1, 9, 30, 70, 120])
def test_it_fits_into_small_terminals(width: int) -> None:
    drawn = rows(Size(width, 2), themes.DARK.name)
    assert [len(_STYLE.sub("", row)) for row in drawn] == [width] * 2


def test_a_variable_of_a_users_theme_can_be_anything() -> None:
    """Only the account screen resolves references to other variables; the first frame does without."""
    variables = {"text-muted": "$primary 50%", "panel": "nonsense"}
    theme = Theme("own", primary="#ffffff", variables=variables)
    app: App[None] = App()
    app.register_theme(theme)
    app.theme = theme.name
    app.get_css_variables()
    console = Console(color_system="truecolor", force_terminal=True)
    assert "opening…" in first_frame(Size(80, 2), app.theme_variables, [], console)
