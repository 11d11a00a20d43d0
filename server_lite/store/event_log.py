"""The event log: IDs, rows, and the newest events in memory. Decides nothing about readers.

IDs come from one counter in memory under a ceiling that is stored and raised in blocks, so a restart
continues above every ID ever assigned, rolled-back and short-lived events included. (SQLite's own
rowids may be reused after pruning.) Writers run one at a time and to the end, so IDs are committed
in the order they are assigned; nothing is sent before its commit.

Durable events are rows of `event_log`; short-lived ones exist only in the tail in memory. The tail holds
the newest events; readers further behind read the rows. Both are read in pages: the cost of one step
does not depend on how far behind a reader is.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import apsw
import orjson

from server_lite.dataclass import dataclass
from server_lite.events.base import KINDS, AnyEvent
from server_lite.ids import UserId
from server_lite.store.connection import Db, Row, placeholders

BLOCK: Final = 10_000
"""Distance kept between the stored ceiling and the counter."""

TAIL: Final = 300
"""Number of events kept in memory."""

PAGE: Final = 200
"""Events that a reader examines at once; others are served before the next page."""

PRUNED: Final = 2_000
"""Rows that one transaction prunes."""
PRUNED_BYTES: Final = 4_000_000
"""Bytes of events and their audiences after which it prunes no further row: a message that calls 5,000 people has up to
430,000, on a hundred pages."""

MOST_BYTES: Final = 31 * 1024 * 1024
"""Maximum of an event's row, a little less than SQLite stores (see `connection.prepare`)."""

_AUDIENCES: Final = 500  # audiences cached for reading rows
_SHARED: Final = 50  # audiences that recent events share
NOBODY: Final = frozenset[UserId]()


@dataclass(frozen=True, slots=True, kw_only=True)
class Local:
    """The queue and local ID that the sender asked to be echoed."""

    queue_id: str
    local_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An event as logged. Its IDs are `id - id_count + 1` … `id`."""

    id: int
    id_count: int
    event: AnyEvent
    audience: frozenset[UserId]
    public_listeners: frozenset[UserId]
    """Users who get the event in queues with all_public_streams."""
    personal: Mapping[UserId, object]
    local: Local | None


Unwritten = tuple[Entry, str, str | None]
"""The entry of a durable event whose row is written at the end of its transaction: its fields and its personal
parts are encoded already, because an error in that is the error of its change.
"""


def unwritten(entry: Entry) -> Unwritten:
    """Encode a durable event for its row. Raises TooBigError, as SQLite would when all rows are written."""
    data, personal = orjson.dumps(entry.event.dump()), b""
    if entry.personal:
        personal = orjson.dumps(entry.personal, option=orjson.OPT_NON_STR_KEYS)
    if len(data) + len(personal) > MOST_BYTES:
        raise apsw.TooBigError(f"an event of {len(data) + len(personal)} bytes")
    return entry, data.decode(), personal.decode() if personal else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A part of the log for one reader."""

    entries: list[Entry]
    """The entries that the reader wants, ascending."""
    until: int
    """Events up to this ID were examined."""
    at_end: bool
    """Whether nothing follows `until`."""


Wanted = Callable[[type[AnyEvent], frozenset[UserId], frozenset[UserId]], bool]
"""Whether a reader wants an event of this class with this audience and these public listeners."""


