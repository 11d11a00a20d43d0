"""Themes of the whole application."""

from pathlib import Path

import pytest
from textual.design import ColorSystem

from tui.app import ChinwagApp
from tui.config import Folders, Settings


def test_the_colors_of_a_theme_are_computed_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A start waits for those of the chosen theme, and not for those of Textual's; a new theme has its own."""
    computed: list[object] = []
    generate = ColorSystem.generate

    def note(system: ColorSystem) -> dict[str, str]:
        computed.append(system)
        return generate(system)

    monkeypatch.setattr(ColorSystem, "generate", note)
    folders = Folders(config=tmp_path, data=tmp_path, state=tmp_path, cache=tmp_path)
    app = ChinwagApp(folders=folders, settings=Settings(theme="nord"), zuliprc=None)
    variables = app.get_css_variables()
    assert app.stylesheet._variables == app.theme_variables == variables
    assert app.get_css_variables() == variables
    assert len(computed) == 1
    app.theme = "dracula"
    assert app.get_css_variables()["primary"] != variables["primary"]
    assert len(computed) == 2
