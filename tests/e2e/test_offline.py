"""Without a server: what was seen can be read and searched, and is checked when the server is back."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from server_lite.server import running
from tests.e2e.client import playing
from tests.e2e.messages import say
from tests.e2e.team import KETTLE, team
from tests.live import live
from tui.narrow import AllMessages, Search, TopicNarrow
from tui.narrow.terms import Term


async def test_what_was_seen_is_read_and_found_offline(tmp_path: Path) -> None:
    """A topic that was never opened, and a search, come from the disk, then from the server."""
    (tmp_path / "server").mkdir()
    async with AsyncExitStack() as while_it_runs:
        server = await while_it_runs.enter_async_context(live(tmp_path / "server"))
        ann, ben, tea = await team(server)
        await say(ben, "who brings milk?", topic="milk")
        milk = TopicNarrow(tea.channel_id, "milk")
        async with playing(server, ann, tmp_path) as a:
            await a.sees(lambda: a.texts == [KETTLE, "who brings milk?"])
            await while_it_runs.aclose()
            await a.sees(lambda: a.is_cut_off)
            await a.go(milk)
            assert a.texts == ["who brings milk?"]
            await a.go(Search((Term("search", "kettle"),)))
            assert a.texts == [KETTLE]
            notices = a.app._notifications
            await a.sees(lambda: any("kept on this machine" in each.message for each in notices))
            a.screen.account.go(Search((Term("search", "teapot"),)))
            messages = a.screen.panes.messages
            await a.sees(lambda: "no matches in the messages kept" in messages._empty)
            await a.go(Search((Term("search", "kettle"),)))
            again = replace(server.settings, port=urlsplit(server.url).port or 0)
            async with running(again, signals=False):
                await a.sees(lambda: not a.is_cut_off)
                borrowed = a.screen.account.session.store.messages.has_borrowed
                await a.sees(
                    lambda: not borrowed(a.screen.account.open_narrow.narrow or AllMessages())
                )
                await a.sees(lambda: a.texts == [KETTLE])
                await a.go(milk)
                assert a.texts == ["who brings milk?"]
                assert not borrowed(milk)
