"""The field for several lines that dialogs have."""

import pytest
from textual.app import App, ComposeResult

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
