"""Catching up: the inbox with its first lines, and the conversations of late."""

from pathlib import Path

import pytest

from tests.e2e.client import AppDriver, playing
from tests.e2e.messages import say, whisper
from tests.e2e.team import KETTLE, channel, team
from tests.live import live
from tui.api.model import UserId
from tui.commands import snapshots
from tui.config import Settings
from tui.content.extracts import plain_text
from tui.content.parse import parse
from tui.narrow import DmNarrow, TopicNarrow
from tui.store import messages
from tui.widgets.hint_line import HintLine


def _lines(player: AppDriver) -> list[str]:
    rows = player.screen.panes.overview.items
    return [f"{row.topic or row.place}: {row.line}" for row in rows if row.conversation]


def _hints(player: AppDriver) -> list[str]:
    return [label for _, label in player.screen.query_one(HintLine).hints]


async def test_catching_up_from_the_inbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """F4 lists what is unread with its first lines; one key reads, Enter opens, Back returns.

    What is quoted is asked for again when it was forgotten meanwhile.
    """
    monkeypatch.setattr(snapshots, "FIRST_SECONDS", 600.0)  # it fetches what is unread, too
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await say(ben, "who brings milk?", topic="milk")
        await say(ben, "I do", topic="milk")
        await whisper(ben, ann, "lunch?")
        unread = Settings(mark_read=False)
        async with playing(server, ann, tmp_path, settings=unread, size=(80, 24)) as a:
            milk = TopicNarrow(tea.channel_id, "milk")
            await a.go(milk)
            a.screen.panes.messages.focus()
            await a.press("f4")
            await a.sees(
                lambda: (
                    _lines(a) == ["Ben: lunch?", "milk: who brings milk?", "tea: is the kettle on?"]
                )
            )
            await a.sees(lambda: _hints(a)[:3] == ["Mark read", "Mute", "Jump"])
            await a.press("r")
            await a.sees(lambda: _lines(a)[0].startswith("milk"))
            await a.sees(lambda: _hints(a)[:3] == ["Mark read", "Mute", "Follow"])
            known = a.screen.account.session.store.messages
            known._trim_above = 0
            monkeypatch.setattr(messages, "MOST_IN_WINDOWS", 0)
            monkeypatch.setattr(messages, "KEPT_ARRIVALS", 1)
            known.trim([milk])
            assert KETTLE not in {plain_text(parse(each.content)) for each in known.by_id.values()}
            await say(ben, "never mind", topic="new")
            await a.sees(lambda: {"new: never mind", "tea: is the kettle on?"} <= set(_lines(a)))
            await a.press("enter")
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(milk))
            assert a.screen.panes.messages.has_focus
            await a.press("alt+left")
            await a.sees(lambda: a.screen.account.overviews.opened == "inbox")


async def test_recent_conversations_are_listed_read_or_not(tmp_path: Path) -> None:
    """The last comes first, direct messages among the topics; and what was said before one joined."""
    async with live(tmp_path) as server:
        ann, ben, _ = await team(server)
        garden = await channel(ben, "garden", ben)
        await say(ben, "it rains", to="garden", topic="weather")
        await channel(ben, "garden", ann)
        await whisper(ann, ben, "lunch?")
        await say(ann, "I do", topic="milk")
        async with playing(server, ann, tmp_path) as a:
            a.screen.panes.messages.focus()
            await a.press("alt+t")
            await a.sees(lambda: _lines(a)[:3] == ["milk: I do", "Ben: lunch?", _lines(a)[2]])
            await a.sees(lambda: "weather: it rains" in _lines(a))
            assert garden in a.screen.account.session.store.topics.complete
            ids = frozenset({UserId(ann.id), UserId(ben.id)})
            await a.pilot.click(a.screen.panes.overview, offset=(8, 2))
            await a.sees(lambda: a.screen.account.open_narrow.is_shown(DmNarrow(ids)))
