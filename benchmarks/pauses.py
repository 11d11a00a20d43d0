"""Measures how long one request blocks others: the longest time in which the event loop comes to nothing else.

    python benchmarks/pauses.py [--messages N] [--people N] [--topic N]

The application is called in this process on a copy of a file with N messages, 5,000 users and other hard
contents (`large_history.py`), which is generated once and kept in the user's cache. Prints for each
request: the longest pause of a timer on the loop, the CPU time of all threads, and the answer's status. The
goal is 50 ms for every pause, at a million messages. What is above it is measured again on a new copy, since
CPU time includes what the machine was held up by.

A pause is the CPU time of the loop's thread between two turns of a timer: of one callback, or of several in a row.
A collection of garbage by another thread is one as well, since it stops all threads.
"""

import argparse
import asyncio
import base64
import gc
import os
import random
import re
import shutil
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import orjson

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.calls import calls, make_calls
from benchmarks.crowds import clients_of, crowds, raw
from benchmarks.for_all import for_all
from benchmarks.hard_texts import hard_texts, make_linkifiers, make_pages
from benchmarks.large_history import (
    EVERYBODY,
    FOR_ALL,
    GROUPS,
    LEAVING,
    add_everything,
    key_of,
)
from benchmarks.large_lists import large_lists, make_large_lists
from benchmarks.longest_lists import longest_lists
from benchmarks.nested_groups import make_nested_groups, nested_groups
from benchmarks.other_ways_in import UNFINISHED, break_off, make_other_ways_in, other_ways_in
from benchmarks.restricted_guests import make_guests, restricted_guests
from benchmarks.results import keep
from server_lite.actions.channels import create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.app import App
from server_lite.cli.serving import event_loop
from server_lite.config import Limits, Settings
from server_lite.event_poll import poll
from server_lite.event_queue import Options
from server_lite.events.base import ClientCapabilities
from server_lite.events.channels import ChannelUpdated
from server_lite.ids import UserId
from server_lite.server import Server, listen
from server_lite.store import group_members, guest_channels, search_index, topics
from server_lite.store.database import Database, Tx
from server_lite.store.index_upkeep import MERGE_AFTER
from server_lite.store.migrations import newest
from server_lite.store.unread_messages import rebuild_by_user
from server_lite.store.users import Role
from server_lite.workers import garbage

T = TypeVar("T")

CHANNELS = 20
TOPICS = 50
UNREAD = 50_000
PART = 500
GOAL = 50.0
ROUNDS = 3
"""Rounds on new copies while a pause is above the goal; the shortest of each request counts."""
VERSION = 4
"""Version of `make`'s output: files of other versions are regenerated."""
BEAT = 0.002
"""Seconds."""
OWNER = "p0"
PLAIN = '[]{}",:\\/ '
"""Characters that a form may contain as they are: encoded, JSON would be three times as long, and less of it fit."""
WORDS = ["the", *(f"word{number}" for number in range(1, 30_000))]
"""The nth is n times rarer than the first, as in real texts: half of the messages have the first."""


def topic_name(number: int) -> str:
    """Return a name of rare words: no word is in all topics."""
    return " ".join(WORDS[100 * number + 100 : 100 * number + 102])


