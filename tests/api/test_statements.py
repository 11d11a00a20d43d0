"""How many SQL statements the commonest requests cost, however many people and channels there are.

A statement costs little and is easily added: in a loop, or for what is known already. These are counts,
so they are the same on every machine. Send 42, poll 2, fetch 22, register 106 and more with each channel:
that was before what seldom changes was remembered.
"""

import asyncio
import base64
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import apsw
import pytest

from server_lite.access.recipients import address
from server_lite.access.user_groups import groups_of, members_of
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.api.params import RequestInfo
from server_lite.config import Limits
from server_lite.endpoints import messages
from server_lite.events.base import ClientCapabilities
from server_lite.ids import UserId
from server_lite.objects.encoded import open_object
from server_lite.snapshot import initial_state
from server_lite.snapshot.base import SnapshotRequest
from server_lite.store import channels, user_groups, users
from server_lite.store.database import Database, Tx
from server_lite.store.user_groups import GroupSetting
from server_lite.store.users import Role, UserRow
from tests.call_counter import calls, statements
from tests.live import live, until
from tests.request_statements import statements_of_requests


async def test_common_requests_need_few_statements(tmp_path: Path) -> None:
    """A send, a poll, a page of a hundred and the state at the start of a client."""
    counted = await statements_of_requests(tmp_path)
    assert counted["send"] <= 6, counted
    assert counted["poll"] == 0, counted
    assert counted["fetch"] <= 8, counted
    assert counted["register"] <= 29, counted


def test_a_state_is_put_together_of_parts_that_are_kept(tmp_path: Path) -> None:
    """Two hundred people more cost the next register nothing but their bytes, and one row read or none."""
    database = Database(tmp_path / "x.db")
    limits = Limits()

    def work() -> tuple[int, int]:
        """Calls of Python, and rows that SQLite gives."""
        user = users.by_id(database.reader, UserId(2))
        assert user is not None
        asked = SnapshotRequest(
            user=user,
            shape=ClientCapabilities(slim_presence=True),
            include_subscribers="true",
            limits=limits,
            now=1.0,
        )

        def register() -> None:
            state = initial_state(database.reader, replace(asked, shared={}), None)
            assert len(open_object(state)) > 10_000

        for _ in range(10):  # what is then kept, compiled methods of dataclasses among it
            register()
        rows = 0

        def count(_cursor: apsw.Cursor, row: Any) -> Any:
            nonlocal rows
            rows += 1
            return row

        database.reader.connection.row_trace = count
        register()
        database.reader.connection.row_trace = None
        return calls(register), rows

    def join(tx: Tx, names: range) -> None:
        people = [
            create_user(
                tx,
                email=f"p{number}@example.com",
                full_name=f"Person {number}",
                role=Role.MEMBER,
                password=None,
            )
            for number in names
        ]
        row = channels.by_name(tx, "all") or create_channel(tx, None, name="all")
        subscribe(tx, [row], people)

    database.write_now(lambda tx: join(tx, range(4)))
    few = work()
    database.write_now(lambda tx: join(tx, range(4, 204)))
    many = work()
    database.close()
    assert many == few


def test_a_start_costs_few_calls_for_each_channel(tmp_path: Path) -> None:
    """No object is made for each subscription, and no page is read for each channel."""
    database = Database(tmp_path / "x.db")

    def join(tx: Tx, names: range) -> UserId:
        ann = users.by_email(tx, "ann@example.com") or create_user(
            tx, email="ann@example.com", full_name="Ann", role=Role.MEMBER, password=None
        )
        rows = [create_channel(tx, None, name=f"channel {number}") for number in names]
        subscribe(tx, rows, [ann])
        for row in rows:
            where = address(tx, ann, "stream", row.name, "tea")
            send_message(tx, ann, where, "Hello", client="test")
        return ann.id

    def work(names: range) -> int:
        user_id = database.write_now(lambda tx: join(tx, names))
        user = users.by_id(database.reader, user_id)
        assert user is not None
        asked = SnapshotRequest(user=user, shape=ClientCapabilities(), limits=limits, now=1.0)

        def register() -> None:
            open_object(initial_state(database.reader, replace(asked, shared={}), None))

        for _ in range(10):
            register()
        return calls(register)

    limits = Limits()
    few, many = work(range(10)), work(range(10, 40))
    database.close()
    assert (many - few) / 30 < 17.5


def test_a_page_and_a_send_cost_few_calls(tmp_path: Path) -> None:
    """Beside what is asked of all of them at once; sets, sorting and copies for each were half of it."""
    database = Database(tmp_path / "x.db")

    def talk(tx: Tx) -> UserId:
        ann = create_user(
            tx, email="ann@example.com", full_name="Ann", role=Role.MEMBER, password=None
        )
        subscribe(tx, [create_channel(tx, None, name="all")], [ann])
        for number in range(100):
            where = address(tx, ann, "stream", "all", "tea")
            send_message(tx, ann, where, f"Message {number}", client="test")
        return ann.id

    user = users.by_id(database.reader, database.write_now(talk))
    assert user is not None
    info = RequestInfo(base_url="", client="test", address="")

    def send() -> None:
        def change(tx: Tx) -> None:
            where = address(tx, user, "stream", "all", "tea")
            send_message(tx, user, where, "One more message", client="test")

        database.write_now(change)

    def fetch(count: int) -> int:
        def ask() -> None:
            answer = messages.fetch(
                database.reader,
                user,
                anchor="newest",
                num_before=count,
                num_after=0,
                request=info,
            )
            assert len(answer["messages"]) == count

        for _ in range(10):  # what is then kept, compiled methods of dataclasses among it
            ask()
        return calls(ask)

    each = (fetch(90) - fetch(10)) / 80
    for _ in range(10):
        send()
    sending = calls(send)
    database.close()
    assert each <= 11
    assert sending <= 199


