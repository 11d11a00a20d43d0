"""What is behind a dialog: the screen below, dimmed as Textual dims it, and again where it changes."""

from collections.abc import Iterable

import pytest
from textual._context import visible_screen_stack
from textual.app import App, ComposeResult
from textual.containers import Vertical
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from tui.frames import FrameCompositor
from tui.screens.dialogs.base import Dialog


class Card(Dialog[str]):
    """A card of some lines."""

    CSS = "Card > Vertical { width: 20 !important; height: 6 !important; }"

    def compose(self) -> ComposeResult:
        """The card."""
        yield Vertical(id="card")


class Below(App[None]):
    """Lines of some colors."""

    CSS = "#red { color: red; background: navy; } Static { text-style: bold; }"

    def compose(self) -> ComposeResult:
        """Twenty of them."""
        yield Static("the [$warning on navy]first[/] [@click=app.bell]line[/]", id="red")
        for number in range(2, 21):
            yield Static(f"line {number}", id=f"line{number}")


def _textuals(dialog: Dialog[str], below: Screen[object]) -> list[list[tuple[str, object]]]:
    token = visible_screen_stack.set([below])
    try:
        dialog._dirty_regions.add(dialog.region)
        dialog._styles_cache.clear()
        return _seen(Widget.render_lines(dialog, dialog.region))
    finally:
        visible_screen_stack.reset(token)


def _seen(strips: Iterable[Strip]) -> list[list[tuple[str, object]]]:
    return [
        [
            (sign, style and (style.color, style.bgcolor, style.bold, style.link))
            for text, style, _ in strip
            for sign in text
        ]
        for strip in strips
    ]


async def test_the_screen_below_is_dimmed_as_by_textual(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where it changes, and where the card uncovers it."""
    monkeypatch.setattr("textual.screen.Compositor", FrameCompositor)
    app, dialog = Below(), Card()
    async with app.run_test(size=(40, 16)) as pilot:
        below = app.screen
        await app.push_screen(dialog)
        await pilot.pause()
        assert _seen(dialog.render_lines(dialog.region)) == _textuals(dialog, below)
        app.screen_stack[0].query_one("#line2", Static).update("second", layout=False)
        await pilot.pause()
        assert _seen(dialog.render_lines(dialog.region)) == _textuals(dialog, below)
        dialog.query_one("#card").styles.height = 2
        await pilot.pause()
        assert _seen(dialog.render_lines(dialog.region)) == _textuals(dialog, below)
        assert app.screen._compositor.render_strips()[5].text.startswith("line 6 ")


async def test_a_change_behind_two_dialogs_shows_through_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one in between keeps its rows, too."""
    monkeypatch.setattr("textual.screen.Compositor", FrameCompositor)
    app = Below()
    async with app.run_test(size=(40, 16)) as pilot:
        await app.push_screen(Card())
        await app.push_screen(Card())
        await pilot.pause()
        app.screen_stack[0].query_one("#line10", Static).update("second", layout=False)
        await pilot.pause()
        assert app.screen._compositor.render_strips()[9].text.startswith("second ")