def make(path: Path, messages: int, people: int, big: int) -> None:
    """Create users in all channels; `big` messages in one topic, the others spread over the rest."""
    database = Database(path)
    rnd = random.Random(7)
    weights = list(accumulate(1 / (number + 1) for number in range(len(WORDS))))

    def found(tx: Tx) -> tuple[list[int], list[tuple[int, int]]]:
        users = [
            create_user(
                tx,
                email=f"p{number}@example.com",
                full_name=f"Person {number}",
                role=Role.OWNER if number == 0 else Role.MEMBER,
                password=None,
            )
            for number in range(people)
        ]
        places: list[tuple[int, int]] = []
        for number in range(CHANNELS):
            channel = create_channel(tx, None, name=f"channel {number}")
            subscribe(tx, [channel], users)
            places += [
                (channel.id, topics.get_or_create(tx, channel.id, topic_name(topic)).id)
                for topic in range(TOPICS)
            ]
        return [user.id for user in users], places

    ids, places = database.write_now(found)
    begin = time.time() - messages * 10

    def fill(tx: Tx, start: int, count: int) -> None:
        rows = []
        for number in range(start, start + count):
            words = " ".join(rnd.choices(WORDS, cum_weights=weights, k=12))
            channel_id, topic_id = places[0] if number < big else rnd.choice(places[1:])
            rows.append(
                (
                    rnd.choice(ids),
                    channel_id,
                    topic_id,
                    words,
                    f"<p>{words}</p>",
                    words,
                    begin + number * 10,
                )
            )
        first = (tx.value("SELECT max(id) FROM message") or 0) + 1
        tx.many(
            "INSERT INTO message (sender_id, channel_id, topic_id, conversation_id, content, rendered,"
            " plain, timestamp, client, has_link, has_image, has_attachment)"
            " VALUES (?, ?, ?, NULL, ?, ?, ?, ?, 'benchmark', 0, 0, 0)",
            rows,
        )
        tx.run(
            "INSERT INTO message_text (rowid, topic, plain) SELECT message.id, topic.name, plain"
            " FROM message JOIN topic ON topic.id = topic_id WHERE message.id >= ?",
            first,
        )
        tx.run("UPDATE search_index_progress SET indexed = (SELECT max(id) FROM message)")

    for start in range(0, messages, PART):
        database.write_now(partial(fill, start=start, count=min(PART, messages - start)))
        if start % (PART * MERGE_AFTER) == 0:  # as the server does, so that the index is realistic
            while database.write_now(search_index.merge):
                pass

    def finish(tx: Tx) -> None:
        tx.run(
            "UPDATE topic SET max_id"
            " = ifnull((SELECT max(id) FROM message WHERE topic_id = topic.id), 0)"
        )
        # Half in the long topic, half the newest.
        for where in ("topic_id = 1 ORDER BY id DESC", "1 ORDER BY id DESC"):
            tx.run(
                "INSERT OR IGNORE INTO unread (user_id, message_id)"
                f" SELECT ?, id FROM message WHERE {where} LIMIT ?",
                ids[0],
                UNREAD // 2,
            )

    database.write_now(finish)
    database.write_now(lambda tx: add_everything(tx, [*map(UserId, ids)]))
    database.write_now(rebuild_by_user)
    database.close()


def kept(messages: int, people: int, big: int) -> Path:
    """Return the file, from the cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "chinwag-benchmarks"
    path = cache / f"pauses-{newest()}-{VERSION}-{messages}-{people}-{big}.db"
    if not path.exists():
        cache.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        for old in cache.glob("pauses-*"):
            if f"-{messages}-" in old.name:
                old.unlink()
        make(draft, messages, people, big)
        draft.rename(path)
    return path


class Beats:
    """The longest pause of a timer that beats every 2 ms, in milliseconds of CPU, in a process that collects as a server."""

    def __init__(self, database: Database) -> None:
        self._longest = self._last = self._collecting = 0.0
        gc.freeze()  # as a server does before it answers
        gc.callbacks.append(self._collect)
        reads = database.long_reads
        self._garbage = asyncio.create_task(garbage.run(lambda: reads.is_reading))
        self._beat()

    def stop(self) -> None:
        """End this, but for the timer, which ends with the loop."""
        self._garbage.cancel()
        gc.callbacks.remove(self._collect)

    async def during(self, work: Callable[[], Awaitable[T]]) -> tuple[float, T]:
        """Return the longest pause during some work, and its result."""
        await asyncio.sleep(2 * BEAT)  # what the one before left
        self._longest = 0.0
        result = await work()
        await asyncio.sleep(2 * BEAT)
        return self._longest, result

    def _beat(self) -> None:
        self._note(self._last)
        self._last = time.thread_time()
        asyncio.get_running_loop().call_later(BEAT, self._beat)

    def _note(self, begin: float) -> None:
        self._longest = max(self._longest, (time.thread_time() - begin) * 1000)

    def _collect(self, phase: str, _info: object) -> None:
        if phase == "stop":
            self._note(self._collecting)
        self._collecting = time.thread_time()  # both in the thread that collects


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request as the server's protocol gives it to the application."""

    scope: dict[str, Any]
    body: bytes


