"""The field for several lines that dialogs have."""

import pytest
from textual.app import App, ComposeResult
from textual.widgets.text_area import TextAreaTheme

from tui.widgets.lines_field import LinesField


class _App(App[None]):
    def compose(self) -> ComposeResult:
        yield LinesField("one", compact=True)


@pytest.mark.parametrize("key", ["enter", "alt+enter", "shift+enter", "ctrl+j"])
async def test_every_key_of_the_composer_breaks_the_line(key: str) -> None:
    """What is a line break where I write messages is one here, and saves nothing."""
    app = _App()
    async with app.run_test() as pilot:
        field = app.query_one(LinesField)
        field.focus()
        field.move_cursor(field.document.end)
        await pilot.press(key, "x")
        assert field.text == "one\nx"


async def test_a_character_computes_no_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven styles took a fifth of each character; another theme or focus computes them again."""
    computed: list[object] = []
    apply = TextAreaTheme.apply_css

    def applying(theme: TextAreaTheme, field: LinesField) -> None:
        computed.append(theme)
        apply(theme, field)

    monkeypatch.setattr(TextAreaTheme, "apply_css", applying)
    app = _App()
    async with app.run_test() as pilot:
        field = app.query_one(LinesField)
        field.focus()
        await pilot.press("x")
        computed.clear()
        await pilot.press("y", "z")
        assert not computed
        before = field._theme.base_style
        app.theme = "textual-light"
        await pilot.pause()
        assert computed
        assert field._theme.base_style != before
