"""Changes of many messages go in slices: others are served in between, and what was cut short can go on."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server_lite.actions import flags as flag_actions
from server_lite.actions import message_deletion, message_moves
from server_lite.endpoints import flags, message_edits
from server_lite.errors import Unavailable
from server_lite.store.database import Database, Tx
from tests.live import Live, Person, live, until
from tests.unit.server_lite.endpoints.test_flags import unread
from tests.unit.server_lite.endpoints.test_messages import history, say, two


@pytest.fixture(autouse=True)
def _small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three messages are many."""
    monkeypatch.setattr(message_moves, "SLICE", 3)
    monkeypatch.setattr(message_edits, "SLICE", 3)
    monkeypatch.setattr(message_deletion, "SLICE", 3)
    monkeypatch.setattr(flag_actions, "SLICE", 3)
    monkeypatch.setattr(flags, "AT_ONCE", 3)


async def topic_of(ann: Person, count: int, name: str = "tea") -> list[int]:
    """A topic with some messages."""
    return [await say(ann, str(number), topic=name) for number in range(count)]


class Commits:
    """Counts changes, and makes the one with a given number fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, database: Database) -> None:
        self.count = 0
        self.fails: int | None = None
        self.waits: int | None = None
        self.go_on = asyncio.Event()
        write = database.write

        async def counted(fn: Callable[[Tx], Any]) -> Any:
            self.count += 1
            if self.count == self.fails:
                raise Unavailable("The power went.")
            if self.count == self.waits:
                await self.go_on.wait()
            return await write(fn)

        monkeypatch.setattr(database, "write", counted)


async def in_topic(person: Person, topic: str) -> list[int]:
    """Messages of a topic, without what the server says there."""
    found = await history(person, narrow=[["channel", "general"], ["topic", topic]])
    return [one["id"] for one in found if one["sender_full_name"] != "Notification Bot"]


async def test_a_topic_moves_in_parts_and_others_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part is told with its own messages; what others send meanwhile is stored between two parts."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = await topic_of(ann, 10)
        queue = await bob.post("register", event_types=["update_message", "message"])
        commits = Commits(monkeypatch, server.app.database)
        commits.waits = 2
        moving = asyncio.create_task(
            ann.patch(f"messages/{ids[0]}", topic="coffee", propagate_mode="change_all")
        )
        await until(lambda: commits.count == 2)
        await say(bob, "meanwhile", topic="lunch")
        commits.go_on.set()
        assert (await moving)["result"] == "success"
        events = await bob.events(queue)
        moved = [one["message_ids"] for one in events if one["type"] == "update_message"]
        assert sorted(message_id for part in moved for message_id in part) == ids
        assert max(map(len, moved)) <= 4
        assert ids[0] in moved[-1]
        said = [one["message"]["content"] for one in events if one["type"] == "message"]
        assert "meanwhile" in said[0]
        assert "This topic was moved here from" in said[-1]
        assert await in_topic(bob, "coffee") == ids
        found = await history(bob, narrow=[["search", "coffee"]])
        assert {one["id"] for one in found} >= set(ids)
        assert all(one["edit_history"][0]["prev_topic"] == "tea" for one in found[:10])


async def test_a_move_that_was_cut_short_goes_on_when_it_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a crash in the middle some messages are here and some there; the same request ends it."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = await topic_of(ann, 10)
        queue = await bob.post("register", event_types=["update_message"])
        commits = Commits(monkeypatch, server.app.database)
        commits.fails = 3
        asked = {"topic": "coffee", "propagate_mode": "change_all"}
        assert (await ann.patch(f"messages/{ids[0]}", **asked))["status"] == 503
        here, there = await in_topic(bob, "tea"), await in_topic(bob, "coffee")
        assert ids[0] in here
        assert there
        assert sorted([*here, *there]) == ids
        assert (await ann.patch(f"messages/{ids[0]}", **asked))["result"] == "success"
        assert await in_topic(bob, "coffee") == ids
        told = [one["message_ids"] for one in await bob.events(queue)]
        assert sorted(message_id for part in told for message_id in part) == ids


async def test_a_move_sent_twice_under_one_key_is_made_once(tmp_path: Path) -> None:
    """Who repeats a move because its answer got lost gets that answer, not an error."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = await topic_of(ann, 5)
        queue = await bob.post("register", event_types=["update_message"])
        form = {"topic": "coffee", "propagate_mode": "change_all"}
        headers = {"Idempotency-Key": "a key"}
        answers = [
            (await ann.http.patch(f"messages/{ids[0]}", data=form, headers=headers)).json()
            for _ in range(2)
        ]
        assert answers[0] == answers[1]
        assert answers[0]["result"] == "success"
        assert len(await bob.events(queue)) == 2


