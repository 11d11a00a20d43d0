"""A server on a socket: when it leaves by itself, and what it does with bodies nobody asked for."""

import asyncio
from pathlib import Path

import httpx

from server_lite.config import Settings, Timing
from server_lite.server import running
from server_lite.store import keys
from server_lite.store.database import Tx
from tests.live import CHEAP, UNLIMITED, live

QUICK = Timing(upkeep=0.01)


async def test_it_leaves_when_nobody_is_connected_and_not_before(tmp_path: Path) -> None:
    """The local server stays while somebody's poll waits, and goes a while after they left."""
    settings = Settings(
        db=tmp_path / "team.db",
        dev=True,
        exit_when_idle=0.05,
        timing=QUICK,
        passwords=CHEAP,
        limits=UNLIMITED,
    )
    async with running(settings, signals=False) as (server, url):
        key = keys.new_key()

        def sign_up(tx: Tx) -> None:
            tx.run(
                "INSERT INTO user (email, full_name, role, date_joined) VALUES ('a@b', 'A', 400, 0)"
            )
            keys.insert(tx, 2, key, "test", 0)

        await server.app.database.write(sign_up)
        async with httpx.AsyncClient(base_url=f"{url}/api/v1/", auth=("a@b", key)) as http:
            queue = (await http.post("register", data={"event_types": '["message"]'})).json()
            asked = {name: queue[name] for name in ("queue_id", "last_event_id")}
            poll = asyncio.create_task(http.get("events", params=asked))
            done, _ = await asyncio.wait({poll}, timeout=0.2)
            assert not done
            assert not server.leaving.is_set()
            poll.cancel()
            await asyncio.gather(poll, return_exceptions=True)
        await asyncio.wait_for(server.leaving.wait(), 5)


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
