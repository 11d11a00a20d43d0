"""Answers get lost on the way: asking again does nothing twice, and nothing is missed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from server_lite.store.users import Role
from tests.faults.proxy import Proxy, proxied
from tests.live import Live, Person, live


@asynccontextmanager
async def wired(folder: Path) -> AsyncIterator[tuple[Live, Person, Proxy, httpx.AsyncClient]]:
    """A server, somebody on it, and their client behind a wire that can lose answers."""
    async with live(folder) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.post("users/me/subscriptions", subscriptions=[{"name": "general"}])
        async with (
            proxied(server.url) as proxy,
            httpx.AsyncClient(
                base_url=f"{proxy.url}/api/v1/", auth=(ann.email, ann.key), trust_env=False
            ) as http,
        ):
            yield server, ann, proxy, http


async def _until_answered(
    http: httpx.AsyncClient, verb: str, path: str, **request: Any
) -> dict[str, Any]:
    while True:
        try:
            answer: dict[str, Any] = (await http.request(verb, path, **request)).json()
        except httpx.TransportError:
            continue
        return answer


def _message(text: str, **more: str) -> dict[str, str]:
    return {"type": "stream", "to": "general", "topic": "t", "content": text, **more}


async def test_a_message_whose_answer_was_lost_is_sent_once(tmp_path: Path) -> None:
    """On a bad line I press enter once, and the others read it once."""
    async with wired(tmp_path) as (server, ann, proxy, http):
        queue = await ann.post("register", event_types=["message"])
        proxy.losing = 3
        local = {"queue_id": queue["queue_id"], "local_id": "7.01"}
        answer = await _until_answered(
            http,
            "POST",
            "messages",
            data=_message("hello", **local),
            headers={"Idempotency-Key": "k1"},
        )
        assert proxy.lost == 3
        assert answer["result"] == "success"
        (event,) = await ann.events(queue)
        assert event["message"]["id"] == answer["id"]
        assert event["local_message_id"] == "7.01"
        other = await server.person("Bob")
        elsewhere = httpx.BasicAuth(other.email, other.key)
        changed = await http.post("messages", data=_message("x"), headers={"Idempotency-Key": "k1"})
        assert changed.status_code == 400
        theirs = await http.post(
            "messages", data=_message("hello"), headers={"Idempotency-Key": "k1"}, auth=elsewhere
        )
        assert theirs.json()["id"] != answer["id"]


async def test_the_same_send_many_times_at_once_is_one_message(tmp_path: Path) -> None:
    """A client that loses patience and asks again while the first is under way sends one message."""
    async with wired(tmp_path) as (_, ann, _, http):
        queue = await ann.post("register", event_types=["message"])
        answers = await asyncio.gather(
            *(
                http.post("messages", data=_message("hello"), headers={"Idempotency-Key": "k"})
                for _ in range(32)
            )
        )
        assert len({answer.json()["id"] for answer in answers}) == 1
        assert len(await ann.events(queue)) == 1


async def test_events_whose_answer_was_lost_come_again(tmp_path: Path) -> None:
    """What happened while my line was bad is there when it is good again."""
    async with wired(tmp_path) as (_, ann, proxy, http):
        queue = await ann.post("register", event_types=["message"])
        sent, heard = [], []
        for number in range(6):
            sent.append((await ann.post("messages", **_message(f"m{number}")))["id"])
            proxy.losing = number % 3
            answer = await _until_answered(
                http,
                "GET",
                "events",
                params={
                    "queue_id": queue["queue_id"],
                    "last_event_id": queue["last_event_id"],
                    "dont_block": "true",
                },
            )
            heard += [event["message"]["id"] for event in answer["events"]]
            queue["last_event_id"] = answer["events"][-1]["id"]
        assert proxy.lost == 6
        assert heard == sent
