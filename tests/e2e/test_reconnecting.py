"""The server goes away and comes back: the client keeps what one writes, and needs no key pressed."""

from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from server_lite.server import running
from server_lite.store.users import Role
from tests.e2e.client import playing
from tests.e2e.endpoints import uses
from tests.live import live
from tui.api.model import UserId
from tui.narrow import DmNarrow, Narrow, Search, Term
from tui.store.windows import Window
from tui.sync.status import Live
from tui.view.rows import EchoRow


@uses("POST /register")
async def test_what_was_written_without_a_server_is_sent_when_it_is_back(tmp_path: Path) -> None:
    """Offline a message waits and says so; once the server answers, it is there, once."""
    (tmp_path / "server").mkdir()
    async with AsyncExitStack() as while_it_runs:
        server = await while_it_runs.enter_async_context(live(tmp_path / "server"))
        ann = await server.person("Ann", role=Role.OWNER)
        notes = DmNarrow(frozenset({UserId(ann.id)}))
        async with playing(server, ann, tmp_path) as player:
            await player.go(notes)
            await while_it_runs.aclose()
            await player.sees(lambda: player.is_cut_off)
            player.screen.panes.composer.load_text("remember the milk")
            player.screen.panes.composer.focus()
            await player.press("enter")
            await player.sees(lambda: isinstance(player.screen.panes.messages.items[-1], EchoRow))
            assert player.screen.panes.composer.text == ""
            again = replace(server.settings, port=urlsplit(server.url).port or 0)
            async with running(again, signals=False):
                await player.sees(lambda: [row.sender for row in player.rows] == ["Ann"])
                await player.sees(lambda: not player.is_cut_off)
                assert player.texts == ["remember the milk"]


async def test_what_was_dropped_while_the_server_was_away_is_loaded_when_it_is_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where it went away while it was asked whether a new message matches a search."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("messages", type="direct", to=[ann.id], content="fresh milk")
        search = Search((Term("search", "milk"),))
        async with playing(server, ann, tmp_path) as player:
            await player.go(search)
            account = player.screen.account
            account.session.store.messages.windows[search] = Window()
            assert account.open_narrow.is_lost
            opened: list[Narrow] = []
            with monkeypatch.context() as patched:
                patched.setattr(account, "_open", opened.append)
                account.show_status(Live())
            assert opened == [search]
            account.show_status(Live())
            await player.sees(lambda: player.texts == ["fresh milk"])
