"""Changes of many messages go in slices: others are served in between."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server_lite.actions import flags as flag_actions
from server_lite.actions import message_deletion, message_moves
from server_lite.actions import profile_fields as profile_field_actions
from server_lite.endpoints import flags, message_edits, subscription_slices
from server_lite.errors import Unavailable
from server_lite.store import search_index
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role
from tests.api.test_flags import unread
from tests.api.test_messages import history, say, two
from tests.live import Live, Person, live, until


@pytest.fixture(autouse=True)
def _small_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three messages are many."""
    monkeypatch.setattr(message_moves, "SLICE", 3)
    monkeypatch.setattr(message_edits, "SLICE", 3)
    monkeypatch.setattr(message_deletion, "SLICE", 3)
    monkeypatch.setattr(flag_actions, "SLICE", 3)
    monkeypatch.setattr(flags, "AT_ONCE", 3)
    monkeypatch.setattr(subscription_slices, "SLICE", 3)
    costs = {"MOST": 3, "COST_OF_CHANNEL": 2, "COST_OF_TELLING": 2, "COST_OF_AUDIENCE": 0}
    for name, cost in costs.items():
        monkeypatch.setattr(subscription_slices, name, cost)


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

        async def counted(fn: Callable[[Tx], Any], **kwargs: Any) -> Any:
            self.count += 1
            if self.count == self.fails:
                raise Unavailable("The power went.")
            if self.count == self.waits:
                await self.go_on.wait()
            return await write(fn, **kwargs)

        monkeypatch.setattr(database, "write", counted)


async def in_topic(person: Person, topic: str) -> list[int]:
    """Messages of a topic, without what the server says there."""
    messages = await history(person, narrow=[["channel", "general"], ["topic", topic]])
    return [one["id"] for one in messages if one["sender_full_name"] != "Notification Bot"]


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
        messages = await history(bob, narrow=[["search", "coffee"]])
        assert {one["id"] for one in messages} >= set(ids)
        assert all(one["edit_history"][0]["prev_topic"] == "tea" for one in messages[:10])


async def test_long_messages_move_in_smaller_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their words are indexed again, unless they stay the same: a hundred Chinese ones take half a second."""
    monkeypatch.setattr(search_index, "BYTES_AT_ONCE", 1)
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = await topic_of(ann, 5)
        queue = await bob.post("register", event_types=["update_message"])
        for topic, sizes in (("coffee", [1, 1, 1, 2]), ("coffee!", [2, 3])):
            await ann.patch(
                f"messages/{ids[0]}",
                topic=topic,
                propagate_mode="change_all",
                send_notification_to_new_thread=False,
            )
            moved = [one["message_ids"] for one in await bob.events(queue)]
            assert sorted(message_id for part in moved for message_id in part) == ids
            assert [*map(len, moved)] == sizes
            messages = await history(bob, narrow=[["search", "coffee"]])
            assert {one["id"] for one in messages} >= set(ids)
            assert await in_topic(bob, topic) == ids


async def test_who_follows_a_topic_follows_it_to_its_new_name_some_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moving 5,000 policies at once held all others; a move that was cut short moves the rest when it is repeated."""
    monkeypatch.setattr(message_moves, "POLICIES", 1)

    def followed(tx: Tx) -> list[str]:
        return tx.column("SELECT name FROM user_topic ORDER BY user_id")

    async with live(tmp_path) as server:
        ann, bob = await two(server)
        (message_id,) = await topic_of(ann, 1)
        for person in (ann, bob):
            await person.post("user_topics", stream_id=1, topic="tea", visibility_policy=3)
        for name, before in (("coffee", "tea"), ("COFFEE", "coffee")):
            commits = Commits(monkeypatch, server.app.database)
            commits.fails = 2
            asked = {"topic": name, "propagate_mode": "change_all"}
            assert (await ann.patch(f"messages/{message_id}", **asked))["status"] == 503
            assert server.app.database.read(followed) == [name, before]
            assert await in_topic(ann, before) == [message_id]
            assert (await ann.patch(f"messages/{message_id}", **asked))["result"] == "success"
            assert server.app.database.read(followed) == [name, name]


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
        messages = await history(bob, narrow=[["channel", "general"], ["topic", "tea"]])
        assert [len(one["edit_history"]) for one in messages if one["id"] in ids] == [1] * 8


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
        assert commits.count == len(told) == 3
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
    message_ids: set[Any] = set()
    for event in await person.events(queue):
        message_ids |= {"all"} if event["all"] else set(event["messages"])
    return message_ids


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


