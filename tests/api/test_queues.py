"""Registering over the wire: what a queue may ask of every event."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from server_lite.config import Limits
from server_lite.store.users import Role
from tests.api.test_messages import say, two
from tests.live import live


async def test_a_queue_stores_little_of_what_it_is_asked(tmp_path: Path) -> None:
    """What is looked at for each event is short, whatever a client sends; it filters as ever."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        queue = await ann.post(
            "register",
            event_types=orjson.dumps(["message"] * 50 + ["no_such_type"] * 50).decode(),
            narrow=orjson.dumps([["is", "dm"]] * 100).decode(),
        )
        stored = server.app.database.read(
            lambda db: orjson.loads(
                db.value("SELECT options FROM queue WHERE id = ?", queue["queue_id"])
            )
        )
        assert (stored["event_types"], stored["narrow"]) == (["message"], [["is", "dm"]])


@pytest.mark.parametrize(
    "asked",
    [
        {"event_types": ["message"] * 201},
        {"event_types": ["m" * 101]},
        {"narrow": [["is", "dm"]] * 101},
        {"narrow": [["topic", "t" * 501]]},
    ],
)
async def test_a_queue_that_asks_for_more_is_refused(tmp_path: Path, asked: dict[str, Any]) -> None:
    """Too long a list is an error that names the parameter, and makes no queue."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        before = server.app.database.read(lambda db: db.value("SELECT count(*) FROM queue"))
        answer = await ann.post(
            "register", **{k: orjson.dumps(v).decode() for k, v in asked.items()}
        )
        assert next(iter(asked)) in answer["msg"]
        assert server.app.database.read(lambda db: db.value("SELECT count(*) FROM queue")) == before


async def test_a_bot_hears_of_all_public_channels_if_it_asks(tmp_path: Path) -> None:
    """A log of everything public, without being in each channel; never of what is private."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        eve = await server.person("Eve")
        await ann.post("channels/create", name="shut", subscribers=[ann.id], invite_only=True)
        gus = await server.person("Gus", role=Role.GUEST)
        wide = await eve.post("register", all_public_streams=True, event_types=["message"])
        guest = await gus.post("register", all_public_streams=True, event_types=["message"])
        plain = await eve.post("register", event_types=["message"])
        sent = await say(ann)
        await ann.post("messages", type="stream", to="shut", topic="t", content="secret")
        assert [event["message"]["id"] for event in await eve.events(wide)] == [sent]
        assert await eve.events(plain) == []
        assert await gus.events(guest) == []


@pytest.mark.parametrize(
    ("asked", "kept"), [(None, 600), (90, 90), ("mobile", 12 * 3600), (10**9, 7 * 24 * 3600)]
)
async def test_a_queue_is_kept_for_as_long_as_it_says(
    tmp_path: Path, asked: int | str | None, kept: int
) -> None:
    """A phone that sleeps for days finds its queue again; nobody keeps one for ever."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        options = {} if asked is None else {"idle_queue_timeout": asked}
        queue = await ann.post("register", **options)
        assert queue["idle_queue_timeout_secs"] == kept
        refused = await ann.post("register", idle_queue_timeout=0)
        assert refused["msg"] == "idle_queue_timeout must be positive"


async def test_polls_are_limited_only_where_they_repeat(tmp_path: Path) -> None:
    """A client that acknowledges is served at any rate; one that asks for the same again is told to wait."""
    async with live(tmp_path, limits=Limits(requests_per_minute=30)) as server:
        ann, _ = await two(server)
        queue = await ann.post("register", event_types=["message"])
        await say(ann, "hello")
        asked = {"queue_id": queue["queue_id"], "last_event_id": -1, "dont_block": True}
        answers = [await ann.get("events", **asked) for _ in range(40)]
        assert answers[0]["events"][0]["message"]["content"] == "hello"
        assert answers[-1]["code"] == "RATE_LIMIT_HIT"
        asked["last_event_id"] = answers[0]["events"][-1]["id"]
        assert (await ann.get("events", **asked))["result"] == "success"
