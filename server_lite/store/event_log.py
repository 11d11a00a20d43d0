"""The log of what happened: ids, rows, and the newest part in memory. Decides nothing about readers.

Ids come from one counter in memory under a ceiling that is stored and raised in blocks, so a restart
goes on above every id that was ever given out, rolled-back and short-lived ones included. (SQLite's own
rowids may be given again after pruning.) Writers run one at a time and to the end, so ids are committed
in the order in which they are given; nothing is told before its commit.

Durable events are rows of `event_log`; short-lived ones only live in the tail in memory. The tail holds
the newest events; who is further behind reads the rows.
"""

import hashlib
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from server_lite.events.base import KINDS, Event
from server_lite.store.connection import Db

BLOCK: Final = 10_000
"""How far the stored ceiling is kept above the counter."""

TAIL: Final = 5_000
"""Events kept in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """The queue that asked for an echo of its own id, and that id."""

    queue_id: str
    local_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One event as logged. Its ids are `id - width + 1` … `id`."""

    id: int
    width: int
    event: Event
    audience: frozenset[int]
    wide: frozenset[int]
    """People whose queues with all_public_streams are told too."""
    personal: Mapping[int, Any]
    local: Local | None


class EventLog:
    """Counter and tail. Rows are written by `Tx.emit` through `append`."""

    def __init__(self, db: Db) -> None:
        self._ceiling: int = db.value("SELECT ceiling FROM event_counter")
        self.head: int = self._ceiling
        """The newest id given out and committed (or given to a short-lived event)."""
        self._next: int = self._ceiling + 1
        self._tail: deque[Entry] = deque()
        self._tail_after = self.head  # everything above this id is in the tail

    def allocate(self, width: int) -> int:
        """The last of `width` fresh ids. The caller commits before anybody is told."""
        self._next += width
        return self._next - 1

    def heartbeat_id(self) -> int:
        """An id for an event of one queue alone.

        The ceiling has room for it: it is kept a block ahead by every write and by the upkeep.
        """
        self.head = self.allocate(1)
        return self.head

    def needs_ceiling(self) -> bool:
        """Whether the stored ceiling must be raised before the current transaction commits."""
        return self._next > self._ceiling - BLOCK // 2

    def raise_ceiling(self, db: Db) -> int:
        """Store a higher ceiling; `commit` makes it valid."""
        ceiling = self._next + BLOCK
        db.run("UPDATE event_counter SET ceiling = ?", ceiling)
        return ceiling

    def commit(self, entries: Iterable[Entry], ceiling: int | None) -> None:
        """The transaction is on disk: its events may be told."""
        if ceiling is not None:
            self._ceiling = ceiling
        self._tail.extend(entries)
        self.head = self._next - 1
        while len(self._tail) > TAIL:
            self._tail_after = self._tail.popleft().id

    def since(self, db: Db, after: int) -> list[Entry]:
        """Every event with an id above `after`, ascending."""
        if after >= self._tail_after:
            ids = [entry.id for entry in self._tail]
            start = bisect_right(ids, after)
            return [self._tail[i] for i in range(start, len(self._tail))]
        rows = _rows(db, after, self._tail_after)
        return [*rows, *self._tail]

    def prune(self, db: Db, below: int) -> None:
        """Forget rows with ids up to `below`, and audiences that nothing names any more."""
        db.run("DELETE FROM event_log WHERE id <= ?", below)
        db.run(
            "DELETE FROM audience WHERE id NOT IN (SELECT audience FROM event_log)"
            " AND id NOT IN (SELECT wide FROM event_log WHERE wide IS NOT NULL)"
        )


def append(db: Db, entry: Entry) -> None:
    """Write the row of a durable event into the transaction of its change."""
    personal = {str(user): value for user, value in entry.personal.items()}
    db.run(
        "INSERT INTO event_log (id, width, kind, data, audience, wide, personal, local_queue, local_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        entry.id,
        entry.width,
        entry.event.kind,
        orjson.dumps(entry.event.freeze()).decode(),
        _audience_id(db, entry.audience),
        _audience_id(db, entry.wide) if entry.wide else None,
        orjson.dumps(personal).decode() if personal else None,
        entry.local.queue_id if entry.local else None,
        entry.local.local_id if entry.local else None,
    )


def _audience_id(db: Db, members: frozenset[int]) -> int:
    text = orjson.dumps(sorted(members))
    digest = hashlib.blake2b(text, digest_size=16).digest()
    row = db.row("SELECT id FROM audience WHERE digest = ?", digest)
    if row is None:
        return db.insert(
            "INSERT INTO audience (digest, members) VALUES (?, ?)", digest, text.decode()
        )
    audience_id: int = row[0]
    return audience_id


def _rows(db: Db, after: int, until: int) -> list[Entry]:
    members: dict[int, frozenset[int]] = {}

    def audience(audience_id: int | None) -> frozenset[int]:
        if audience_id is None:
            return frozenset()
        if audience_id not in members:
            (text,) = db.row("SELECT members FROM audience WHERE id = ?", audience_id) or ("[]",)
            members[audience_id] = frozenset(orjson.loads(text))
        return members[audience_id]

    return [
        Entry(
            id=entry_id,
            width=width,
            event=KINDS[kind].thaw(orjson.loads(data)),
            audience=audience(audience_id),
            wide=audience(wide),
            personal={int(k): v for k, v in orjson.loads(personal).items()} if personal else {},
            local=Local(queue_id=local_queue, local_id=local_id) if local_queue else None,
        )
        for (
            entry_id,
            width,
            kind,
            data,
            audience_id,
            wide,
            personal,
            local_queue,
            local_id,
        ) in db.rows(
            "SELECT id, width, kind, data, audience, wide, personal, local_queue, local_id"
            " FROM event_log WHERE id > ? AND id <= ? ORDER BY id",
            after,
            until,
        )
    ]