async def test_a_request_and_its_answer_cost_few_calls(tmp_path: Path) -> None:
    """From the bytes that come to the change that waits for its commit, and the commit with its answer."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        token = base64.b64encode(f"{ann.email}:{ann.key}".encode()).decode()
        at = urlsplit(server.url)
        reader, writer = await asyncio.open_connection(at.hostname, at.port)
        body = urlencode({"type": "direct", "to": f"[{ann.id}]", "content": "hello, Ann"})
        request = (
            f"POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic {token}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n"
            f"Content-Length: {len(body)}\r\n\r\n{body}"
        ).encode()
        writer.write(request)
        await reader.readuntil(b"}")
        (connection,) = server.server.server_state.connections
        receive, commit = partial(connection.data_received, request), server.app.database._flush
        for _ in range(10):  # what is then kept, compiled methods of dataclasses among it
            receive()
            commit()
        received, committed = calls(receive), calls(commit)
        writer.close()
    assert received <= 162
    assert committed <= 348


async def test_polls_need_no_task_and_share_a_timer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Polls that wait, each of which ends the one before; for two hundred receivers tasks are two hundred times as many."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        queue = await ann.post("register", event_types=["message"])
        asked = {name: str(queue[name]) for name in ("queue_id", "last_event_id")}
        host, port = urlsplit(server.url).hostname, urlsplit(server.url).port
        token = base64.b64encode(f"{ann.email}:{ann.key}".encode()).decode()
        reader, writer = await asyncio.open_connection(host, port)
        loop = asyncio.get_running_loop()
        tasks: list[str] = []
        timers: list[str] = []
        create_task, call_at = loop.create_task, loop.call_at

        def creating(work: Any, **options: Any) -> Any:
            tasks.append(work.__qualname__)
            return create_task(work, **options)

        def calling(when: float, callback: Any, *args: Any, **options: Any) -> Any:
            if callback.__module__.startswith("server_lite"):  # others sleep, now and then
                timers.append(callback.__qualname__)
            return call_at(when, callback, *args, **options)

        message = await ann.post("messages", type="direct", to=[ann.id], content="warm")
        assert message["result"] == "success"
        asked["last_event_id"] = str((await ann.events(queue))[-1]["id"])
        monkeypatch.setattr(loop, "create_task", creating)
        monkeypatch.setattr(loop, "call_at", calling)
        poll = (
            f"GET /api/v1/events?{urlencode(asked)} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Basic {token}\r\n\r\n".encode()
        )
        writer.write(poll)
        await until(lambda: server.app.queues.waiting == 1)
        other_reader, other_writer = await asyncio.open_connection(host, port)
        other_writer.write(poll)
        await reader.readuntil(b"}")
        writer.write(poll)
        await other_reader.readuntil(b"}")
        server.app.queues.close()
        answer = await reader.readuntil(b"}")
        other_writer.close()
        monkeypatch.undo()
        writer.close()
        await writer.wait_closed()
    assert answer.endswith(b'"events":[],"queue_id":"' + queue["queue_id"].encode() + b'"}')
    assert "RequestResponseCycle.run_asgi" not in tasks
    assert timers.count("Queue._ring") == 1
    assert set(timers) <= {
        "Queue._ring",
        "GuardedProtocol._look_if_idle",
        "GuardedProtocol._headers_late",
    }


def test_groups_in_groups_are_walked_once(tmp_path: Path) -> None:
    """Each of a long chain costs the same: with all pairs of them a message that calls 300 took 20 seconds."""
    database = Database(tmp_path / "x.db")

    def chain(tx: Tx, count: int) -> tuple[UserRow, list[int]]:
        user = create_user(
            tx, email=f"p{count}@x.de", full_name=f"P{count}", role=Role.MEMBER, password=None
        )
        ids: list[int] = []
        for number in range(count):
            group_id = user_groups.insert(
                tx,
                name=f"{count} {number}",
                description="",
                creator_id=user.id,
                now=tx.now,
                group_settings={},
            )
            user_groups.add_members(tx, group_id, [user.id])
            user_groups.add_subgroups(tx, group_id, ids[-1:])
            ids.append(group_id)
        return user, ids

    def cost(count: int) -> tuple[int, int]:
        user, ids = database.write_now(lambda tx: chain(tx, count))
        db = database.reader
        named: GroupSetting = {"direct_members": [], "direct_subgroups": ids}
        with statements(db.connection) as sql:
            assert members_of(db, named) == {user.id}
            assert len(groups_of(db, user)) >= count
        work = calls(lambda: (members_of(db, named), groups_of(db, user)))
        return len(sql), work

    few, many = cost(30), cost(120)
    database.close()
    assert many[0] == few[0]
    assert many[1] < 6 * few[1]
