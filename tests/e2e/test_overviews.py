"""Catching up: the inbox with its first lines, and the conversations of late."""

from pathlib import Path

from tests.e2e.client import AppDriver, playing
from tests.e2e.messages import say, whisper
from tests.e2e.team import channel, team
from tests.live import live
from tui.api.model import UserId
from tui.config import Settings
from tui.narrow import DmNarrow, TopicNarrow


def _lines(player: AppDriver) -> list[str]:
    rows = player.screen.panes.overview.items
    return [f"{row.topic or row.place}: {row.line}" for row in rows if row.conversation]


async def test_catching_up_from_the_inbox(tmp_path: Path) -> None:
    """F4 lists what is unread with its first lines; one key reads, Enter opens, Back returns."""
    async with live(tmp_path) as server:
        ann, ben, tea = await team(server)
        await say(ben, "who brings milk?", topic="milk")
        await say(ben, "I do", topic="milk")
        await whisper(ben, ann, "lunch?")
        unread = Settings(mark_read=False)
        async with playing(server, ann, tmp_path, settings=unread, size=(80, 24)) as a:
            a.screen.panes.messages.focus()
            await a.press("f4")
            await a.sees(
                lambda: (
                    _lines(a) == ["Ben: lunch?", "milk: who brings milk?", "tea: is the kettle on?"]
                )
            )
            await a.press("r")
            await a.sees(lambda: _lines(a)[0].startswith("milk"))
            await say(ben, "never mind", topic="new")
            await a.sees(lambda: "new: never mind" in _lines(a))
            await a.press("enter")
            milk = TopicNarrow(tea.channel_id, "milk")
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
