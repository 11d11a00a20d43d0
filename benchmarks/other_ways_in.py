"""What comes in by other ways than forms: files, webhooks, what is due. For `pauses.py`. Measures nothing."""

import asyncio
import base64
import os
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import orjson

from benchmarks.large_history import key_of
from server_lite.api.idempotency import KEPT
from server_lite.app import App
from server_lite.ids import MessageId, UserId
from server_lite.store import bots, keys, outgoing_webhooks, scheduled_messages, uploads, users
from server_lite.store.bots import BotRow, BotType
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import Role
from server_lite.workers.scheduler import PAGE

OWNER: Final = "p0"
BODY: Final = 4 * 1024 * 1024 - 1_000
"""Bytes of the largest webhook."""
HEAD: Final = 4 * 1024 * 1024
"""Bytes of a file in which the size of an image is looked for."""
PIECE: Final = 65_536
"""Bytes in which the protocol passes on a body."""
CALLS: Final = 100
"""Messages that called each outgoing webhook."""
UNFINISHED: Final = 10
"""Uploads of 25 MB that broke off."""
MANY: Final = 100_000
"""Messages that are due, and keys of requests that are a day old."""
HOOK_KEY: Final = "w" * 32
_BOUNDARY: Final = b"limit"
Ask = Callable[[], Awaitable[object]]


def make_other_ways_in(tx: Tx, everyone: Sequence[UserId]) -> None:
    """Add an incoming webhook, and what the upkeep and the workers find after a long pause."""
    hook = users.insert(
        tx,
        email="hook-bot@example.com",
        full_name="Hook",
        role=Role.MEMBER,
        now=tx.now,
        password=None,
        bot_type=BotType.INCOMING_WEBHOOK,
        bot_owner_id=everyone[0],
    )
    bots.store(tx, BotRow(user_id=hook, config_data={}))
    keys.insert(tx, hook, HOOK_KEY, "benchmark", tx.now)
    tx.many(
        "INSERT INTO idempotency (user_id, key, request, answer, at) VALUES (?, ?, x'', '{}', ?)",
        [(everyone[n % 5_000], f"key {n}", tx.running - KEPT - 1) for n in range(MANY)],
    )
    tx.many(
        "INSERT INTO scheduled_message (user_id, channel_id, people, topic, content, rendered, due, client)"
        " VALUES (?, 1, '[]', 't', 'x', 'x', ?, 'benchmark')",
        [(everyone[n % 5_000], int(tx.now) - 10) for n in range(MANY)],
    )
    called = tx.column("SELECT id FROM user WHERE bot_type = ?", BotType.OUTGOING_WEBHOOK)
    for message_id in tx.column("SELECT id FROM message ORDER BY id DESC LIMIT ?", CALLS):
        calls = dict.fromkeys(called, "mention")
        outgoing_webhooks.insert_all(tx, MessageId(message_id), calls, due=tx.now)  # type: ignore[arg-type]  # a literal


def break_off(tx: Tx, owner: UserId, number: int) -> None:
    """Add an upload of 25 MB that was never finished. Each in a change of its own: the log of all would be cut for long."""
    piece = os.urandom(uploads.SLICE)
    upload_id = uploads.begin(
        tx,
        user_id=owner,
        name="x",
        path_id=f"unfinished {number}",
        content_type="text/plain",
        size=100 * len(piece),
        now=tx.now - 10_000,
        dimensions=None,
    )
    for part in range(100):
        uploads.add_slice(tx, upload_id, part, piece)


