"""Event queues: a cursor and a filter over the event log. Requests wait here. Changes only queues.

Nothing is copied per queue: a poll reads the log from the queue's cursor on and selects the events for its
owner. It reads page by page, with other requests in between; events that were examined and are for others
are not examined again. A queue is a row, so it survives a restart; its cursor is stored lazily, and the
client's own `last_event_id` takes precedence. Times are monotonic: clock changes expire nothing.
"""

import secrets
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from heapq import nsmallest
from typing import Final
from weakref import WeakValueDictionary

import orjson

from server_lite.config import Limits, Timing
from server_lite.errors import ApiError, BadEventQueue
from server_lite.event_delivery import Delivery
from server_lite.event_queue import Commit, EncodedEvents, Options, Queue, Taken, Wishes, before
from server_lite.events.base import ClientCapabilities, Payload
from server_lite.events.channels import MutedTopicsChanged
from server_lite.ids import UserId
from server_lite.objects.channels import muted_topics
from server_lite.objects.encoded import kept
from server_lite.store import queues
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.event_log import Entry, Page

ENCODED: Final = 200
"""Limit of encoded events in the cache; an event counts once per shape."""
PASSED_BY: Final = 20
"""Pages of the log that the upkeep examines for queues that are behind."""
TOLD_AT_ONCE: Final = 250
"""Waiting requests that get their events before others run: each costs up to 50 microseconds."""
SELDOM: Final = 300.0
"""Minimum seconds between storing how far behind a queue is."""


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
        self.timing: Final = timing
        self.limits: Final = limits
        self.monotonic: Final = monotonic
        self._queues: dict[str, Queue] = {}
        self._by_user: defaultdict[UserId, dict[str, Queue]] = defaultdict(dict)
        self._encoded: WeakValueDictionary[ClientCapabilities, EncodedEvents] = (
            WeakValueDictionary()
        )
        self._wishes: WeakValueDictionary[Options, Wishes] = WeakValueDictionary()
        self._newest: Commit | None = None
        self._encoded_count = 0  # at least as many as there are
        self._closing = False
        self.charge: Callable[[int], object] = lambda _: None
        """Called with the owner of each poll or stream that counts as a request; may raise RateLimited."""
        self._delivery: Final = Delivery(self._tell, pause=timing.between_deliveries)
        db.on_commit = self._delivery.add
        db.on_queues_end = self._drop_all
        db.read(self._load)

    # Creating and deleting queues

    def _load(self, db: Db) -> None:
        """Load all queues after a restart, with a fresh idle period: nobody could have polled."""
        now = self.monotonic()
        for queue_id, user_id, options, cursor, idle, forgotten in queues.everything(db):
            loaded = Options.load(options)
            queue = Queue(
                queue_id,
                user_id,
                loaded,
                idle,
                cursor,
                cursor,
                now,
                now,
                self._encoded_for(loaded.shape),
                self._wishes_of(loaded),
            )
            queue.forgotten = queue.stored_forgotten = forgotten
            self._add(queue)

    def create(self, tx: Tx, user_id: UserId, options: Options, idle_timeout: int | None) -> Queue:
        """Create a queue at the head of the log, which is kept from there on."""
        seconds = self.timing.queue_idle if idle_timeout is None else idle_timeout
        seconds = max(1, min(seconds, self.timing.queue_idle_max))
        head = self._db.log.head
        queue = Queue(
            id=secrets.token_hex(16),
            user_id=user_id,
            options=options,
            idle_timeout=seconds,
            cursor=head,
            stored_cursor=head,
            last_seen=self.monotonic(),
            up_to_date=self.monotonic(),
            encoded=self._encoded_for(options.shape),
            wishes=self._wishes_of(options),
            answered_up_to=head,
        )
        queues.insert(
            tx,
            queue.id,
            user_id=user_id,
            options=options.dump(),
            cursor=head,
            idle_timeout=seconds,
        )
        excess = self._oldest_beyond_cap(user_id)
        for old in excess:
            queues.delete(tx, old.id)
        tx.after_commit(partial(self._add, queue))
        for old in excess:
            tx.after_commit(partial(self._drop, old))
        return queue

    def _oldest_beyond_cap(self, user_id: UserId) -> list[Queue]:
        mine = sorted(self._of(user_id), key=lambda queue: (queue.is_attended, queue.last_seen))
        return mine[: max(0, len(mine) + 1 - self.limits.queues_per_user)]

    def delete(self, tx: Tx, user_id: UserId, queue_id: str) -> None:
        """Delete a queue of this user; its waiting poll is answered at once, without events."""
        queue = self._get(user_id, queue_id)
        queues.delete(tx, queue.id)
        tx.after_commit(lambda: self._drop(queue))

    def _drop_all(self, user_ids: Collection[UserId]) -> None:
        for user_id in user_ids:
            for queue in self._of(user_id):
                self._drop(queue)

    def send_home(self, tx: Tx, user_id: UserId) -> None:
        """End the polls and streams of a user whose key was revoked: the next must authenticate again."""

        def end() -> None:
            for queue in self._of(user_id):
                queue.next_request()

        tx.after_commit(end)

    def _add(self, queue: Queue) -> None:
        self._queues[queue.id] = queue
        self._by_user[queue.user_id][queue.id] = queue

    def _drop(self, queue: Queue) -> None:
        self._queues.pop(queue.id, None)
        theirs = self._by_user[queue.user_id]
        theirs.pop(queue.id, None)
        if not theirs:
            del self._by_user[queue.user_id]
        queue.close()

    def _of(self, user_id: UserId) -> list[Queue]:
        return list(self._by_user.get(user_id, {}).values())

    def _get(self, user_id: UserId, queue_id: str) -> Queue:
        queue = self._queues.get(queue_id)
        if queue is None or queue.user_id != user_id:
            raise BadEventQueue(queue_id)
        return queue

    def owner(self, queue_id: str) -> UserId | None:
        """Return the owner of a queue; None if it does not exist."""
        queue = self._queues.get(queue_id)
        return None if queue is None else queue.user_id

    @property
    def count(self) -> int:
        """The number of queues."""
        return len(self._queues)

    @property
    def furthest_behind(self) -> int:
        """The number of events that the slowest queue has not examined, those for others included."""
        head = self._db.log.head
        return max(
            (head - max(one.position, one.examined) for one in self._queues.values()), default=0
        )

    @property
    def waiting(self) -> int:
        """The number of waiting polls and open streams, that is, connected clients."""
        return sum(queue.is_attended for queue in self._queues.values())

    # Reading

    def begin(self, user_id: UserId, queue_id: str, last_event_id: int | None) -> tuple[Queue, int]:
        """Acknowledge up to `last_event_id`; returns the queue, and the number of this request to it.

        It ends the request before, which may still wait.
        """
        queue = self._get(user_id, queue_id)
        if not queue.is_acknowledged_by(last_event_id):
            self.charge(user_id)
        self._acknowledge(queue, last_event_id)
        queue.last_seen = self.monotonic()
        return queue, queue.next_request()

    def _acknowledge(self, queue: Queue, last_event_id: int | None) -> None:
        if last_event_id is None or last_event_id == -1:
            return
        if last_event_id > self._db.log.head or last_event_id < -1:
            raise ApiError(f"Invalid last_event_id: {last_event_id}; no such event was sent.")
        if last_event_id < queue.cursor:
            raise ApiError(f"An event newer than {last_event_id} has already been pruned!")
        if last_event_id > queue.cursor:
            self._is_up_to_date(queue)
        queue.cursor = last_event_id

    def _is_up_to_date(self, queue: Queue) -> None:
        queue.up_to_date = self.monotonic()
        queue.forgotten = 0.0

    def is_over(self, queue: Queue, mine: int) -> bool:
        """Whether this request to the queue must end: a later one came, or the queue or server ends."""
        return queue.closed or self._closing or queue.requests != mine

    def heartbeat(self, queue: Queue) -> bytes:
        """Return a heartbeat for this queue alone."""
        queue.answered_up_to = self._db.log.heartbeat_id()
        return b'{"type":"heartbeat","id":%d}' % queue.answered_up_to

    def will_tell(self, queue: Queue) -> bool:
        """Whether a request that waits will be told in a moment of all that it has not read."""
        pending = self._delivery.pending
        return bool(pending) and max(queue.position, queue.examined) >= before(pending)

    def take_newest(self, queue: Queue) -> bytes:
        """Take the owner's newest events, joined, for a request that has read all before them.

        As those who were just told, others who come a moment later take the same. Returns b"" if there are none, or
        the log is to be read.
        """
        at, commit = max(queue.position, queue.examined), self._newest
        if (
            commit is None
            or commit.end != self._db.log.newest
            or not commit.begin <= at < commit.end
        ):
            return b""
        taken = self.take(queue, commit, self.limits.events_per_answer)
        return b"" if taken is None else taken.joined

    def collect_page(self, queue: Queue, into: list[bytes]) -> bool:
        """Append the owner's next events, encoded, for the request that is answered.

        Returns False if more may follow: the caller lets other requests run, and asks again. With True and no
        events the end of the log was reached: a caller that waits in the same turn of the loop misses no commit.
        """
        at = max(queue.position, queue.examined)
        is_first = at == queue.position  # nothing is sent that is to be acknowledged
        if at >= self._db.log.newest:  # most often, after a line was sent
            if is_first:
                self._is_up_to_date(queue)
            return True
        size = sum(map(len, into))
        page = self._page(queue, at)
        for entry in page.entries:
            events = self._events_for(queue, entry)
            if not events:
                continue
            if is_first:
                queue.passed = max(queue.passed, entry.id - entry.id_count)
                is_first = False
            queue.answered_up_to = queue.examined = entry.id
            into += events
            size += sum(map(len, events))
            if (
                len(into) >= self.limits.events_per_answer
                or size >= self.limits.event_bytes_per_answer
            ):
                return True
        queue.examined = page.until
        if is_first:
            queue.passed = max(queue.passed, page.until)
            if page.at_end:
                self._is_up_to_date(queue)
        return page.at_end

    def take(self, queue: Queue, commit: Commit, most: int) -> Taken | None:
        """Take the owner's events among those that are told, for a request that waits.

        It has read what was committed before, unless it was for others; what it has read meanwhile is left out.
        Returns None, and takes none, if they are `most` or more, or too large for one answer. Of a commit that is
        larger than an answer nothing is encoded here.
        """
        if commit.number >= self.limits.events_per_answer:
            return None
        at = max(queue.cursor, queue.passed, queue.examined)
        is_alike = (
            queue.user_id in commit.alike
            and queue.id not in commit.echoing
            and not (commit.has_muted_topics and queue.asks_for(MutedTopicsChanged))
        )
        if is_alike and at <= commit.begin:
            taken = commit.taken.get(queue.wishes)
            if taken is None:
                taken = commit.taken[queue.wishes] = self._select(queue, commit, at)
        else:
            taken = self._select(queue, commit, at)
        if taken.number >= most or taken.size >= self.limits.event_bytes_per_answer:
            return None
        if taken.number:
            queue.took(taken)
        return taken

    def _select(self, queue: Queue, commit: Commit, at: int) -> Taken:
        """Return the owner's events with an ID above `at`."""
        begin, last = -1, 0
        events: list[bytes] = []
        for entry in commit.entries:
            if entry.id > at and queue.wants(
                type(entry.event), entry.audience, entry.public_listeners
            ):
                encoded = self._events_for(queue, entry)
                if encoded:
                    events += encoded
                    begin, last = entry.id - entry.id_count if begin < 0 else begin, entry.id
        joined = b",".join(events)
        return Taken(len(events), joined, len(joined), begin, last)

    def _page(self, queue: Queue, after: int) -> Page:
        return self._db.log.page(self._db.reader, after, queue.wants)

    def _events_for(self, queue: Queue, entry: Entry) -> Sequence[bytes]:
        options = queue.options
        personal = self._personal(queue.user_id, entry)
        if options.narrow and not entry.event.in_narrow(options.narrow, personal):
            return ()
        is_echo = entry.local is not None and entry.local.queue_id == queue.id
        if personal is not None or is_echo or entry.id_count > 1:
            return [*self._own(queue, entry, personal)]
        encoded = queue.encoded.get(entry.id)
        if encoded is None:
            encoded = self._encode(queue, entry)
        return (encoded,) if encoded else ()

    def _personal(self, user_id: UserId, entry: Entry) -> object:
        """Return what the event has for this user alone; None if there is nothing."""
        if type(entry.event) is MutedTopicsChanged:
            return muted_topics(self._db.reader, user_id)
        return entry.personal.get(user_id)

    def _encoded_for(self, shape: ClientCapabilities) -> EncodedEvents:
        """Return the encoded events that all queues of this shape share."""
        return self._encoded.setdefault(shape, EncodedEvents())

    def _wishes_of(self, options: Options) -> Wishes:
        """Return what all queues with these options share."""
        return self._wishes.setdefault(options, Wishes())

    def _encode(self, queue: Queue, entry: Entry) -> bytes:
        """Encode an event for all queues of this one's shape."""
        payload = entry.event.payload(queue.options.shape, None)
        one = payload[0] if isinstance(payload, list) else payload
        encoded = b"" if one is None else kept({**one, "id": entry.id})
        if self._encoded_count >= ENCODED:
            self._forget_encoded()
        queue.encoded[entry.id] = encoded
        self._encoded_count += 1
        return encoded

    def _forget_encoded(self) -> None:
        """Drop the older half of each shape's events. Those of shapes that have no queue now are gone."""
        for known in self._encoded.values():
            for old in list(known)[: (len(known) + 1) // 2]:
                del known[old]
        self._encoded_count = sum(map(len, self._encoded.values()))

    def _own(self, queue: Queue, entry: Entry, personal: object) -> Iterable[bytes]:
        payload = entry.event.payload(queue.options.shape, personal)
        if payload is None:
            return
        payloads: list[Payload] = payload if isinstance(payload, list) else [payload]
        local = entry.local
        for number, one in enumerate(payloads):
            # A single payload gets the entry's last ID, so that no later event has a lower one.
            event_id = entry.id - len(payloads) + 1 + number
            if event_id <= queue.cursor:
                continue
            echo = (
                {"local_message_id": local.local_id}
                if local is not None and local.queue_id == queue.id
                else {}
            )
            yield orjson.dumps({**one, **echo, "id": event_id})

    # Waking, upkeep, closing

    def _tell(self, entries: Sequence[Entry]) -> Iterator[None]:
        """Tell the requests that wait of what was committed since they were last told, some in each step.

        A request that comes between two steps, or whose time is over, reads the log, and is then told nothing.
        """
        waiting = set(self._by_user)  # of a large audience most have no queue
        people: set[UserId] = set()
        for audience in {
            part for entry in entries for part in (entry.audience, entry.public_listeners)
        }:
            concerned = waiting & audience
            people |= concerned
            waiting -= concerned
        commit = self._newest = Commit(entries, self.monotonic())
        told = 0
        for user_id in people:
            for queue in self._of(user_id):
                waiter = queue.waiter
                if waiter is None:  # a request that is answered now reads the log
                    continue
                try:
                    waiter.tell(commit)
                except Exception:  # noqa: BLE001  # the request meets it again, and reports it; others go on
                    queue.wake()
                told += 1
                if told % TOLD_AT_ONCE == 0:
                    yield

    def everything(self) -> Sequence[Queue]:
        """Return all queues, for `upkeep`."""
        return [*self._queues.values()]

    def upkeep(self, tx: Tx, some: Sequence[Queue]) -> None:
        """Expire some of the queues, and store the cursors of the others. Called about every half minute."""
        now = self.monotonic()
        floor = self._db.log.older_than_newest(tx, self.limits.events_per_queue)
        kept: list[Queue] = []
        for queue in some:
            if not self._is_given_up(queue, now, floor):
                kept.append(queue)
            elif not queue.closed:
                queues.delete(tx, queue.id)
                tx.after_commit(partial(self._drop, queue))
        self._store(tx, kept, now)

    def prune(self, tx: Tx) -> bool:
        """Delete the next rows of the log that no queue needs; returns whether more are left."""
        needed = (queue.position for queue in self._queues.values())
        return self._db.log.prune(tx, min(needed, default=self._db.log.head))

    def _is_given_up(self, queue: Queue, now: float, floor: int) -> bool:
        """Whether the queue expired: no requests, or too many events behind, or for too long."""
        if queue.position < floor:  # a stream that never acknowledges would keep the log for ever
            return True
        if queue.is_attended:
            return False
        behind = queue.forgotten + now - queue.up_to_date
        return now - queue.last_seen > queue.idle_timeout or behind > self.timing.queue_idle_max

    def _store(self, tx: Tx, some: Sequence[Queue], now: float) -> None:
        forgotten: list[tuple[float, str]] = []
        for queue in some:
            behind = 0.0 if queue.is_attended else queue.forgotten + now - queue.up_to_date
            if behind < queue.stored_forgotten or behind > queue.stored_forgotten + SELDOM:
                forgotten.append((behind, queue.id))
                queue.stored_forgotten = behind
        moved = [queue for queue in some if queue.cursor != queue.stored_cursor]
        queues.set_forgotten(tx, forgotten)
        queues.set_cursors(tx, [(queue.cursor, queue.id) for queue in moved])
        for queue in moved:
            queue.stored_cursor = queue.cursor

    def pass_by(self) -> Iterator[None]:
        """Skip events for others in the queues furthest behind, a page in each step, so that the log can be pruned."""
        pages = PASSED_BY
        for queue in nsmallest(pages, self._queues.values(), key=lambda queue: queue.position):
            while pages:
                pages -= 1
                at = queue.position
                page = self._page(queue, at)
                first = next((one for one in page.entries if self._events_for(queue, one)), None)
                queue.passed = page.until if first is None else max(at, first.id - first.id_count)
                yield
                if first is not None or page.at_end:
                    break

    def move_cursor(self, queue: Queue, position: int) -> None:
        """Set the cursor of a new queue to the position at which its snapshot was read."""
        queue.cursor = queue.answered_up_to = position

    def close(self) -> None:
        """Answer all waiting polls without events and end all streams, before the server exits."""
        self._closing = True
        for queue in self._queues.values():
            queue.wake()