def prepared(verb: str, path: str, parameters: Mapping[str, object], name: str = OWNER) -> Prepared:
    """Return a request. `name` is the local part of the user's address."""
    signed = f"{name}@example.com:{key_of(name)}".encode()
    values = {
        k: v if isinstance(v, str) else orjson.dumps(v).decode() for k, v in parameters.items()
    }
    text = urlencode(values, quote_via=quote, safe=PLAIN).encode()
    body = b"" if verb == "GET" else text
    scope = {
        "type": "http",
        "method": verb,
        "path": f"/api/v1/{path}",
        "query_string": text if verb == "GET" else b"",
        "client": ("127.0.0.1", 1),
        "headers": [
            (b"host", b"localhost"),
            (b"authorization", b"Basic " + base64.b64encode(signed)),
            (b"content-type", b"application/x-www-form-urlencoded"),
            (b"content-length", str(len(body)).encode()),
        ],
    }
    return Prepared(scope, body)


async def ask(app: App, request: Prepared) -> tuple[int, bytes]:
    """Make one request, without a socket."""
    asked = [{"type": "http.request", "body": request.body}]
    answer: list[Any] = []

    async def receive() -> Any:
        if asked:
            return asked.pop()
        await asyncio.Event().wait()

    async def send(message: Any) -> None:
        answer.append(message)

    await app(request.scope, receive, send)
    return answer[0]["status"], answer[-1]["body"]


