"""Dialogs for one line: Enter takes it, and the last line says so."""

from zoneinfo import ZoneInfo

from textual.widgets import Input, Static

from tests.unit.tui.screens.dialogs.asking import asking
from tui.screens.dialogs.datetime_prompt import Moment, MomentPrompt
from tui.screens.dialogs.prompt import Prompt
from tui.view.times import Times
from tui.widgets.hint_line import HintLine

HINTS = [("Enter", "OK"), ("Esc", "Close")]


async def test_what_was_typed_is_the_answer() -> None:
    dialog = Prompt("Go to a day", hint="yesterday · 10d")
    async with asking(dialog) as (app, pilot):
        assert dialog.query_one(HintLine).hints == HINTS
        await pilot.press("1", "d", "enter")
        assert app.answers == ["1d"]


async def test_what_cannot_be_used_stays_to_be_corrected() -> None:
    """The error stands below it until the next letter."""
    dialog = Prompt("Day", hint="10d", trouble=lambda text: "" if text == "2w" else f"{text}?")
    async with asking(dialog) as (app, pilot):
        trouble = dialog.query_one("#trouble", Static)
        await pilot.press("w", "enter")
        assert (str(trouble.content), trouble.display, app.answers) == ("w?", True, [])
        await pilot.press("home", "2")
        await pilot.pause()
        assert not trouble.display
        await pilot.press("enter")
        assert app.answers == ["2w"]


async def test_a_moment_is_typed_or_chosen() -> None:
    """Enter stays where the words mean nothing, or what is over."""
    for keys, at in (("tomorrow 8:00", 28_800.0 + 86_400), ("tab", 3_600.0)):
        dialog = MomentPrompt("Send to tea", times=Times(zone=ZoneInfo("UTC")), clock=lambda: 0.0)
        async with asking(dialog) as (app, pilot):
            assert dialog.query_one(HintLine).hints == HINTS
            await pilot.press("x", "enter", "backspace")
            assert app.answers == []
            if keys == "tab":
                await pilot.press("tab", "down", "enter")
            else:
                await pilot.press(*keys, "enter")
            assert app.answers == [Moment(at=at)]


async def test_a_time_that_is_over_is_named() -> None:
    """Words for the past are understood, so that a slip shows what it means; others get an example."""
    dialog = MomentPrompt("Send to tea", times=Times(zone=ZoneInfo("UTC")), clock=lambda: 90_000.0)
    async with asking(dialog) as (app, pilot):
        meant = dialog.query_one("#meant", Static)
        await pilot.press(*"yesterday 8:00", "enter")
        assert str(meant.content).startswith("In the past: Thursday, 1 Jan")
        dialog.query_one("#when", Input).value = "soon"
        await pilot.press("enter")
        assert str(meant.content) == "Not a time. Type, for example, tomorrow 9 or +2h."
        assert app.answers == []
