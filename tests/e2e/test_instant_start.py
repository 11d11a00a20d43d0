"""The next start waits for nothing: the last screen is there before the server, and offline too."""

import asyncio
import os
import signal
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from rich.style import Style
from textual.css.stylesheet import Stylesheet
from textual.dom import DOMNode
from textual.geometry import Region
from textual.screen import Screen

from server_lite.server import running
from server_lite.store.instance_lock import Lock, ServerInfo, server_info
from server_lite.store.users import Role
from tests.e2e.client import AppDriver, folders
from tests.live import Live, Person, live, until
from tui.accounts import Account, write_zuliprc
from tui.api.model import ChannelId
from tui.app import ChinwagApp
from tui.cache import snapshots
from tui.commands.sign_in import local_zuliprc
from tui.config import Folders, Settings
from tui.narrow import AllMessages, DmNarrow, Narrow, TopicNarrow
from tui.screens.account_screen import AccountScreen
from tui.screens.chat_panes import ChatPanes
from tui.sync.status import Live as IsLive
from tui.widgets.title_bar import TitleBar


@asynccontextmanager
async def starting(
    url: str,
    person: Person,
    folder: Path,
    *,
    narrow: str | None = None,
    size: tuple[int, int] = (110, 30),
) -> AsyncIterator[AppDriver]:
    """The app as it starts, wherever it opens, whether the server answers or not."""
    places = folders(folder, person.email)
    zuliprc = places.config / "test.zuliprc"
    write_zuliprc(zuliprc, Account(site=url, email=person.email, key=person.key))
    app = ChinwagApp(folders=places, settings=Settings(), zuliprc=zuliprc, narrow=narrow)
    async with app.run_test(size=size) as pilot:
        yield AppDriver(app, pilot)


def place(player: AppDriver) -> Narrow | None:
    """What the main screen opened; None before there is one."""
    mains = [screen for screen in player.app.screen_stack if isinstance(screen, AccountScreen)]
    return mains[0].account.open_narrow.narrow if mains else None


def is_open(player: AppDriver) -> bool:
    """Whether some conversation is on screen."""
    narrow = place(player)
    return narrow is not None and player.screen.account.open_narrow.is_shown(narrow)


async def closed(player: AppDriver) -> None:
    """Leave as with Ctrl+Q, and wait until everything is on the disk."""
    player.screen.workers.cancel_group(player.screen, "session")
    await until(lambda: not any(w.group == "session" for w in player.app.workers))


async def team(server: Live) -> tuple[Person, TopicNarrow]:
    """Ann and Ben in a channel; Ben wrote on two topics of it."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben")
    await ann.post(
        "users/me/subscriptions",
        subscriptions=[{"name": "design"}],
        principals=[ann.id, ben.id],
        send_new_subscription_messages=False,
    )
    for topic, text in (("shapes", "round or square?"), ("tea", "is the kettle on?")):
        await ben.post("messages", type="stream", to="design", topic=topic, content=text)
    answer = await ann.get("get_stream_id", stream="design")
    return ann, TopicNarrow(ChannelId(answer["stream_id"]), "tea")


async def say(url: str, person: Person, content: str) -> None:
    """On the topic of tea, to a server that is another process of the same file."""
    auth = (person.email, person.key)
    async with httpx.AsyncClient(base_url=f"{url}/api/v1/", auth=auth, trust_env=False) as http:
        again = replace(person, http=http)
        await again.post("messages", type="stream", to="design", topic="tea", content=content)


async def test_without_a_server_the_last_conversation_is_there(tmp_path: Path) -> None:
    """After one run the next shows the same place offline; the server comes, and all is live."""
    (tmp_path / "server").mkdir()
    async with AsyncExitStack() as while_it_runs:
        server = await while_it_runs.enter_async_context(live(tmp_path / "server"))
        ann, tea = await team(server)
        async with starting(server.url, ann, tmp_path) as player:
            await player.sees(lambda: is_open(player))
            await player.go(tea)
            await player.sees(lambda: player.texts == ["is the kettle on?"])
            await closed(player)
        await while_it_runs.aclose()
        async with starting(server.url, ann, tmp_path) as player:
            await player.sees(lambda: is_open(player))
            assert place(player) == tea
            assert player.texts == ["is the kettle on?"]
            await player.sees(lambda: player.is_cut_off)
            again = replace(server.settings, port=urlsplit(server.url).port or 0)
            async with running(again, signals=False):
                await player.press("f12")  # need not wait for the next attempt
                await player.sees(lambda: not player.is_cut_off)
                await say(server.url, ann, "now")
                await player.sees(lambda: player.texts == ["is the kettle on?", "now"])


async def test_what_is_on_the_disk_is_drawn_before_the_network(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last conversation is there while nothing was asked yet. Its screen is the only one that is made, and
    each widget gets its looks once, or twice.
    """
    ann, tea = await team(server)
    async with starting(server.url, ann, tmp_path) as player:
        await player.sees(lambda: is_open(player))
        await player.go(tea)
        await player.sees(lambda: player.texts == ["is the kettle on?"])
        await closed(player)
    monkeypatch.setattr("tui.screens.account_controller.FRAME_SECONDS", 3600.0)
    styled: list[DOMNode] = []
    apply = Stylesheet.apply

    def note(self: Stylesheet, node: DOMNode, **named: Any) -> None:
        styled.append(node)
        apply(self, node, **named)

    monkeypatch.setattr(Stylesheet, "apply", note)
    async with starting(server.url, ann, tmp_path) as player:
        await player.sees(lambda: is_open(player) and player.texts == ["is the kettle on?"])
        assert "http" not in vars(player.screen.account.session.sync.connection)
        widgets = [node for node in styled if node.screen is player.screen]
        assert len(widgets) <= 2 * len(set(widgets))
        assert {node for node in styled if isinstance(node, Screen)} == {player.screen}