def other_ways_in(app: App) -> Iterator[tuple[str, Ask]]:
    """Yield what is measured, each with a name."""
    segments, fill = b"\xff\xd8\xff" + b"\xe1\0\0\xff" * (HEAD // 4), b"\xff\xd8" + b"\xff" * HEAD
    yield "a JPEG of a million segments", _uploading(app, "user_uploads", segments)
    yield "a JPEG of fill bytes", _uploading(app, "user_uploads", fill)
    yield "an avatar of a million segments", _uploading(app, "users/me/avatar", segments)
    yield "a file of 20 MB", _uploading(app, "user_uploads", os.urandom(20 * 2**20))
    for name, service, body in _bodies():
        yield f"a webhook of {name}", partial(_hook, app, service, body)
    yield f"a page of {MANY:,} that are due", partial(_due, app)
    yield f"next of {CALLS * 3_000:,} calls", partial(_calls, app)
    yield f"upkeep, {UNFINISHED} broken uploads, {MANY:,} old keys", app.maintenance.run_once


def _bodies() -> Iterator[tuple[str, str, bytes]]:
    """Yield bodies of webhooks, each with a name and its service."""

    def listed(unit: bytes) -> bytes:
        return b'{"content":"x","a":[' + unit * ((BODY - 30) // len(unit)) + b"1]}"

    yield "lists", "json", listed(b"[],")
    yield "objects", "json", listed(b'{"a":1},')
    yield "numbers", "json", listed(b"1000,1000,1000,")
    yield "4 MB of text", "json", b'{"content":"' + b"x " * (BODY // 2 - 20) + b'"}'
    yield "code", "slack_incoming", b'{"text":"' + b"`a" * 20_000 + b'"}'
    labels = dict.fromkeys(("instance", "job", "cluster", "severity", "team"), "something of it")
    alert = {
        "status": "firing",
        "labels": labels,
        "annotations": {"summary": "Disk is full. " * 20},
    }
    count = BODY // (len(orjson.dumps(alert)) + 1) - 1
    yield "alerts", "alertmanager", orjson.dumps({"status": "firing", "alerts": [alert] * count})


def _uploading(app: App, path: str, data: bytes) -> Ask:
    """Return an upload, whose body is made before it is measured."""
    head = b'Content-Disposition: form-data; name="file"; filename="x.jpg"\r\n\r\n'
    body = b"".join((b"--", _BOUNDARY, b"\r\n", head, data, b"\r\n--", _BOUNDARY, b"--\r\n"))
    kind = b"multipart/form-data; boundary=" + _BOUNDARY
    return partial(_ask, app, path, kind, body, name="p2")


async def _hook(app: App, service: str, body: bytes) -> int:
    query = b"api_key=" + HOOK_KEY.encode() + b"&stream=channel+0&topic=tea"
    return await _ask(app, f"external/{service}", b"application/json", body, query=query)


async def _ask(
    app: App, path: str, kind: bytes, body: bytes, *, query: bytes = b"", name: str = ""
) -> int:
    """Post a body in pieces; returns the status. `name` is the local part of the user's address."""
    view, at = memoryview(body), 0
    statuses: list[int] = []

    async def receive() -> Any:
        nonlocal at
        await asyncio.sleep(0)  # as from a socket
        part, at = bytes(view[at : at + PIECE]), at + PIECE
        return {"type": "http.request", "body": part, "more_body": at < len(view)}

    async def send(message: Any) -> None:
        if message["type"] == "http.response.start":
            statuses.append(message["status"])

    scope = {
        "type": "http",
        "method": "POST",
        "path": f"/api/v1/{path}",
        "query_string": query,
        "client": ("127.0.0.1", 1),
        "headers": [
            (b"host", b"localhost"),
            (b"content-type", kind),
            (b"content-length", str(len(body)).encode()),
            *((b"authorization", _signed(name)) for _ in name[:1]),
        ],
    }
    await app(scope, receive, send)
    return statuses[0]


def _signed(name: str) -> bytes:
    return b"Basic " + base64.b64encode(f"{name}@example.com:{key_of(name)}".encode())


async def _due(app: App) -> int:
    now = app.database.clock()

    def read(db: Db) -> int:
        return len(scheduled_messages.next_due(db, now, (0, 0), PAGE))

    return app.context.read(read)


async def _calls(app: App) -> int:
    now = app.database.clock()
    due = app.context.read(partial(outgoing_webhooks.bots_due, now=now))
    for bot_id in due[:8]:
        app.context.read(partial(outgoing_webhooks.next_due, bot_id=bot_id, now=now))
    return len(due)
