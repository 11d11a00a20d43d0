"""`n` shows all that is unread, a screen after the other, and only what was shown counts as read."""

from pathlib import Path

import pytest

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import channel, team
from tests.live import Live, until
from tui.narrow import TopicNarrow
from tui.screens import news

SAID = 8


def _ends(player: AppDriver) -> set[int]:
    """Messages whose last word is on screen."""
    shown = player.screen.panes.messages
    lines = [
        "".join(segment.text for segment in shown.render_line(row))
        for row in range(shown.size.height)
    ]
    return {number for number in range(SAID) if any(f"end{number}" in line for line in lines)}


@pytest.mark.parametrize("size", [(80, 24), (40, 12)])
@pytest.mark.parametrize("words", [3, 31])
async def test_nothing_is_read_that_was_not_shown_and_n_shows_it(
    server: Live, tmp_path: Path, size: tuple[int, int], words: int
) -> None:
    """Mentions that are cut off at the fold stay unread until their end was on screen; `n` goes to
    another conversation when this one was shown to its end."""
    ann, ben, tea = await team(server)
    milk = TopicNarrow(await channel(ann, "milk", ann, ben), "oat")
    ids = []
    for number in range(SAID):
        text = f"start{number} {'@**Ann** word ' * (words + number)}end{number}"
        sent = await ben.post("messages", type="stream", to="design", topic="tea", content=text)
        ids.append(sent["id"])
    await ben.post("messages", type="stream", to="milk", topic="oat", content="later")
    async with playing(server, ann, tmp_path, size=size) as a:
        store = a.screen.account.session.store
        a.screen.panes.messages.focus()
        await a.press("n")
        await until(lambda: a.screen.account.open_narrow.is_shown(tea))
        seen: set[int] = set()
        for _ in range(60):
            await a.pilot.pause()
            if a.screen.account.open_narrow.narrow != tea:
                break
            seen |= _ends(a)
            unread = {ids.index(each) for each in store.unread_ids(tea) if each in ids}
            assert unread >= set(range(SAID)) - seen, "read, and its end was not on screen"
            await a.press("n")
        await until(lambda: a.screen.account.open_narrow.is_shown(milk))
        assert seen == set(range(SAID))
        await until(lambda: not store.unread_ids(tea))


async def test_of_many_that_come_at_once_only_those_on_screen_are_read(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A burst fills more than a screen: what went by above it stays unread, and is marked so."""
    ann, ben, tea = await team(server)
    monkeypatch.setattr(news, "FRAME_SECONDS", 60.0)  # the burst is shown as one
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        shown, store = a.screen.panes.messages, a.screen.account.session.store
        shown.focus()
        sent = [
            await ben.post("messages", type="stream", to="design", topic="tea", content=f"n {n}")
            for n in range(40)
        ]
        await until(lambda: store.max_message_id == sent[-1]["id"])
        a.screen.account._news._post()
        await until(lambda: shown.items[-1].key == sent[-1]["id"])
        await a.pilot.pause()
        unread = {row.message_id for row in a.rows if row.is_unread}
        assert unread == store.unread_ids(tea)
        assert unread, "some went by above the screen"
        assert not any(map(shown.shows, unread))
        assert unread < {each["id"] for each in sent}
