"""Going to a moment of a conversation: a day, the first unread message."""

import time
from pathlib import Path

import pytest
from textual.widgets import Input

from tests.e2e.client import AppDriver, playing
from tests.e2e.messages import say
from tests.e2e.team import answered, asked, team
from tests.live import live
from tui.config import Settings
from tui.narrow import AllMessages
from tui.screens import account_controller
from tui.view.rows import DateRow, MessageRow


def _at(player: AppDriver) -> int:
    row = player.screen.panes.messages.selected
    return row.message_id if isinstance(row, MessageRow) else -1


async def test_a_day_and_the_first_unread_are_one_key_away(tmp_path: Path) -> None:
    """`g` and a day lead to its first message, `U` to the oldest that is unread."""
    async with live(tmp_path) as server:
        ann, ben, _ = await team(server)
        first = (await ann.get("messages", anchor="oldest", num_before=0, num_after=1))["messages"]
        await ann.post("messages/flags", messages=[first[0]["id"]], op="add", flag="read")
        unread = await say(ben, "milk?")
        await say(ben, "sugar?", topic="sugar")
        async with playing(server, ann, tmp_path, settings=Settings(mark_read=False)) as a:
            await a.go(AllMessages())
            a.screen.panes.messages.focus()
            await a.press("g", "d")
            await asked(a)
            a.app.screen.query_one(Input).value = "yesterday"
            await a.press("enter")
            await answered(a)
            await a.sees(lambda: _at(a) == first[0]["id"])
            await a.press("U")
            await a.sees(lambda: _at(a) == unread)


async def test_at_midnight_today_becomes_yesterday(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The app stays open over night: the lines between days and the lists say what day it was."""
    monkeypatch.setattr(account_controller, "TICK_SECONDS", 0.02)
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            assert _days(a) == ["Today"]
            a.screen.account.clock = lambda: time.time() + 24 * 3600
            await a.sees(lambda: _days(a) == ["Yesterday"])
            await a.press("alt+t")
            await a.sees(lambda: [":" in each for each in _times(a)] == [False])
            a.screen.account.clock = time.time
            await a.sees(lambda: [":" in each for each in _times(a)] == [True])


def _days(player: AppDriver) -> list[str]:
    return [row.text for row in player.screen.panes.messages.items if isinstance(row, DateRow)]


def _times(player: AppDriver) -> list[str]:
    return [row.time for row in player.screen.panes.overview.items if row.time]
