"""`n` shows all that is unread, a screen after the other, and only what was shown counts as read."""

from pathlib import Path

import pytest

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import channel, team
from tests.live import Live, until
from tui.narrow import TopicNarrow

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
