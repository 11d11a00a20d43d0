"""The field of one line in which names are typed."""

import pytest
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Input

from tui.widgets.line_input import LineInput


class _App(App[None]):
    CSS = "LineInput { width: 12; padding: 0 1; border: none; height: 1; }"

    def compose(self) -> ComposeResult:
        yield LineInput(placeholder="a name", select_on_focus=False)


KEYS = "a b é left c home d end 漢 backspace shift+left right x space y z 1 2 3 4 ctrl+u q w"


async def test_a_letter_looks_as_if_its_row_was_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Borders, padding and colors of the row were a tenth of a letter in the list of conversations."""
    app = _App()
    rendered: list[str] = []
    render_line = Input.render_line

    def rendering(field: Input, y: int) -> Strip:
        rendered.append(field.value)
        return render_line(field, y)

    def drawn() -> list[tuple[str, Style | None]]:
        row = field.render_lines(Region(0, 0, field.outer_size.width, 1))[0]
        return [(each, style) for text, style, _ in row for each in text]

    async with app.run_test() as pilot:
        field = app.query_one(LineInput)
        field.cursor_blink = False
        field.focus()
        monkeypatch.setattr(Input, "render_line", rendering)
        for key in KEYS.split():
            await pilot.press(key)
            kept = drawn()
            rendered.clear()
            field.refresh(Region(0, 0, 10, 1))
            assert drawn() == kept, key
            if key in ("é", "c", "d", "y", "w"):
                assert not rendered
            field.refresh()
            assert drawn() == kept, key
