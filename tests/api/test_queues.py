"""Registering over the wire: what a queue may ask of every event."""

import asyncio
from base64 import b64encode
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest

from server_lite.config import Limits, Timing
from server_lite.store.users import Role
from tests import response_contract
from tests.api.test_messages import say, two
from tests.faults.laptop import laptop
from tests.live import live, until


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


async def test_events_come_in_one_long_answer(tmp_path: Path) -> None:
    """A line each, as a poll's answer has them, through proxies that would hold them back; it ends cleanly."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        queue = await ann.post("register", event_types=["message"])
        assert queue["event_stream"] is True
        asked = {"queue_id": queue["queue_id"], "last_event_id": -1, "event_stream": "true"}
        async with ann.http.stream("GET", "events", params=asked | {"new": "x"}) as answer:
            assert answer.headers["content-type"] == "application/x-ndjson"
            assert answer.headers["x-accel-buffering"] == "no"
            assert "content-encoding" not in answer.headers
            lines = answer.aiter_lines()
            first = orjson.loads(await anext(lines))
            assert (first["events"], first["ignored_parameters_unsupported"]) == ([], ["new"])
            response_contract.check("GET", "events", 200, first)
            sent = [await say(ann, "x" * 3000) for _ in range(3)]
            told: list[int] = []
            while len(told) < 3:
                events = orjson.loads(await anext(lines))["events"]
                assert (await ann.get("events", **asked | {"queue_id": "no"}))["status"] == 400
                for event in events:
                    response_contract.check_event(event)
                    told.append(event["message"]["id"])
            assert told == sent
            server.server.leave()
            assert [line async for line in lines] == []


@pytest.mark.parametrize(
    ("verb", "version", "more"),
    [("HEAD", "1.1", ""), ("GET", "1.0", ""), ("GET", "1.1", "&dont_block=true")],
    ids=["HEAD", "HTTP/1.0", "dont_block"],
)
async def test_a_stream_is_a_poll_where_no_line_could_be_sent(
    tmp_path: Path, verb: str, version: str, more: str
) -> None:
    """An old proxy reads until the length that it was told."""
    async with live(tmp_path, timing=Timing(heartbeat=0.0)) as server:
        ann, _ = await two(server)
        queue = await ann.post("register", event_types=["message"])
        key = b64encode(f"{ann.email}:{ann.key}".encode()).decode()
        place = urlsplit(server.url)
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        try:
            path = f"/api/v1/events?queue_id={queue['queue_id']}&last_event_id=-1&event_stream=true"
            writer.write(
                f"{verb} {path}{more} HTTP/{version}\r\nHost: {place.netloc}\r\nConnection: close\r\n"
                f"Authorization: Basic {key}\r\n\r\n".encode()
            )
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        finally:
            writer.transport.abort()
        assert b"content-type: application/json\r\n" in head
        assert b"transfer-encoding" not in head
        assert bool(body) == (verb == "GET")


async def test_twenty_messages_cost_our_client_one_request(tmp_path: Path) -> None:
    """A message to everybody in a large organization is not a request of everybody."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        async with laptop(server.url, ann, tmp_path / "laptop") as there:
            sent = [await say(ann) for _ in range(20)]
            await until(lambda: there.store.max_message_id == sent[-1])
            (queue,) = server.app.queues._of(ann.id)
            assert queue.requests == 1
