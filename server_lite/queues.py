"""Event queues: a cursor and a filter over the event log. Long polls wait here. Changes nothing but queues.

Nothing is copied per queue: a poll reads the log from the queue's cursor on and keeps what its owner is
told. A queue is a row, so it survives a restart; its cursor is stored lazily, and the client's own
`last_event_id` wins. Times are monotonic: a clock that jumps expires nothing.
"""

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

import orjson

from server_lite.config import Limits, Timing
from server_lite.errors import ApiError, BadEventQueue
from server_lite.events.base import Payload, Shape
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.event_log import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a client asked for at register."""

    shape: Shape
    event_types: tuple[str, ...] | None = None
    """None: all."""
    narrow: tuple[tuple[str, str], ...] = ()
    """Filters message events only."""
    all_public_streams: bool = False

    def freeze(self) -> str:
        return orjson.dumps(asdict(self)).decode()

    @classmethod
    def thaw(cls, text: str) -> "Options":
        data = orjson.loads(text)
        types = data["event_types"]
        return cls(
            shape=Shape(**data["shape"]),
            event_types=None if types is None else tuple(types),
            narrow=tuple((operator, operand) for operator, operand in data["narrow"]),
            all_public_streams=data["all_public_streams"],
        )


@dataclass(slots=True)
class Queue:
    """One client's place in the log. Memory only, but for what `_insert` and `persist` write."""

    id: str
    user_id: int
    options: Options
    idle_timeout: int
    cursor: int
    """Acknowledged up to here."""
    stored_cursor: int
    last_seen: float
    """Monotonic time of the last poll's end."""
    waiter: "asyncio.Future[None] | None" = None
    closed: bool = False
    polls: int = field(default=0)