def requests(big: int, people: Sequence[int]) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Return the requests to measure, each with a name."""
    search = [{"operator": "search", "operand": "the"}]
    page = {"anchor": "newest", "num_before": 100, "num_after": 0}
    new = [{"name": f"new {number}"} for number in range(5)]
    many = {"principals": people}
    window = {"anchor": 0, "num_before": 0, "num_after": 5000}
    return [
        ("newest of all", "GET", "messages", page),
        ("5,000 messages", "GET", "messages", page | {"num_before": 5000}),
        ("search", "GET", "messages", page | {"narrow": search}),
        ("has:reaction", "GET", "messages", page | {"narrow": [["has", "reaction"]]}),
        (
            "matches_narrow of 5,000",
            "GET",
            "messages/matches_narrow",
            {"msg_ids": list(range(1, 5001)), "narrow": search},
        ),
        ("register", "POST", "register", {}),
        ("all people", "GET", "users", {}),
        ("all channels", "GET", "streams", {}),
        (
            "5,000 starred",
            "POST",
            "messages/flags",
            {"messages": list(range(1, 5001)), "op": "add", "flag": "starred"},
        ),
        (
            "5,000 unread",
            "POST",
            "messages/flags/narrow",
            window | {"narrow": [["channel", "channel 0"]], "op": "remove", "flag": "read"},
        ),
        (
            "mark topic read",
            "POST",
            "mark_topic_as_read",
            {"stream_id": 1, "topic_name": topic_name(0)},
        ),
        ("mark channel read", "POST", "mark_stream_as_read", {"stream_id": 2}),
        ("mark all read", "POST", "mark_all_as_read", {}),
        (
            f"rename of {big:,} messages",
            "PATCH",
            "messages/1",
            {"topic": "renamed", "propagate_mode": "change_all"},
        ),
        (
            f"respelling of {big:,} messages",
            "PATCH",
            "messages/1",
            {"topic": "RENAMED", "propagate_mode": "change_all"},
        ),
        (
            "a topic to another channel",
            "PATCH",
            f"messages/{big + 1}",
            {"stream_id": 3, "topic": "moved", "propagate_mode": "change_all"},
        ),
        (
            f"{len(people)} people to 5 new channels",
            "POST",
            "users/me/subscriptions",
            many | {"subscriptions": new},
        ),
        (
            f"{len(people)} people out of 5 channels",
            "DELETE",
            "users/me/subscriptions",
            many | {"subscriptions": [one["name"] for one in new]},
        ),
        (
            "100 new channels",
            "POST",
            "users/me/subscriptions",
            {"subscriptions": [{"name": f"own {number}"} for number in range(100)]},
        ),
        (
            "100 invitations",
            "POST",
            "invites",
            {"invitee_emails": ",".join(f"n{n}@example.com" for n in range(100)), "stream_ids": []},
        ),
        ("deletion of a topic", "POST", "streams/1/delete_topic", {"topic_name": "RENAMED"}),
    ]


def long_lists() -> list[tuple[str, str, str, str, dict[str, Any]]]:
    """Return reads of long lists: user, name, request."""
    lists = [
        "user_groups",
        "attachments",
        "drafts",
        "saved_snippets",
        "scheduled_messages",
        "realm/presence",
        "users/me/5/topics",
        "openapi.json",
        "messages/3",  # with 10,000 reactions
        "users/me/subscriptions",
    ]
    page = {"anchor": "oldest", "num_before": 0, "num_after": 50}
    big = [["topic", topic_name(0)]]
    return [
        *((OWNER, f"GET {path}", "GET", path, {}) for path in lists),
        ("q3", "newest message of somebody quiet", "GET", "users/me", {}),
        ("q3", "a long topic without its channel", "GET", "messages", page | {"narrow": big}),
        (
            OWNER,
            "a page with 10,000 reactions",
            "GET",
            "messages",
            page | {"narrow": [["channel", 1]]},
        ),
        (
            OWNER,
            "first unread of a channel",
            "GET",
            "messages",
            page | {"anchor": "first_unread", "narrow": [["channel", 9]]},
        ),
    ]


def among_everybody(
    channel: int, owner: int, somebody: int, group: int
) -> list[tuple[str, str, str, str, dict[str, Any]]]:
    """Return changes that affect 5,000 users: user, name, request."""

    def said(text: str) -> dict[str, Any]:
        return {"type": "stream", "to": channel, "topic": "tea", "content": text}

    groups = " ".join(f"@*group {number}*" for number in range(GROUPS))
    people = " ".join(f"@**Person {number}**" for number in range(290))
    where = f"streams/{channel}"
    return [
        (OWNER, "the first message to 5,000", "POST", "messages", said("hello")),
        (OWNER, "a message to 5,000", "POST", "messages", said("hello")),
        (OWNER, "a message that calls all", "POST", "messages", said("@**all** tea")),
        (OWNER, f"a message that calls {GROUPS} groups", "POST", "messages", said(groups)),
        (OWNER, "a message that calls 290 people", "POST", "messages", said(people)),
        (
            OWNER,
            "a group is given a permission",
            "PATCH",
            where,
            {"can_send_message_group": {"new": group}},
        ),
        ("p1", "a message of who has it", "POST", "messages", said("hello")),
        (
            OWNER,
            "typing",
            "POST",
            "typing",
            {"type": "stream", "op": "start", "stream_id": channel, "topic": "t"},
        ),
        (OWNER, "a new name", "PATCH", where, {"new_name": "all of us"}),
        (
            OWNER,
            "private, with protected history",
            "PATCH",
            where,
            {"is_private": True, "history_public_to_subscribers": False},
        ),
        (
            OWNER,
            "public again",
            "PATCH",
            where,
            {"is_private": False, "history_public_to_subscribers": True},
        ),
        ("p1", "muting who wrote 50,000 unread", "POST", f"users/me/muted_users/{owner}", {}),
        (OWNER, "a new role", "PATCH", f"users/{somebody}", {"role": 300}),
        (OWNER, "an account is closed", "DELETE", f"users/{somebody}", {}),
        (OWNER, "and opened again", "POST", f"users/{somebody}/reactivate", {}),
        (
            OWNER,
            "a topic comes to 5,000 people",
            "PATCH",
            "messages/40001",
            {"stream_id": channel, "propagate_mode": "change_all"},
        ),
        (OWNER, "messages are kept for a day", "PATCH", "realm", {"message_retention_days": 1}),
        (OWNER, "the channel is archived", "DELETE", where, {}),
    ]


async def left_behind(app: App, count: int) -> dict[str, Any]:
    """Return a queue that is `count` events behind."""
    answer = await ask(app, prepared("POST", "register", {"event_types": ["stream"]}))
    queue: dict[str, Any] = orjson.loads(answer[1])
    owner = app.database.read(
        lambda db: db.value("SELECT id FROM user WHERE email = 'p0@example.com'")
    )

    def emit(tx: Tx) -> None:
        for number in range(count):
            renamed = ChannelUpdated(
                channel_id=1, name="x", property="name", value=f"x{number}", extra={}
            )
            tx.emit(renamed, to=[owner])

    app.database.write_now(emit)
    return queue


async def catch_up(app: App, queue: dict[str, Any]) -> int:
    """Read the queue to its end; returns the number of events."""
    told, last = 0, queue["last_event_id"]
    while True:
        asked = {"queue_id": queue["queue_id"], "last_event_id": last, "dont_block": True}
        _, answer = await ask(app, prepared("GET", "events", asked))
        ids = re.findall(rb'"id":(\d+)', answer)  # decoded, they would be garbage of the benchmark
        if not ids:
            return told
        told, last = told + len(ids), int(ids[-1])


async def all_wait(app: App, everyone: Sequence[UserId]) -> None:
    """Let each user have a queue and wait for its events, without the connections."""
    options = Options(shape=ClientCapabilities())
    queues = await app.database.write(
        lambda tx: [app.queues.create(tx, user_id, options, None) for user_id in everyone]
    )
    for queue in queues:
        poll(app.queues, queue.user_id, queue.id, None, block=True)(lambda _: None)


def add_alert_words(tx: Tx, everyone: Sequence[UserId]) -> None:
    """Give each user ten alert words."""
    rnd = random.Random(5)
    tx.many(
        "INSERT OR IGNORE INTO alert_word (user_id, word, word_key) VALUES (?1, ?2, ?2)",
        [(user_id, f"alert{rnd.randrange(40_000)}") for user_id in everyone for _ in range(10)],
    )


async def measured(
    name: str, beats: Beats, work: Callable[[], Awaitable[object]]
) -> tuple[float, str]:
    """Run, and print the longest pause; returns it with the name."""
    start, used = time.perf_counter(), time.process_time()
    longest, result = await beats.during(work)
    wall = (time.perf_counter() - start) * 1000
    used = (time.process_time() - used) * 1000
    mark = "  " if longest <= GOAL else " !"
    print(
        f"{mark}{name:32} longest {longest:7.1f} ms   CPU {used:9.1f} ms"
        f"   wall {wall:8.0f} ms   {result}"
    )
    return longest, name


async def of_crowds(app: App, beats: Beats, channel: int) -> list[tuple[float, str]]:
    """Measure what comes together, over real sockets."""

    def written(verb: str, path: str, parameters: Mapping[str, object]) -> bytes:
        request = prepared(verb, path, parameters)
        return raw(request.scope, request.body)

    pauses = []
    server = Server(app, signals=False)
    with closing(listen("127.0.0.1", 0)) as sock:
        serving = asyncio.create_task(server.serve(sockets=[sock]))
        await server.answering.wait()
        async with clients_of(sock.getsockname()[1]) as clients:
            for crowd in crowds(written, channel, GROUPS):
                await clients.connect(crowd)
                pauses.append(await measured(crowd.name, beats, clients.ask))
        server.should_exit = True
        await serving
    return pauses


def keep_in_memory(database: Database) -> None:
    """Read what the upkeep reads before a change waits for it."""
    database.write_now(guest_channels.keep_all)
    while database.write_now(group_members.keep_some):
        pass


async def measure(path: Path, big: int) -> dict[str, float]:
    """Measure all requests in turn; returns the longest stretch of each, in milliseconds, by its name."""
    database = Database(path)
    beats = Beats(database)
    free = Limits(requests_per_minute=None, anonymous_per_minute=None)

    async def status(request: Prepared) -> int:
        return (await ask(app, request))[0]

    people = database.read(lambda db: db.column("SELECT id FROM user WHERE role = 400 LIMIT 299"))
    channel, owner, group, leaving, target = database.read(
        lambda db: (
            db.value("SELECT id FROM channel WHERE name = ?", EVERYBODY),
            db.value("SELECT id FROM user WHERE role = 100"),
            db.value("SELECT id FROM user_group WHERE name = ?", f"group {GROUPS - 1}"),
            db.value("SELECT max_id FROM topic WHERE name = ?", LEAVING),
            db.value("SELECT max(id) FROM channel WHERE name LIKE 'more %'"),
        )
    )
    everyone, newest = database.read(
        lambda db: (
            db.column("SELECT id FROM user WHERE bot_type IS NULL ORDER BY id"),
            {name: db.value("SELECT max_id FROM topic WHERE name = ?", name) for name in FOR_ALL},
        )
    )
    database.write_now(lambda tx: add_alert_words(tx, everyone))
    app = App(Settings(db=path, limits=free), database)
    database.write_now(app.maintenance.begin)
    keep_in_memory(database)
    for_all_requests = database.read(lambda db: for_all(db, everyone, newest, target))
    called = await make_calls(database, everyone)
    pauses = [
        await measured(name, beats, partial(status, prepared(verb, where, parameters, who)))
        for who, name, verb, where, parameters in database.read(
            lambda db: calls(db, called, target)
        )
    ]
    pauses.append(await measured("upkeep after calls", beats, app.maintenance.run_once))
    pauses += [
        await measured(name, beats, partial(status, prepared(verb, where, parameters, who)))
        for who, name, verb, where, parameters in (
            *((OWNER, *request) for request in requests(big, people)),
            *long_lists(),
            *longest_lists(people, leaving, target),
            *for_all_requests,
            *among_everybody(channel, owner, people[5], group),
        )
    ]
    database.write_now(lambda tx: make_guests(tx, everyone))
    keep_in_memory(database)
    pauses += [
        await measured(name, beats, partial(status, prepared(verb, where, parameters, who)))
        for who, name, verb, where, parameters in database.read(
            lambda db: restricted_guests(db, everyone)
        )
    ]
    database.write_now(lambda tx: make_large_lists(tx, everyone, channel))
    keep_in_memory(database)
    pauses += [
        await measured(name, beats, partial(status, prepared(verb, where, parameters, who)))
        for who, name, verb, where, parameters in database.read(
            lambda db: large_lists(db, everyone, channel)
        )
    ]
    database.write_now(make_linkifiers)
    database.write_now(lambda tx: make_pages(tx, channel))
    registering = prepared("POST", "register", {"event_types": ["message"]})
    behind = orjson.loads((await ask(app, registering))[1])
    pauses += [
        await measured(name, beats, partial(status, prepared(verb, where, parameters, who)))
        for who, name, verb, where, parameters in database.read(
            lambda db: hard_texts(db, everyone, channel)
        )
    ]
    pauses.append(await measured("catch-up of these texts", beats, partial(catch_up, app, behind)))
    database.write_now(lambda tx: make_nested_groups(tx, everyone))
    keep_in_memory(database)
    pauses += [
        await measured(name, beats, partial(status, prepared(verb, where, parameters, who)))
        for who, name, verb, where, parameters in database.read(
            lambda db: nested_groups(db, everyone, channel)
        )
    ]
    database.write_now(lambda tx: make_other_ways_in(tx, everyone))
    for number in range(UNFINISHED):
        database.write_now(partial(break_off, owner=everyone[2], number=number))
    keep_in_memory(database)
    for name, work in other_ways_in(app):
        pauses.append(await measured(name, beats, work))
    pauses += await of_crowds(app, beats, channel)
    await all_wait(app, everyone)
    renamed = partial(status, prepared("PATCH", f"users/{everyone[7]}", {"full_name": "Other"}))
    pauses.append(await measured("an event to 5,000 who wait", beats, renamed))
    for count in (15_000, 60_000):
        queue = await left_behind(app, count)
        work = partial(catch_up, app, queue)
        pauses.append(await measured(f"catch-up of {count:,} events", beats, work))
    pauses.append(await measured("upkeep", beats, app.maintenance.run_once))
    for days in (30, 30_000):
        kept_for = partial(status, prepared("PATCH", "realm", {"message_retention_days": days}))
        await kept_for()
        pauses.append(
            await measured(f"upkeep, messages stay {days:,} days", beats, app.maintenance.run_once)
        )
    beats.stop()
    app.close()
    database.close()
    return {name: longest for longest, name in pauses}


def main() -> None:
    """Measure a file of each requested size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--people", type=int, default=300)
    parser.add_argument("--topic", type=int, default=35_000)
    asked = parser.parse_args()
    for messages in asked.messages:
        longest: dict[str, float] = {}
        for number in range(ROUNDS):
            if longest and max(longest.values()) <= GOAL:
                break
            print(f"{messages:,} messages, {asked.people} people, round {number + 1}")
            with tempfile.TemporaryDirectory() as folder:
                copy = Path(folder) / "chinwag.db"
                shutil.copyfile(kept(messages, asked.people, asked.topic), copy)
                with asyncio.Runner(loop_factory=event_loop) as runner:
                    found = runner.run(measure(copy, asked.topic))
                for name, one in found.items():
                    longest[name] = min(one, longest.get(name, one))
        name = max(longest, key=longest.__getitem__)
        keep(
            "server",
            f"longest pause of others, {messages:,} messages, whatever is asked",
            measured=f"{longest[name]:.0f} ms",
            goal=f"≤ {GOAL:.0f} ms",
            beside={"by": name},
        )


if __name__ == "__main__":
    main()