class EventLog:
    """Counter, rows and tail. Rows are written at the end of the transaction whose changes emitted them."""

    def __init__(self, db: Db) -> None:
        self._ceiling: int = db.value("SELECT ceiling FROM event_counter")
        self.head: int = self._ceiling
        """The newest ID that was assigned and committed (or assigned to a short-lived event)."""
        self._next: int = self._ceiling + 1
        self._tail: list[Entry] = []
        self._ids: list[int] = []  # IDs in the tail, for bisection
        self._tail_after = self.head  # all events above this ID are in the tail
        self._audiences: dict[int, frozenset[UserId]] = {}
        self._audience_ids: dict[frozenset[UserId], int] = {}
        self._shared: dict[frozenset[UserId], frozenset[UserId]] = {}
        self._latest = (NOBODY, NOBODY)  # an audience, and the shared object for it

    @property
    def newest(self) -> int:
        """The ID of the newest event that readers may want: `head` counts heartbeats, too."""
        return self._ids[-1] if self._ids else self._tail_after

    def allocate(self, id_count: int) -> int:
        """Return the last of `id_count` new IDs. The caller commits before the event is sent."""
        self._next += id_count
        return self._next - 1

    def shared(self, audience: frozenset[UserId]) -> frozenset[UserId]:
        """Return the object for an audience: each has 250 KB for 5,000 people, and the tail has hundreds of events."""
        if audience is not self._latest[0]:  # thousands of equal IDs are not compared again
            if len(self._shared) >= _SHARED:
                self._shared.clear()
            self._latest = audience, self._shared.setdefault(audience, audience)
        return self._latest[1]

    def heartbeat_id(self) -> int:
        """Return an ID for an event of one queue alone.

        The ceiling has room for it: every write and the upkeep keep it a block ahead.
        """
        if self._next > self._ceiling:
            return self.head  # nothing can be stored: no ID may be assigned above the ceiling
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

    def undo(self) -> None:
        """Forget cached audience IDs, whose rows were rolled back."""
        self._audience_ids.clear()

    def commit(self, entries: Sequence[Entry], ceiling: int | None) -> None:
        """Add the entries of a committed transaction, so that they can be sent."""
        if ceiling is not None:
            self._ceiling = ceiling
        for entry in entries:
            self._tail.append(entry)
            self._ids.append(entry.id)
        self.head = self._next - 1
        if len(self._tail) >= 2 * TAIL:  # rarely: cutting a list moves the rest
            self._tail_after = self._ids[-TAIL - 1]
            del self._tail[:-TAIL]
            del self._ids[:-TAIL]

    def page(self, db: Db, after: int, is_wanted: Wanted, size: int = PAGE) -> Page:
        """Return what a reader wants of the next `size` events with an ID above `after`."""
        if after >= self._tail_after:
            start = bisect_right(self._ids, after)
            seen = self._tail[start : start + size]
            return Page(
                entries=[
                    e for e in seen if is_wanted(type(e.event), e.audience, e.public_listeners)
                ],
                until=seen[-1].id if seen else after,
                at_end=start + size >= len(self._tail),
            )
        rows = db.rows(
            "SELECT id, width, kind, data, audience, wide, personal, local_queue, local_id"
            " FROM event_log WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
            after,
            self._tail_after,
            size,
        )
        entries = [entry for row in rows if (entry := self._entry(db, row, is_wanted)) is not None]
        is_last = len(rows) < size
        return Page(
            entries=entries,
            until=self._tail_after if is_last else rows[-1][0],
            at_end=is_last and not self._tail,
        )

    def _entry(self, db: Db, row: Row, is_wanted: Wanted) -> Entry | None:
        """Return a row as an entry, None if unwanted; the event is decoded only if wanted."""
        (
            entry_id,
            id_count,
            kind,
            data,
            audience_id,
            public_listeners_id,
            personal,
            local_queue,
            local_id,
        ) = row
        audience = self._audience(db, audience_id)
        public_listeners = (
            NOBODY if public_listeners_id is None else self._audience(db, public_listeners_id)
        )
        if not is_wanted(KINDS[kind], audience, public_listeners):
            return None
        return Entry(
            id=entry_id,
            id_count=id_count,
            event=KINDS[kind].load(orjson.loads(data)),
            audience=audience,
            public_listeners=public_listeners,
            personal={UserId(int(k)): v for k, v in orjson.loads(personal).items()}
            if personal
            else {},
            local=Local(queue_id=local_queue, local_id=local_id) if local_queue else None,
        )

    def _audience(self, db: Db, audience_id: int) -> frozenset[UserId]:
        members = self._audiences.get(audience_id)
        if members is None:
            if len(self._audiences) >= _AUDIENCES:
                self._audiences.clear()
            (text,) = db.row("SELECT members FROM audience WHERE id = ?", audience_id) or ("[]",)
            members = self._audiences[audience_id] = frozenset(orjson.loads(text))
        return members

    def older_than_newest(self, db: Db, count: int) -> int:
        """Return the ID of the newest row with at least `count` rows above it; 0 if there is none."""
        if db.value("SELECT count(*) FROM event_log") <= count:  # counted in a small index
            return 0
        event_id: int = db.value(
            "SELECT id FROM event_log ORDER BY id DESC LIMIT 1 OFFSET ?", count
        )
        return event_id

    def prune(self, db: Db, below: int) -> bool:
        """Delete some rows with IDs up to `below`, and their audiences; returns whether more are left."""
        last = self._last_to_prune(db, below)
        if last is None:
            return False
        freed = {
            audience_id
            for row in db.rows("DELETE FROM event_log WHERE id <= ? RETURNING audience, wide", last)
            for audience_id in row
            if audience_id is not None
        }
        self._audiences.clear()  # the ID of a deleted audience may be reused
        self._audience_ids.clear()
        for start in range(0, len(freed), 1_000):
            part = sorted(freed)[start : start + 1_000]
            db.run(
                f"DELETE FROM audience WHERE id IN ({placeholders(part)})"
                " AND NOT EXISTS (SELECT 1 FROM event_log WHERE event_log.audience = audience.id)"
                " AND NOT EXISTS (SELECT 1 FROM event_log WHERE wide = audience.id)",
                *part,
            )
        return bool(db.value("SELECT EXISTS (SELECT 1 FROM event_log WHERE id <= ?)", below))

    def _last_to_prune(self, db: Db, below: int) -> int | None:
        """Return the ID up to which one transaction prunes; None if there is nothing to prune."""
        rows = db.rows(
            "SELECT id, octet_length(data) + ifnull(octet_length(personal), 0), audience, wide FROM event_log"
            " WHERE id <= ? ORDER BY id LIMIT ?",
            below,
            PRUNED,
        )
        ids = {one for row in rows for one in row[2:] if one is not None}
        audiences: dict[int, int] = dict(
            db.rows(
                "SELECT audience.id, octet_length(members) FROM json_each(?) CROSS JOIN audience ON audience.id = value",
                orjson.dumps(sorted(ids)).decode(),
            )
        )
        total = 0
        for event_id, size, *members in rows:
            total += size + sum(audiences.pop(one, 0) for one in members)
            if total >= PRUNED_BYTES:
                return int(event_id)
        return rows[-1][0] if rows else None

    def append(self, db: Db, rows: Sequence[Unwritten]) -> None:
        """Write rows of durable events into the transaction of their changes."""
        self._store_audiences(db, rows)
        audience_ids = self._audience_ids
        db.many(
            "INSERT INTO event_log"
            " (id, width, kind, data, audience, wide, personal, local_queue, local_id)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    entry.id,
                    entry.id_count,
                    entry.event.kind,
                    data,
                    audience_ids[entry.audience],
                    audience_ids[entry.public_listeners] if entry.public_listeners else None,
                    personal,
                    entry.local.queue_id if entry.local else None,
                    entry.local.local_id if entry.local else None,
                )
                for entry, data, personal in rows
            ],
        )

    def _store_audiences(self, db: Db, rows: Sequence[Unwritten]) -> None:
        """Store audiences whose IDs are not known, all at once: one change may have events for hundreds."""
        wanted = {entry.audience for entry, _, _ in rows}
        wanted.update(entry.public_listeners for entry, _, _ in rows if entry.public_listeners)
        new = wanted.difference(self._audience_ids)
        if new and len(self._audience_ids) >= _AUDIENCES:
            self._audience_ids.clear()
            new = wanted
        by_digest: dict[bytes, frozenset[UserId]] = {}
        stored: list[tuple[bytes, str]] = []
        for members in new:
            text = orjson.dumps(sorted(members))
            digest = hashlib.blake2b(text, digest_size=16).digest()
            by_digest[digest] = members
            stored.append((digest, text.decode()))
        for start in range(0, len(stored), _AUDIENCES):
            part = stored[start : start + _AUDIENCES]
            db.many("INSERT OR IGNORE INTO audience (digest, members) VALUES (?, ?)", part)
            for digest, audience_id in db.rows(
                f"SELECT digest, id FROM audience WHERE digest IN ({placeholders(part)})",
                *(digest for digest, _ in part),
            ):
                self._audience_ids[by_digest[digest]] = audience_id