class Queues:
    """All queues of the server."""

    def __init__(
        self,
        db: Database,
        *,
        timing: Timing,
        limits: Limits,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db: Final = db
        self._timing: Final = timing
        self._limits: Final = limits
        self._monotonic: Final = monotonic
        self._queues: dict[str, Queue] = {}
        self._by_user: defaultdict[int, dict[str, Queue]] = defaultdict(dict)
        self._encoded: dict[tuple[int, Shape], bytes] = {}
        self._closing = False
        db.told = self._wake_for
        db.read(self._load)

    # Life of a queue

    def _load(self, db: Db) -> None:
        """After a restart every queue gets a fresh idle period: nobody could have polled."""
        now = self._monotonic()
        for queue_id, user_id, options, cursor, idle in db.rows(
            "SELECT id, user_id, options, cursor, idle_timeout FROM queue"
        ):
            self._add(Queue(queue_id, user_id, Options.thaw(options), idle, cursor, cursor, now))

    def create(self, tx: Tx, user_id: int, options: Options, idle_timeout: int | None) -> Queue:
        """A new queue at the head of the log, which pins the log from here on."""
        seconds = self._timing.queue_idle if idle_timeout is None else idle_timeout
        seconds = max(1, min(seconds, self._timing.queue_idle_max))
        head = self._db.log.head
        queue = Queue(
            id=secrets.token_hex(16),
            user_id=user_id,
            options=options,
            idle_timeout=seconds,
            cursor=head,
            stored_cursor=head,
            last_seen=self._monotonic(),
        )
        tx.run(
            "INSERT INTO queue (id, user_id, options, cursor, idle_timeout) VALUES (?, ?, ?, ?, ?)",
            queue.id,
            user_id,
            options.freeze(),
            head,
            seconds,
        )
        crowd = self._oldest_beyond_cap(user_id)
        for old in crowd:
            tx.run("DELETE FROM queue WHERE id = ?", old.id)
        tx.after_commit(lambda: self._add(queue))
        for old in crowd:
            tx.after_commit(lambda old=old: self._drop(old))  # type: ignore[misc]  # bound per queue
        return queue

    def _oldest_beyond_cap(self, user_id: int) -> list[Queue]:
        mine = sorted(
            self._of(user_id), key=lambda queue: (queue.waiter is not None, queue.last_seen)
        )
        return mine[: max(0, len(mine) + 1 - self._limits.queues_per_user)]

    def delete(self, tx: Tx, user_id: int, queue_id: str) -> None:
        """Delete a queue of this person; a poll that waits on it answers at once, with nothing."""
        queue = self._get(user_id, queue_id)
        tx.run("DELETE FROM queue WHERE id = ?", queue.id)
        tx.after_commit(lambda: self._drop(queue))

    def delete_all(self, tx: Tx, user_id: int) -> None:
        """Cut a person off: for deactivation and revoked keys."""
        tx.run("DELETE FROM queue WHERE user_id = ?", user_id)

        def drop() -> None:
            for queue in self._of(user_id):
                self._drop(queue)

        tx.after_commit(drop)

    def _add(self, queue: Queue) -> None:
        self._queues[queue.id] = queue
        self._by_user[queue.user_id][queue.id] = queue

    def _drop(self, queue: Queue) -> None:
        queue.closed = True
        self._queues.pop(queue.id, None)
        self._by_user[queue.user_id].pop(queue.id, None)
        _wake(queue)

    def _of(self, user_id: int) -> list[Queue]:
        return list(self._by_user.get(user_id, {}).values())

    def _get(self, user_id: int, queue_id: str) -> Queue:
        queue = self._queues.get(queue_id)
        if queue is None or queue.user_id != user_id:
            raise BadEventQueue(queue_id)
        return queue

    def owner(self, queue_id: str) -> int | None:
        """Whose queue this is; None when it is gone."""
        queue = self._queues.get(queue_id)
        return None if queue is None else queue.user_id

    @property
    def waiting(self) -> int:
        """How many polls wait now: what "somebody is connected" means."""
        return sum(queue.waiter is not None for queue in self._queues.values())

    # Reading

    async def poll(
        self, user_id: int, queue_id: str, last_event_id: int | None, *, block: bool
    ) -> bytes:
        """The JSON array of the events after `last_event_id`, which is thereby acknowledged.

        Waits for one if there is none and `block` is set; a wait that stays without news ends with a
        heartbeat. A second poll on the same queue sends the first one home.
        """
        queue = self._get(user_id, queue_id)
        self._acknowledge(queue, last_event_id)
        queue.polls += 1
        mine = queue.polls
        _wake(queue)
        try:
            events = self._collect(queue)
            if events or not block:
                return b"[" + b",".join(events) + b"]"
            return await self._wait(queue, mine)
        finally:
            queue.last_seen = self._monotonic()

    def _acknowledge(self, queue: Queue, last_event_id: int | None) -> None:
        if last_event_id is None or last_event_id == -1:
            return
        if last_event_id > self._db.log.head or last_event_id < -1:
            raise ApiError(f"Invalid last_event_id: {last_event_id}; no such event was sent.")
        if last_event_id < queue.cursor:
            raise ApiError(f"An event newer than {last_event_id} has already been pruned!")
        queue.cursor = last_event_id

    async def _wait(self, queue: Queue, mine: int) -> bytes:
        deadline = self._monotonic() + self._timing.heartbeat
        while not (queue.closed or self._closing or queue.polls != mine):
            remaining = deadline - self._monotonic()
            if remaining <= 0:
                return b'[{"type":"heartbeat","id":%d}]' % self._db.log.heartbeat_id()
            queue.waiter = asyncio.get_running_loop().create_future()
            try:
                await asyncio.wait_for(queue.waiter, remaining)
            except TimeoutError:
                continue
            finally:
                if queue.polls == mine:
                    queue.waiter = None
            if queue.polls == mine and (events := self._collect(queue)):
                return b"[" + b",".join(events) + b"]"
        return b"[]"

    def _collect(self, queue: Queue) -> list[bytes]:
        """What the queue's owner is told of the log above the cursor, encoded."""
        found: list[bytes] = []
        for entry in self._db.log.since(self._db.reader, queue.cursor):
            found.extend(self._told(queue, entry))
            if len(found) >= self._limits.events_per_answer:
                break
        return found

    def _told(self, queue: Queue, entry: Entry) -> Iterable[bytes]:
        options = queue.options
        if queue.user_id not in entry.audience and not (
            options.all_public_streams and queue.user_id in entry.wide
        ):
            return
        event = entry.event
        types = options.event_types
        if types is not None and (event.type not in types or event.superseded_by in types):
            return
        personal = entry.personal.get(queue.user_id)
        if options.narrow and not event.in_narrow(options.narrow, personal):
            return
        if personal is None and entry.local is None and entry.width == 1:
            encoded = self._shared(entry, options.shape)
            if encoded is not None:
                yield encoded
            return
        yield from self._own(queue, entry, personal)

    def _shared(self, entry: Entry, shape: Shape) -> bytes | None:
        """The same bytes for every queue of this shape."""
        key = (entry.id, shape)
        encoded = self._encoded.get(key)
        if encoded is None:
            payload = entry.event.payload(shape, None)
            one = payload[0] if isinstance(payload, list) else payload
            encoded = b"" if one is None else orjson.dumps({**one, "id": entry.id})
            if len(self._encoded) > 10_000:
                self._encoded.clear()
            self._encoded[key] = encoded
        return encoded or None

    def _own(self, queue: Queue, entry: Entry, personal: Any) -> Iterable[bytes]:
        payload = entry.event.payload(queue.options.shape, personal)
        if payload is None:
            return
        payloads: list[Payload] = payload if isinstance(payload, list) else [payload]
        local = entry.local
        for number, one in enumerate(payloads):
            # A single payload has the last id of the entry's, so that nothing told later is below it.
            event_id = entry.id - len(payloads) + 1 + number
            if event_id <= queue.cursor:
                continue
            echo = (
                {"local_message_id": local.local_id}
                if local is not None and local.queue_id == queue.id
                else {}
            )
            yield orjson.dumps({**one, **echo, "id": event_id})

    # Waking, upkeep, the end

    def _wake_for(self, entries: list[Entry]) -> None:
        people: set[int] = set()
        for entry in entries:
            people |= entry.audience | entry.wide
        for user_id in people:
            for queue in self._of(user_id):
                _wake(queue)

    def upkeep(self, tx: Tx) -> None:
        """Expire idle queues, store cursors, prune the log. Called every half minute or so."""
        now = self._monotonic()
        for queue in list(self._queues.values()):
            idle = queue.waiter is None and now - queue.last_seen > queue.idle_timeout
            behind = self._db.log.head - queue.cursor > self._limits.events_per_queue * 10
            if idle or behind:
                tx.run("DELETE FROM queue WHERE id = ?", queue.id)
                tx.after_commit(lambda queue=queue: self._drop(queue))  # type: ignore[misc]  # bound per queue
            elif queue.cursor != queue.stored_cursor:
                tx.run("UPDATE queue SET cursor = ? WHERE id = ?", queue.cursor, queue.id)
                queue.stored_cursor = queue.cursor
        oldest = min((queue.cursor for queue in self._queues.values()), default=self._db.log.head)
        self._db.log.prune(tx, oldest)

    def move_cursor(self, queue: Queue, position: int) -> None:
        """Set the cursor of a new queue to the position at which its first state was read."""
        queue.cursor = position

    def close(self) -> None:
        """Answer every waiting poll with nothing: the server is leaving."""
        self._closing = True
        for queue in self._queues.values():
            _wake(queue)


def _wake(queue: Queue) -> None:
    if queue.waiter is not None and not queue.waiter.done():
        queue.waiter.set_result(None)
