"""What is sent from a search or a feed does not vanish: it is seen, or it is said where it went."""

from contextlib import AsyncExitStack
from pathlib import Path

from tests.e2e.client import AppDriver, playing
from tests.e2e.messages import say
from tests.e2e.team import KETTLE, team, write
from tests.live import Live, live, until
from tui.narrow import AllMessages, Search
from tui.narrow.terms import Term

KETTLES = Search((Term("search", "kettle"),))


def _told(player: AppDriver, words: str) -> bool:
    return any(words in each.message for each in player.app._notifications)


async def _answer_from_a_search(a: AppDriver) -> None:
    await a.go(KETTLES)
    a.screen.panes.messages.focus()
    await a.press("k", "r")
    await write(a, "in a minute")


async def test_an_answer_from_a_search_says_where_it_went_and_leads_there(
    server: Live, tmp_path: Path
) -> None:
    """The search does not list it; `Alt+G` opens it."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await _answer_from_a_search(a)
        await until(lambda: _told(a, "Sent to #design › tea · Alt+G to open it"))
        await a.press("escape", "alt+g")
        await until(lambda: a.screen.account.open_narrow.is_shown(tea) and "in a minute" in a.texts)


async def test_an_answer_from_a_feed_is_seen_there(server: Live, tmp_path: Path) -> None:
    """The feed has it, at its end: nothing has to be said."""
    ann, _, _ = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(AllMessages())
        a.screen.panes.messages.focus()
        await a.press("k", "r")
        await write(a, "in a minute")
        await until(lambda: a.texts == [KETTLE, "in a minute"])
        assert not _told(a, "Sent")


async def test_what_is_sent_while_reading_back_is_seen_without_a_word(
    server: Live, tmp_path: Path
) -> None:
    """In the conversation itself its end comes into view: a notice would only cover it."""
    ann, ben, tea = await team(server)
    for number in range(40):
        await ben.post(
            "messages", type="stream", to="design", topic="tea", content=f"line {number}"
        )
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.messages.focus()
        await a.press("home")
        await until(lambda: not a.screen.panes.messages.at_tail)
        await write(a, "in a minute")
        await until(lambda: a.screen.panes.messages.at_tail and a.texts[-1] == "in a minute")
        assert not _told(a, "Sent")


async def test_an_answer_that_waits_for_the_server_is_told_so(tmp_path: Path) -> None:
    """Offline it is not sent, and nobody is to think that it was."""
    (tmp_path / "server").mkdir()
    async with AsyncExitStack() as while_it_runs:
        server = await while_it_runs.enter_async_context(live(tmp_path / "server"))
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path) as a:
            a.screen.account.session.archive.save()
            await while_it_runs.aclose()
            await until(lambda: a.is_cut_off)
            await _answer_from_a_search(a)
            await until(lambda: _told(a, "Not connected: will be sent to #design › tea"))
            await a.press("escape", "alt+g")
            await until(
                lambda: a.screen.account.open_narrow.is_shown(tea) and "in a minute" in a.texts
            )


async def test_offline_nothing_is_said_to_be_sent_from_further_up_either(tmp_path: Path) -> None:
    """I answer something old in a feed: my answer is out of sight at its end, and only waits."""
    (tmp_path / "server").mkdir()
    async with AsyncExitStack() as while_it_runs:
        server = await while_it_runs.enter_async_context(live(tmp_path / "server"))
        ann, ben, _ = await team(server)
        for number in range(12):
            await say(ben, f"cup {number}\n\nand its saucer")
        async with playing(server, ann, tmp_path, size=(80, 16)) as a:
            a.screen.account.session.archive.save()
            await while_it_runs.aclose()
            await until(lambda: a.is_cut_off)
            a.screen.panes.messages.focus()
            await a.press("home", "r")
            await write(a, "in a minute")
            await until(lambda: _told(a, "to #design › tea · End to see it"))
            assert not _told(a, "Sent")
