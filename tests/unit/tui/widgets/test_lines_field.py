"""The field for several lines that dialogs have."""

import pytest
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import TextArea
from textual.widgets.text_area import TextAreaTheme

from tui.widgets.fewer_colors import FewerColors
from tui.widgets.lines_field import LinesField


class _App(App[None]):
    CSS = "LinesField { padding: 1 1 1 2; }"

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


@pytest.mark.parametrize("text", ["", "some words"])
async def test_a_terminal_of_hardly_any_columns_ends_nothing(text: str) -> None:
    """Padding takes all of them; the words are there in a wider one."""
    app = _App()
    async with app.run_test() as pilot:
        field = app.query_one(LinesField)
        field.placeholder = "words to write"
        field.load_text(text)
        for width in (3, 1, 2):
            await pilot.resize_terminal(width, 5)
            field.render_lines(field.size.region)
        await pilot.resize_terminal(30, 5)
        (row,) = field.render_lines(Region(0, 1, 30, 1))
        assert (text or "words to write") in row.text


async def test_the_cursor_stays_in_sight_in_a_narrower_terminal() -> None:
    """A long text has more lines there, and what I write at its end was below them."""
    app = _App()
    async with app.run_test(size=(60, 12)) as pilot:
        field = app.query_one(LinesField)
        field.load_text("words and more words " * 80 + "the end")
        field.focus()
        field.move_cursor(field.document.end)
        for width in (60, 40, 30, 50):  # the first is none: the field scrolls to its end
            await pilot.resize_terminal(width, 12)
            await pilot.pause()
            last_shown = field.scroll_offset.y + field.content_size.height
            assert last_shown == field.wrapped_document.height, width
            assert app.cursor_position.y == field.content_region.bottom - 1


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


KEYS = """
    x tab ( ) left left shift+left shift+up enter up backspace end delete a b c d e f g h i j k
    home down up shift+down shift+down x ctrl+z ctrl+z ctrl+a delete x y
"""


async def test_rows_that_are_kept_look_as_if_they_were_drawn_anew() -> None:
    """After each of many keys, in wrapped lines, with selections and brackets, and one screen of many rows."""
    app = _App()

    def drawn() -> list[list[tuple[str, Style | None]]]:
        """Each row alone, as after a key, by its characters."""
        width, height = field.outer_size
        rows = [field.render_lines(Region(0, y, width, 1))[0] for y in range(height)]
        return [[(each, style) for text, style, _ in row for each in text] for row in rows]

    async with app.run_test(size=(16, 8)) as pilot:
        field = app.query_one(LinesField)
        field.focus()
        field.cursor_blink = False
        field.load_text("some words that are wrapped (twice)\n\tand\n\nmore\nof\nit\nall")
        for key in KEYS.split():
            await pilot.press(key)
            kept = drawn()
            field.refresh()
            assert drawn() == kept, key
            assert drawn() == kept, key  # now with looks of rows that Textual drew


async def test_colors_that_depend_on_words_are_looked_for_each_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of 256 colors, a letter under the cursor has another one than a space there."""
    app = _App()
    filters = [*app.get_line_filters(), FewerColors()]
    monkeypatch.setattr(LinesField, "get_line_filters", lambda _: filters)
    async with app.run_test() as pilot:
        field = app.query_one(LinesField)
        field.focus()
        await pilot.press("x")
        field.render_lines(Region(0, 1, field.outer_size.width, 1))
        assert field._look is None


async def test_a_character_in_plain_text_is_drawn_without_textual(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Borders, padding, colors and filters of its row took a quarter of each character."""
    app = _App()
    async with app.run_test() as pilot:
        field = app.query_one(LinesField)
        field.focus()
        field.move_cursor(field.document.end)
        await pilot.press("x")
        rendered: list[int] = []
        render_line = TextArea.render_line

        def rendering(field: TextArea, y: int) -> Strip:
            rendered.append(y)
            return render_line(field, y)

        monkeypatch.setattr(TextArea, "render_line", rendering)
        assert field.styles.gutter.top
        for key, is_plain in (("y", True), ("ß", True), ("left", True), ("shift+left", False)):
            await pilot.press(key)
            rendered.clear()
            field.refresh(Region(0, 0, field.size.width, 1))
            row = field.render_lines(Region(0, 1, field.outer_size.width, 1))[0]
            assert row.text.strip() == field.text.strip()
            assert bool(rendered) is not is_plain
