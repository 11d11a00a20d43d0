"""A conversation of any length: memory holds what is near the reader, and nothing is lost to them."""

import asyncio
from pathlib import Path

import pytest

from tests.e2e.client import idle, playing
from tests.e2e.messages import say
from tests.e2e.team import KETTLE, team
from tests.live import Live
from tui.store import messages


async def test_what_was_forgotten_is_there_where_one_goes(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many messages come: the rows kept are few, the place read at stays, and Home finds the first one."""
    for name, value in (
        ("LONGEST_STRETCH", 60),
        ("SHORTENED_STRETCH", 45),
        ("MOST_MESSAGES", 50),
        ("MOST_IN_WINDOWS", 20),
        ("MOST_IN_WINDOW", 15),
        ("KEPT_ARRIVALS", 10),
    ):
        monkeypatch.setattr(messages, name, value)
    ann, ben, tea = await team(server)
    async with playing(server, ann, tmp_path, size=(80, 14)) as a:
        await a.go(tea)
        await a.sees(lambda: a.texts == [KETTLE])
        for at in range(0, 75, 15):
            await asyncio.gather(*(say(ben, f"line {at + n}") for n in range(15)))
        store, view = a.screen.account.session.store, a.screen.panes.messages
        await a.sees(lambda: "line 74" in a.texts)
        assert view.at_tail
        assert len(a.rows) <= 60
        assert len(store.messages.by_id) <= 100
        while a.texts[:1] != [KETTLE]:
            await a.press("home")
            await idle(a)
        await a.press("home")
        place = view.position
        assert place is not None
        assert place.key == a.rows[0].message_id
        last = max(await asyncio.gather(*(say(ben, f"line {n}") for n in range(75, 90))))
        await a.sees(lambda: store.max_message_id == last)
        await idle(a)
        assert view.position == place
        await a.press("end")
        await a.sees(lambda: "line 89" in a.texts)
        assert view.at_tail
