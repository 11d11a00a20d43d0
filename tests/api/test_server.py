"""A server on a socket: when it leaves by itself, and what it does with bodies nobody asked for."""

import asyncio
import socket
from base64 import b64encode
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from server_lite.actions.users import create_user
from server_lite.config import Settings
from server_lite.server import running, stop_accepting
from server_lite.store import keys
from server_lite.store.database import Tx
from server_lite.store.users import Role
from tests.live import CHEAP, UNLIMITED, live, until


@pytest.mark.parametrize("streams", [False, True], ids=["poll", "stream"])
async def test_it_leaves_when_nobody_is_connected_and_not_before(
    tmp_path: Path, streams: bool
) -> None:
    """The local server stays while somebody's poll waits, and goes when they have left."""
    settings = Settings(
        db=tmp_path / "team.db", exit_when_idle=0.0, passwords=CHEAP, limits=UNLIMITED
    )
    async with running(settings, signals=False) as (server, url):
        key = await server.app.database.write(sign_up)
        async with httpx.AsyncClient(base_url=f"{url}/api/v1/", auth=("a@b", key)) as http:
            queue = (await http.post("register", data={"event_types": '["message"]'})).json()
            asked = {name: queue[name] for name in ("queue_id", "last_event_id")}
            asked["event_stream"] = streams
            poll = asyncio.create_task(http.get("events", params=asked))
            await until(lambda: server.app.queues.waiting == 1)
            await server.app.maintenance.run_once()
            assert not server.leaving.is_set()
            poll.cancel()
            await until(lambda: server.app.queues.waiting == 0)
        await server.app.maintenance.run_once()
        assert server.leaving.is_set()


async def test_who_was_accepted_as_the_server_left_is_closed(tmp_path: Path) -> None:
    """The kernel had accepted it, uvicorn had already closed the others: it would hold up the end."""
    settings = Settings(db=tmp_path / "team.db", passwords=CHEAP, limits=UNLIMITED)
    async with running(settings, signals=False) as (server, _):
        pass
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(
            lambda: server.config.http_protocol_class(  # type: ignore[call-arg]  # as uvicorn calls it
                config=server.config, server_state=server.server_state, app_state={}
            ),
            ours,
        )
        async with asyncio.timeout(5):
            assert await loop.sock_recv(theirs, 1) == b""


async def test_who_is_accepted_as_the_server_closes_is_a_connection_first() -> None:
    """asyncio loses it otherwise: the socket stays open, and the other end waits for as long."""
    made: list[asyncio.BaseTransport] = []

    class Counted(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            made.append(transport)

    server = await asyncio.get_running_loop().create_server(Counted, "127.0.0.1", 0)
    with socket.create_connection(server.sockets[0].getsockname()):
        await asyncio.sleep(0)
        await asyncio.sleep(0)  # it is accepted in the turn that follows
        await stop_accepting([server])
        server.close()
        assert len(made) == 1
        made[0].close()
        await server.wait_closed()


async def test_a_request_that_never_ends_does_not_keep_its_connection(tmp_path: Path) -> None:
    """Graceful has an end; afterwards nothing is left open."""
    settings = Settings(db=tmp_path / "team.db", passwords=CHEAP, limits=UNLIMITED)
    async with running(settings, signals=False) as (server, url):
        server.config.timeout_graceful_shutdown = 0
        key = await server.app.database.write(sign_up)
        known = b64encode(f"a@b:{key}".encode()).decode()
        place = urlsplit(url).netloc
        reader, writer = await asyncio.open_connection(*place.split(":"))
        head = (
            f"POST /api/v1/messages HTTP/1.1\r\nHost: {place}\r\nAuthorization: Basic {known}\r\n"
        )
        writer.write(f"{head}Content-Length: 9\r\n\r\n".encode())
        await until(lambda: bool(server.server_state.tasks))
    assert await reader.read() == b""
    writer.close()
    assert not server.server_state.connections


def sign_up(tx: Tx) -> str:
    """An account a@b; returns its key."""
    user = create_user(tx, email="a@b", full_name="A", role=Role.MEMBER, password=None)
    key = keys.new_key()
    keys.insert(tx, user.id, key, "test", tx.now)
    return key


async def test_a_refused_upload_does_not_spoil_the_connection(tmp_path: Path) -> None:
    """A body that nobody reads neither hangs the client nor reaches the next request."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        stranger = server.client()
        body = b"GET /api/v1/users/me HTTP/1.1\r\n\r\n" * 20_000
        refused = await stranger.post("messages", content=body)
        assert refused.status_code == 401
        assert (await stranger.get("server_settings")).status_code == 200
        too_large = await ann.http.post("messages", content=b"x" * 2_000_000)
        assert (too_large.status_code, too_large.json()["code"]) == (413, "REQUEST_TOO_LARGE")
        assert (await ann.get("users/me"))["user_id"] == ann.id


async def test_another_version_is_told_to_who_stayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client whose queue outlived an upgrade hears of it, and of a mere restart nothing."""
    settings = Settings(db=tmp_path / "team.db", passwords=CHEAP, limits=UNLIMITED)
    auth = ("", "")
    queue: dict[str, Any] = {}
    for version, expected in (("1", []), ("1", []), ("2", ["restart"])):
        monkeypatch.setattr("server_lite.actions.server.VERSION", version)
        async with running(settings, signals=False) as (server, url):
            if not queue:
                auth = ("a@b", await server.app.database.write(sign_up))
            async with httpx.AsyncClient(base_url=f"{url}/api/v1/", auth=auth) as http:
                queue = queue or (await http.post("register")).json()
                asked = {name: queue[name] for name in ("queue_id", "last_event_id")}
                told = await http.get("events", params=asked | {"dont_block": "true"})
                events = told.json()["events"]
                assert [event["type"] for event in events] == expected
                assert all(event["server_generation"] > 1_500_000_000 for event in events)