def channels_of(events: list[dict[str, Any]], me: int, told: set[int]) -> set[int]:
    """Who is in a channel, by what a client was told since it registered; each once."""
    user_ids = set(told)
    for event in events:
        match event.get("op"):
            case "add" if event["type"] == "subscription":
                (one,) = event["subscriptions"]
                assert me not in user_ids
                user_ids = set(one["subscribers"])
            case "remove" if event["type"] == "subscription":
                user_ids.remove(me)
            case "peer_add":
                assert user_ids.isdisjoint(event["user_ids"])
                user_ids |= set(event["user_ids"])
            case "peer_remove":
                assert user_ids.issuperset(event["user_ids"])
                user_ids -= set(event["user_ids"])
    return user_ids


async def crowd(server: Live, count: int) -> list[Person]:
    """Some people who are in no channel."""
    return [await server.person(f"Person {number}") for number in range(count)]


SUBSCRIBING = ("subscription", "stream")


async def test_many_join_and_leave_in_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever joins, leaves or looks on knows at every end who is in the channel; others are served between."""
    async with live(tmp_path) as server:
        ann, bob = await two(server, "lobby")
        people = await crowd(server, 7)
        await ann.post("channels/create", name="tea", subscribers=[])
        asked = {
            "subscriptions": [{"name": "tea", "color": "#123456"}],
            "principals": [one.id for one in people],
        }
        queues = {
            one.id: await one.post("register", event_types=SUBSCRIBING, include_subscribers=True)
            for one in (bob, *people)
        }
        commits = Commits(monkeypatch, server.app.database)
        commits.waits = 3
        joining = asyncio.create_task(ann.post("users/me/subscriptions", **asked))
        await until(lambda: commits.count == 3)
        assert (await bob.post("typing", to=[ann.id], op="start"))["result"] == "success"
        commits.go_on.set()
        answer = await joining
        assert answer["subscribed"] == {str(one.id): ["tea"] for one in people}
        assert answer["new_subscription_messages_sent"]
        everybody = {one.id for one in people}
        told = {one.id: await one.events(queues[one.id]) for one in (bob, *people)}
        for one in (bob, *people):
            assert channels_of(told[one.id], one.id, set()) == everybody
        for one in people:
            mine = await one.get("users/me/subscriptions")
            assert [channel["color"] for channel in mine["subscriptions"]] == ["#123456"]
            (said,) = await history(one, narrow=[["is", "dm"]])
            assert "subscribed you to the channel" in said["content"]
        commits.count = 0
        leaving = {"subscriptions": ["tea"], "principals": [one.id for one in people[1:]]}
        await server.app.database.write(
            lambda tx: tx.run("UPDATE user SET role = 100 WHERE id = ?", ann.id)
        )
        assert (await ann.delete("users/me/subscriptions", **leaving))["removed"] == ["tea"]
        assert commits.count > 2
        for one in (bob, *people):
            events = await one.events(queues[one.id])
            assert channels_of(events, one.id, everybody) == {people[0].id}


async def test_what_cannot_be_done_for_all_is_not_begun(tmp_path: Path) -> None:
    """A wrong name or person at the end of a long list changes nothing at its beginning."""
    async with live(tmp_path) as server:
        ann, bob = await two(server, "lobby")
        ids = [one.id for one in await crowd(server, 7)]
        queue = await bob.post("register", event_types=SUBSCRIBING)
        new = [{"name": "tea"}, {"name": "coffee"}]
        for wrong in (
            {"subscriptions": new, "principals": [*ids, 99]},
            {"subscriptions": [*new, {"name": "milk", "color": "blue"}], "principals": ids},
            {"subscriptions": [*new, {"name": "milk", "description": "x" * 2000}]},
        ):
            answer = await ann.post("users/me/subscriptions", **wrong)
            assert answer["status"] == 400
        made = await ann.post("channels/create", name="tea", subscribers=[*ids, 99])
        assert made["status"] == 400
        left = await ann.delete("users/me/subscriptions", subscriptions=["lobby", "tea"])
        assert left["status"] == 400
        assert await bob.events(queue) == []


async def test_the_same_request_waits_until_the_first_one_is_done(tmp_path: Path) -> None:
    """What the first has done so far is no beginning that the second may go on with."""
    async with live(tmp_path) as server:
        ann, bob = await two(server, "lobby")
        ids = [one.id for one in await crowd(server, 7)]
        queue = await bob.post("register", event_types=SUBSCRIBING)
        form = {"name": "tea", "subscribers": str(ids)}
        answers = await asyncio.gather(*(ann.post("channels/create", **form) for _ in range(3)))
        assert sorted(one["result"] for one in answers) == ["error", "error", "success"]
        assert {one.get("code") for one in answers} == {"CHANNEL_ALREADY_EXISTS", None}
        form["name"] = "milk"
        headers = {"Idempotency-Key": "a key"}
        posted = (ann.http.post("channels/create", data=form, headers=headers) for _ in range(2))
        first, second = [one.json() for one in await asyncio.gather(*posted)]
        assert first == second
        assert first["result"] == "success"
        assert [one["op"] for one in await bob.events(queue)].count("create") == 2


async def test_an_account_that_the_same_request_closed_meanwhile_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that waited too long for the answer sent the request again, under the same key."""
    async with live(tmp_path) as server:
        ann = await server.person("ann", role=Role.ADMINISTRATOR)
        bob = await server.person("bob")
        commits = Commits(monkeypatch, server.app.database)
        commits.waits = 1

        async def close() -> dict[str, Any]:
            answer = await ann.http.delete(f"users/{bob.id}", headers={"Idempotency-Key": "a key"})
            return dict(answer.json())

        late = asyncio.create_task(close())
        await until(lambda: commits.count == 1)
        answer = await close()
        commits.go_on.set()
        assert await late == answer == {"result": "success", "msg": ""}