def cells(screen: Screen[Any], region: Region) -> list[tuple[int, int, str, str, str]]:
    """Each cell of a region on screen: line, column, character, color, background."""
    return [
        (y, x, character, str(style.color) if character.strip() else "", str(style.bgcolor))
        for y, row in enumerate(screen._compositor.render_strips())
        for x, (character, style) in enumerate(
            (character, segment.style or Style()) for segment in row for character in segment.text
        )
        if region.contains(x, y)
    ]


@pytest.mark.parametrize("size", [(110, 30), (80, 24), (160, 45)])
async def test_the_composer_comes_without_a_change_on_screen(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """It is made after the first frame, or by the first key that needs it; its place looks the same before."""
    monkeypatch.setattr(ChatPanes, "make_composer", lambda _: None)
    ann, tea = await team(server)
    async with starting(
        server.url, ann, tmp_path, narrow="channel:design topic:tea", size=size
    ) as player:
        await player.sees(lambda: is_open(player) and place(player) == tea)
        await player.sees(lambda: player.texts == ["is the kettle on?"])
        await player.pilot.pause()
        screen, panes = player.screen, player.screen.panes
        there = panes.composer_place.region
        before = cells(screen, there)
        assert panes.composer_place.is_empty
        assert panes.composer.parent is panes.middle
        await player.pilot.pause()
        assert panes.composer.region == there
        pairs = zip(before, cells(screen, there), strict=True)
        assert [(old, new) for old, new in pairs if old != new] == []
        await player.press("c", *"yes")
        assert panes.composer.text == "yes"


async def test_keys_that_come_with_the_first_frame_are_written(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys typed with the first frame go into the composer, though it is not there yet."""
    monkeypatch.setattr(ChatPanes, "make_composer", lambda _: None)
    ann, tea = await team(server)
    async with starting(server.url, ann, tmp_path, narrow="channel:design topic:tea") as player:
        await player.sees(lambda: is_open(player) and place(player) == tea)
        assert player.screen.panes.composer_place.is_empty
        await player.press("c", *"yes, it is")
        assert player.screen.panes.composer.text == "yes, it is"


async def test_a_topic_moved_meanwhile_is_opened_where_it_went(
    server: Live, tmp_path: Path
) -> None:
    """Resolved while the client was closed: it starts among the messages, with the draft for them."""
    ann, tea = await team(server)
    resolved = TopicNarrow(tea.channel_id, "✔ tea")
    async with starting(server.url, ann, tmp_path) as player:
        await player.sees(lambda: is_open(player))
        await player.go(tea)
        await player.sees(lambda: player.texts == ["is the kettle on?"])
        await player.press("c", *"soon")
        player.screen.account.keep_draft()
        await closed(player)
    page = await ann.get(
        "messages", anchor="newest", num_before=1, num_after=0, narrow=[["topic", "tea"]]
    )
    (message,) = page["messages"]
    await ann.patch(
        f"messages/{message['id']}", topic="✔ tea", propagate_mode="change_all",
        send_notification_to_old_thread=False, send_notification_to_new_thread=False,
    )  # fmt: skip
    async with starting(server.url, ann, tmp_path) as player:
        await player.sees(lambda: is_open(player) and place(player) == resolved)
        await player.sees(lambda: player.texts == ["is the kettle on?"])
        assert player.screen.panes.composer.text == "soon"
        assert player.screen.account.composing.place == resolved


async def test_a_place_never_seen_offline_is_filled_when_the_server_is_back(tmp_path: Path) -> None:
    """Opened without a server it says why it is empty; with one it fills without a keystroke."""
    (tmp_path / "server").mkdir()
    async with AsyncExitStack() as while_it_runs:
        server = await while_it_runs.enter_async_context(live(tmp_path / "server"))
        ann, tea = await team(server)
        async with starting(server.url, ann, tmp_path, narrow="is:dm") as player:
            await player.sees(lambda: is_open(player))
            await closed(player)
        await while_it_runs.aclose()
        async with starting(server.url, ann, tmp_path, narrow="channel:design topic:tea") as player:
            await player.sees(lambda: place(player) == tea)
            again = replace(server.settings, port=urlsplit(server.url).port or 0)
            async with running(again, signals=False):
                bar = player.screen.panes.title_bar
                bar.show_connection("offline: retrying in 40 s", "trouble", " · F12 to retry")
                await player.pilot.click(TitleBar, offset=(bar.size.width - 5, 0))
                await player.sees(lambda: player.texts == ["is the kettle on?"])


async def test_what_is_unread_can_be_read_offline(tmp_path: Path) -> None:
    """Conversations with something unread are fetched before anybody opens them."""
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server") as server:
        ann, tea = await team(server)
        async with starting(server.url, ann, tmp_path, narrow="is:starred") as player:
            await player.sees(lambda: is_open(player))
            keeper = player.screen.account.session.snapshots
            await keeper.refill()
            keeper.save()
            assert tea in player.screen.account.session.store.messages.windows
    (file,) = (tmp_path / ann.email / "cache").rglob("snapshot.json")
    kept = snapshots.load(file)
    assert kept is not None
    assert kept.messages.window(tea).at(None) is not None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_the_first_start_opens_what_is_to_be_read(tmp_path: Path) -> None:
    """New to an organization one begins at the first unread conversation, not in the feed of all."""
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server") as server:
        ann, tea = await team(server)
        async with starting(server.url, ann, tmp_path) as player:
            await player.sees(lambda: is_open(player))
            assert place(player) == tea


async def test_a_narrow_on_the_command_line_opens_there(tmp_path: Path) -> None:
    """`--narrow` names a conversation in words; an unknown channel is told, and the rest goes on."""
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server") as server:
        ann, _ = await team(server)
        words = "channel:design topic:shapes"
        async with starting(server.url, ann, tmp_path, narrow=words) as player:
            await player.sees(lambda: is_open(player))
            assert player.texts == ["round or square?"]
        async with starting(server.url, ann, tmp_path, narrow="") as player:
            await player.sees(lambda: is_open(player))
            assert place(player) == AllMessages()
        notes = f"dm:{ann.email}"
        async with starting(server.url, ann, tmp_path, narrow=notes) as player:
            await player.sees(lambda: is_open(player))
            assert isinstance(place(player), DmNarrow)
        async with starting(server.url, ann, tmp_path, narrow="channel:nowhere") as player:
            await player.sees(lambda: is_open(player))
            await player.sees(lambda: isinstance(player.screen.account.session.sync.status, IsLive))
            notices = player.app._notifications
            unmatched = ["No channel matches “nowhere”."]
            await player.sees(lambda: [each.message for each in notices] == unmatched)
            assert isinstance(place(player), DmNarrow)  # where they were last


WRITES = """
import sys
from pathlib import Path
from tests import eg
from tui.cache import snapshots
from tui.store import Store
store = Store.from_snapshot(eg.snapshot(users=tuple(eg.user(i) for i in range(1, 300))))
print(flush=True)
while True:
    snapshots.save(Path(sys.argv[1]), store, [])
"""


async def test_a_kill_while_saving_leaves_what_was_saved(tmp_path: Path) -> None:
    """kill -9 in the middle of a write: the cache is whole, and its leftovers are swept away."""
    file = tmp_path / "snapshot.json"
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WRITES, str(file), stdout=asyncio.subprocess.PIPE
    )
    assert writer.stdout is not None
    await writer.stdout.readline()
    await until(file.exists)
    await until(lambda: any(tmp_path.glob(".snapshot-*")))
    writer.send_signal(signal.SIGKILL)
    await writer.wait()
    kept = snapshots.load(file)
    assert kept is not None
    assert len(kept.users.by_id) == 299
    snapshots.sweep(file)
    assert os.listdir(tmp_path) == ["snapshot.json"]


@asynccontextmanager
async def at_home(folder: Path) -> AsyncIterator[tuple[Folders, Path, ServerInfo]]:
    """A machine with its own server running: folders, the owner's account, and the server."""
    home = folders(folder, "home")
    zuliprc = await local_zuliprc(home)
    db = home.data / "chinwag.db"
    first = server_info(db)
    assert first is not None
    try:
        yield home, zuliprc, first
    finally:
        os.kill((server_info(db) or first).pid, signal.SIGTERM)
        lock = Lock(db)
        await until(lock.take)
        lock.release()


async def test_a_killed_local_server_is_back_by_itself(tmp_path: Path) -> None:
    """The server of this machine dies; the open app starts it, on the same port, without a key."""
    async with at_home(tmp_path) as (home, zuliprc, first):
        app = ChinwagApp(folders=home, settings=Settings(), zuliprc=zuliprc)
        async with app.run_test(size=(110, 30)) as pilot:
            player = AppDriver(app, pilot)
            await player.sees(lambda: is_open(player))
            opened = place(player)
            assert isinstance(opened, TopicNarrow)
            assert opened.topic == "1. start here"
            await player.sees(lambda: not player.is_cut_off)
            os.kill(first.pid, signal.SIGKILL)
            await player.sees(lambda: player.is_cut_off)
            await until(lambda: not player.is_cut_off, seconds=20)
            await until(lambda: _running(home) not in (0, first.pid))
            assert player.screen.account.session.site == first.url
            await closed(player)


def _running(home: Folders) -> int:
    note = server_info(home.data / "chinwag.db")
    return note.pid if note is not None else 0