async def test_a_topic_is_respelt_at_once_and_annotated_in_slices(tmp_path: Path) -> None:
    """Topics that differ in case are one: all its messages are told together, their history follows."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = await topic_of(ann, 8)
        queue = await bob.post("register", event_types=["update_message"])
        await ann.patch(f"messages/{ids[5]}", topic="TEA", propagate_mode="change_one")
        (told,) = await bob.events(queue)
        assert (told["message_ids"], told["subject"]) == (ids, "TEA")
        found = await history(bob, narrow=[["channel", "general"], ["topic", "tea"]])
        assert [len(one["edit_history"]) for one in found if one["id"] in ids] == [1] * 8


async def test_a_topic_is_deleted_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One request deletes all of a topic; each part is told for itself."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        await server.app.database.write(
            lambda tx: tx.run("UPDATE user SET role = 100 WHERE id = ?", ann.id)
        )
        ids = await topic_of(ann, 8)
        queue = await bob.post(
            "register",
            event_types=["delete_message"],
            client_capabilities={"bulk_message_deletion": True},
        )
        commits = Commits(monkeypatch, server.app.database)
        answer = await ann.post("streams/1/delete_topic", topic_name="tea")
        assert answer["complete"]
        told = [one["message_ids"] for one in await bob.events(queue)]
        assert sorted(message_id for part in told for message_id in part) == ids
        assert commits.count == len(told) == 2
        assert await in_topic(bob, "tea") == []


ASKED: list[tuple[str, dict[str, Any]]] = [
    ("mark_all_as_read", {}),
    ("mark_stream_as_read", {"stream_id": 1}),
    ("mark_topic_as_read", {"stream_id": 1, "topic_name": "tea"}),
    ("messages/flags", {"messages": "all", "op": "add", "flag": "read"}),
    (
        "messages/flags/narrow",
        {
            "anchor": "oldest",
            "num_before": 0,
            "num_after": 100,
            "narrow": [["topic", "tea"]],
            "op": "add",
            "flag": "read",
        },
    ),
]


@pytest.mark.parametrize(("path", "asked"), ASKED)
async def test_much_is_marked_as_read_in_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, asked: dict[str, Any]
) -> None:
    """My other client hears of every message; a crash in the middle leaves both agreeing."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = await topic_of(ann, 8)
        if asked.get("messages") == "all":
            asked = asked | {"messages": ids}
        queue = await bob.post("register", event_types=["update_message_flags"])
        commits = Commits(monkeypatch, server.app.database)
        commits.fails = 2
        assert (await bob.post(path, **asked))["status"] == 503
        read = await told_read(bob, queue)
        assert 0 < len(read) < 8
        assert await unread_ids(bob) == set(ids) - read
        assert (await bob.post(path, **asked))["result"] == "success"
        read |= await told_read(bob, queue)
        assert "all" in read or read == set(ids)
        assert await unread_ids(bob) == set()


async def told_read(person: Person, queue: dict[str, Any]) -> set[Any]:
    """What a client heard that was read."""
    found: set[Any] = set()
    for event in await person.events(queue):
        found |= {"all"} if event["all"] else set(event["messages"])
    return found


async def unread_ids(person: Person) -> set[int]:
    """What register says is unread."""
    places = (await unread(person))["streams"]
    return {message_id for place in places for message_id in place["unread_message_ids"]}


async def statements_of_a_move(server: Live, people: int) -> int:
    """How many SQL statements it takes to rename a topic in a channel with so many people in it."""
    ann, _ = await two(server)
    others = [await server.person(f"Person {number}") for number in range(people)]
    emails = [one.email for one in others]
    await ann.post("users/me/subscriptions", subscriptions=[{"name": "general"}], principals=emails)
    ids = await topic_of(ann, 3)
    seen: list[str] = []

    def trace(_cursor: Any, sql: str, _bindings: Any) -> bool:
        seen.append(sql)
        return True

    writer = server.app.database._writer
    writer.exec_trace = trace
    await ann.patch(
        f"messages/{ids[0]}",
        topic="coffee",
        propagate_mode="change_all",
        send_notification_to_new_thread=False,
    )
    writer.exec_trace = None
    return sum(sql.startswith(("SELECT", "UPDATE", "DELETE")) for sql in seen)


async def test_a_move_does_not_cost_more_for_more_people(tmp_path: Path) -> None:
    """Who reads the same is told by one event, found by the same few statements."""
    counts = []
    for people in (2, 8):
        folder = tmp_path / str(people)
        folder.mkdir()
        async with live(folder) as server:
            counts.append(await statements_of_a_move(server, people))
    assert counts[0] == counts[1]