async def test_who_may_no_longer_add_others_stops_halfway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The right is asked in every slice, and those who left meanwhile are left out."""
    async with live(tmp_path) as server:
        ann, _ = await two(server, "lobby")
        people = await crowd(server, 8)
        commits = Commits(monkeypatch, server.app.database)
        commits.waits = 2

        async def between(change: str, asked: dict[str, Any]) -> dict[str, Any]:
            commits.count = 0
            commits.go_on.clear()
            joining = asyncio.create_task(ann.post("users/me/subscriptions", **asked))
            await until(lambda: commits.count == 2)
            server.app.database.write_now(lambda tx: tx.run(change))
            commits.go_on.set()
            return await joining

        asked = {"subscriptions": [{"name": "lobby"}], "principals": [one.id for one in people]}
        gone = people[-1].id
        answer = await between(f"UPDATE user SET is_active = 0 WHERE id = {gone}", asked)
        assert answer["result"] == "success"
        assert str(gone) not in answer["subscribed"]
        archived = await between(
            "UPDATE channel SET is_archived = 1 WHERE name = 'new'",
            {"subscriptions": [{"name": "new"}], "principals": [one.id for one in people[:7]]},
        )
        assert archived["result"] == "success"
        refused = await between(
            f"UPDATE user SET role = 600 WHERE id = {ann.id}",
            {"subscriptions": [{"name": "other"}], "principals": [one.id for one in people[:7]]},
        )
        assert refused["status"] == 401


async def test_who_leaves_with_much_unread_has_read_it_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody can mark as read any more does not count as unread, whatever comes in between."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = await topic_of(ann, 8)
        queue = await bob.post("register", event_types=["update_message_flags"])
        commits = Commits(monkeypatch, server.app.database)
        commits.waits = 3
        leaving = asyncio.create_task(
            bob.delete("users/me/subscriptions", subscriptions=["general"])
        )
        await until(lambda: commits.count == 3)
        commits.waits = None
        ids.append(await say(ann, "late"))
        commits.go_on.set()
        assert (await leaving)["removed"] == ["general"]
        assert await told_read(bob, queue) == set(ids)
        assert await unread_ids(bob) == set()


async def test_twice_the_people_leave_by_as_many_events(tmp_path: Path) -> None:
    """News that are the same for many are logged once: they grow with the slices, not with the pairs."""
    async with live(tmp_path) as server:
        ann, _ = await two(server, "lobby")
        counts = []
        for number in (6, 12):
            people = [await server.person(f"P {number} {one}") for one in range(number)]
            ids = [one.id for one in people]
            names = ["a", "b", "c"]
            new = [{"name": name} for name in names]
            await ann.post("users/me/subscriptions", subscriptions=new, principals=ids)
            await server.app.database.write(
                lambda tx: tx.run("UPDATE user SET role = 100 WHERE id = ?", ann.id)
            )
            last = server.app.database.read(lambda db: db.value("SELECT max(id) FROM event_log"))
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(subscription_slices, "MOST", 1000)
                await ann.delete("users/me/subscriptions", subscriptions=names, principals=ids)
            counts.append(
                server.app.database.read(
                    lambda db, last=last: db.value(
                        "SELECT count(*) FROM event_log WHERE id > ?", last
                    )
                )
            )
        assert counts[0] == counts[1]
        assert counts[0] <= 3


async def test_muting_reads_a_slice_at_a_time_and_once_under_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of messages of somebody may be unread: others are served between the slices."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = await topic_of(ann, 8)
        queue = await bob.post("register", event_types=["muted_users", "update_message_flags"])
        commits = Commits(monkeypatch, server.app.database)
        headers = {"Idempotency-Key": "a key"}
        where = f"users/me/muted_users/{ann.id}"
        answers = [(await bob.http.post(where, headers=headers)).json() for _ in range(2)]
        assert answers[0] == answers[1] == {"result": "success", "msg": ""}
        assert commits.count == 4, "three slices, and one that knows the key"
        events = await bob.events(queue)
        read = [one["messages"] for one in events if one["type"] == "update_message_flags"]
        assert read == [ids[:3], ids[3:6], ids[6:]]
        assert events[-1]["type"] == "muted_users"
        assert (await bob.post(where))["msg"] == "User already muted"
        assert (await bob.post(f"users/me/muted_users/{bob.id}"))["msg"] == "Cannot mute self"


async def test_one_person_joins_and_leaves_many_channels_in_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also a single person's hundreds of channels hold nobody up: each has an audience of its own."""
    for name, cost in {"MOST": 6, "COST_OF_AUDIENCE": 2, "CHANNELS": 1}.items():
        monkeypatch.setattr(subscription_slices, name, cost)
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        names = [f"channel {number}" for number in range(10)]
        wanted = [{"name": name} for name in names]
        await ann.post("users/me/subscriptions", subscriptions=wanted)
        for verb, channels in (("POST", wanted), ("DELETE", names)):
            with monkeypatch.context() as patch:
                commits = Commits(patch, server.app.database)
                answer = await bob.ask(verb, "users/me/subscriptions", subscriptions=channels)
                assert answer["result"] == "success"
                assert commits.count >= 5


async def test_a_profile_field_is_deleted_in_slices(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What everybody said of themselves goes a few at a time, and the field with the last of it."""
    monkeypatch.setattr(profile_field_actions, "SLICE", 2)
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.ADMINISTRATOR)
        field_id = (await root.post("realm/profile_fields", name="Team", field_type=1))["id"]
        people = [await server.person(f"P{number}") for number in range(5)]
        for person in people:
            await person.patch("users/me/profile_data", data=[{"id": field_id, "value": "tea"}])
        queue = await people[0].post("register")
        commits = Commits(monkeypatch, server.app.database)
        assert (await root.delete(f"realm/profile_fields/{field_id}"))["result"] == "success"
        assert commits.count == 3
        told = [event for event in await people[0].events(queue) if event["type"] != "presence"]
        assert [event["type"] for event in told] == ["realm_user"] * 5 + ["custom_profile_fields"]
        assert (await root.get("realm/profile_fields"))["custom_fields"] == []
