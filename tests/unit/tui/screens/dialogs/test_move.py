"""Moving messages: every field is reached by the arrows, and the last line says what Enter does."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.widgets import Button, Input, RadioSet

from tests.live import until
from tests.unit.tui.screens.dialogs.asking import asking
from tui.api.model import ChannelId
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.move import MoveDialog
from tui.view.moves import Move
from tui.widgets.hint_line import HintLine

TEA, SOUP = ChannelId(1), ChannelId(2)
CHANNELS = [Choice(value=TEA, label="#tea"), Choice(value=SOUP, label="#soup")]
START = Move(channel_id=TEA, topic="green", reach="change_one")


async def _enter(channel_id: ChannelId) -> None:
    """As for a channel that is loaded."""


@asynccontextmanager
async def _moving() -> AsyncIterator[tuple[Any, Pilot[None], MoveDialog]]:
    dialog = MoveDialog(
        START,
        CHANNELS,
        longest=60,
        summary=lambda move: "" if move.topic == START.topic else f"Moves to {move.topic}.",
        enter=_enter,
        topics=lambda _: ["green", "greenhouse"],
    )
    async with asking(dialog) as (app, pilot):
        yield app, pilot, dialog


def _hints(dialog: MoveDialog) -> list[tuple[str, str]]:
    return dialog.query_one(HintLine).hints


async def test_the_hint_of_enter_is_there_when_it_moves_something() -> None:
    """It names the key that sends the move, only in the field where it does."""
    async with _moving() as (app, pilot, dialog):
        assert _hints(dialog) == [("Esc", "Close")]
        await pilot.press("enter")
        assert app.answers == []
        await pilot.press("s")
        await pilot.pause()
        assert _hints(dialog) == [("Enter", "Move"), ("Esc", "Close")]
        await pilot.press("down")
        await pilot.pause()
        assert _hints(dialog) == [("Space", "Toggle"), ("Esc", "Close")]
        await pilot.press("enter", "up", "enter")
        assert [(move.topic, move.tell_new) for move in app.answers] == [("s", not START.tell_new)]


async def test_the_arrows_go_through_all_fields() -> None:
    """From the topic up to what is moved, and back down to the notices."""
    async with _moving() as (_, pilot, dialog):

        def focused() -> str | None:
            return dialog.focused.id if dialog.focused else None

        assert focused() == "topic"
        await pilot.press("up")
        assert focused() == "channel"
        await pilot.press("up")
        assert focused() == "reach"
        await pilot.press("down", "down", "enter")
        assert dialog.query_one(RadioSet).pressed_index == 2
        await pilot.press("down", "down")
        assert focused() == "topic"
        await pilot.press("down", "down")
        assert focused() == "tell_old"


async def test_an_arrow_in_the_topic_stays_in_its_text() -> None:
    """Left and right move the cursor; → at the end accepts the suggestion."""
    async with _moving() as (_, pilot, dialog):
        field = dialog.query_one("#topic", Input)
        await pilot.press("end", "h")
        await pilot.pause()
        await pilot.press("right")
        assert field.value == "greenhouse"


async def test_a_letter_on_the_channel_opens_the_channels_that_have_it() -> None:
    """As in forms: a letter opens the list of channels, as Enter does."""
    async with _moving() as (app, pilot, dialog):
        await pilot.press("up", *"so")
        await until(lambda: app.screen is not dialog)
        await pilot.press("enter")
        await until(lambda: app.screen is dialog)
        assert "#soup" in str(dialog.query_one("#channel", Button).label)
