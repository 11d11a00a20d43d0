"""The sync machine: the only writer of the store, and the handler of all failures of the event stream.

Theory of operation. `run` registers, which gives a snapshot and a queue, and then asks for the queue's
events for ever, by streams or polls (`event_source`). Each answer, or part of a stream, is applied to the store
event by event and reported once, as the merged IDs of all changes. Nothing else writes to the store, so between two reports it never changes under a
reader: fetches (`history`), the user's pending operations (`add_operation`), the outbox and local drafts
all come through here.

Failures are sorted in `failures.recovery_for`, nowhere else:
- no network, 5xx, rate limits: try again, after a delay that grows and differs between clients;
- the queue is gone: register again, quietly. The new store is filled with the windows that are
  open before it takes the old one's place, so the reader sees no gap and no flicker;
- an exception while applying: the state may be corrupted. The store is thrown away as above;
- any other failure is a bug: reported, and started over as above, after a delay that grows;
- the API key is not accepted, and the server itself confirms that: stop, until the user signs in again.

Clock, sleep and chance are given, so that tests wait for nothing. No Textual: the store is shown by a
`Listener`.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from tui import bugs
from tui.api.connection import Connection
from tui.api.model import Anchor, EventId, LocalId, MessageId, QueueId
from tui.api.routes import queues, server, users
from tui.api.routes.presence import Presences
from tui.api.routes.queues import EVERYTHING, QueueFilter
from tui.dataclass import dataclass
from tui.errors import ApiError
from tui.narrow import Narrow
from tui.store import NOTHING, Changes, Store
from tui.store.changes import Part
from tui.store.drafts import LocalDraft, LocalDraftId
from tui.store.optimistic import Operation, OperationId, affected
from tui.store.outbox import OutgoingMessage
from tui.sync.backoff import Backoff, HeldKey
from tui.sync.event_source import EventSource
from tui.sync.failures import GiveUp, RegisterAgain, Retry, is_closed, is_signed_out, recovery_for
from tui.sync.history import History
from tui.sync.status import Connecting, Listener, Live, Retrying, SignedOut, Status

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import Event

IDLE_QUEUE_SECONDS = 12 * 3600
"""How long the server keeps the queue of a suspended laptop."""
FRAME_SECONDS = 1 / 30
"""Answers that arrive faster are handled together: no more than one per frame."""
EMPTY_ANSWER_SECONDS = 1.0
"""A request that ends sooner and brought nothing new is followed by the next one only then."""
LINE_SECONDS = 5.0
"""Seconds after which what the user did and the server accepted has come by the stream, if it changed anything."""
TYPING_CHECK_SECONDS = 1.0
BUG = "Syncing failed because of a bug."
ASLEEP_SECONDS = 30.0
"""Seconds without a tick of the clock after which the machine was suspended, and its connections are dead."""

_OUTBOX: frozenset[Part] = frozenset({"outbox"})
_DRAFTS: frozenset[Part] = frozenset({"drafts"})

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """Clock, sleep and chance, which tests replace."""

    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random

    async def sleep_unless(self, seconds: float, woken: asyncio.Event) -> None:
        """Sleep, but no longer than until the event is set from now on."""
        woken.clear()
        sleeping, waking = bugs.awaited(self.sleep(seconds)), bugs.awaited(woken.wait())
        try:
            await _first_of(sleeping, waking)
        finally:
            sleeping.cancel()
            waking.cancel()


class NotReady(RuntimeError):
    """The store was used before there was one: a bug of the caller."""


class StateCorrupted(Exception):
    """An event could not be applied, so the store is not to be trusted."""

    def __init__(self) -> None:
        super().__init__("Local state was inconsistent; reloading.")


class Sync:
    """The sync machine of one account: its connection and its store."""

    def __init__(
        self,
        connection: Connection,
        *listeners: Listener,
        environment: Environment | None = None,
        cached: Store | None = None,
        queue_filter: QueueFilter = EVERYTHING,
    ) -> None:
        """`cached` is the last known state, shown until the server has answered."""
        self.connection = connection
        self.status: Status = Connecting()
        self.store_if_any = cached
        self.queue_id: QueueId | None = None
        """The queue that is being polled; None while there is none."""
        self._listeners = list(listeners)
        self._queue_filter = queue_filter
        self._environment = environment or Environment()
        self._backoff = Backoff()
        self._last_event_id = EventId(-1)
        self._registered_after = MessageId(-1)
        """The newest message when the queue began: the queue brings only later ones."""
        self._source = EventSource(connection, self._environment.clock)
        self._next_answer = float("-inf")
        self._open: dict[Narrow, MessageId | None] = {}
        self._wake = asyncio.Event()
        self.connected: Final = asyncio.Event()
        """Set when the server answers again: what failed meanwhile is tried at once, without its back-off."""
        self._looked = self._environment.wall()
        self._is_in_doubt = False
        self._retry_key = HeldKey()
        self._was_dropped = False
        """Whether the queue was gone, and no events have come of another one."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        # This machine's own, which every new store gets, and which exist before the first store.
        self._outgoing: dict[LocalId, OutgoingMessage] = {}
        self._drafts: dict[LocalDraftId, LocalDraft] = {}
        self.history = History(connection, lambda: self.store, self._report)

    @property
    def store(self) -> Store:
        """The current store; raises NotReady before the first answer if nothing was cached."""
        if self.store_if_any is None:
            raise NotReady
        return self.store_if_any

    def listen(self, listener: Listener) -> None:
        """Add a listener."""
        self._listeners.append(listener)

    # The user's actions, and fetches

    def watch(self, narrow: Narrow, near: MessageId | None) -> None:
        """Keep the window of a narrow near a message (None: at its end) filled while it is open."""
        self._open[narrow] = near

    def unwatch(self, narrow: Narrow) -> None:
        """Close the window of a narrow; its messages may be dropped."""
        self._open.pop(narrow, None)

    def shorten(self, narrow: Narrow, near: MessageId | None) -> None:
        """Drop messages far from the reader after long scrolling; they are fetched again when needed."""
        if self.store.messages.shorten(narrow, near):
            self._report(Changes(windows=frozenset({narrow})))

    def add_operation(self, operation: Operation) -> OperationId:
        """Show a change of the user at once; end it with `rollback` or `acknowledge`."""
        operation_id = self.store.pending.add(operation)
        self._report(affected(operation, self.store.unreads))
        return operation_id

    def rollback(self, operation_id: OperationId) -> None:
        """Show the state before a failed operation again."""
        operation = self.store.pending.rollback(operation_id)
        if operation is not None:
            self._report(affected(operation, self.store.unreads))

    def acknowledge(self, operation_id: OperationId) -> None:
        """Mark an operation as accepted by the server: it is shown until its event arrives."""
        self.store.pending.acknowledge(operation_id)

    def put_outgoing(self, message: OutgoingMessage) -> None:
        """Show a message of the outbox, or its new state."""
        self._outgoing[message.local_id] = message
        if self.store_if_any is not None:
            self.store.outbox.put(message)
            place = message.conversation(self.store.self_id)
            self._report(Changes(parts=_OUTBOX, conversations=frozenset({place})))

    def brings(self, message_id: MessageId) -> bool:
        """Return True if the event of a message is on this queue; False if the message is older than the
        queue.
        """
        return message_id > self._registered_after

    def drop_outgoing(self, local_id: LocalId) -> None:
        """Remove a message of the outbox that was sent or discarded."""
        self._outgoing.pop(local_id, None)
        if self.store_if_any is not None:
            self.store.outbox.remove(local_id)
            self._report(Changes(parts=_OUTBOX))

    def put_draft(self, draft: LocalDraft) -> None:
        """Add or replace a local draft."""
        self._drafts[draft.local_id] = draft
        if self.store_if_any is not None:
            self.store.drafts.local[draft.local_id] = draft
            self._report(Changes(parts=_DRAFTS))

    def drop_draft(self, local_id: LocalDraftId) -> None:
        """Remove a local draft that was sent or discarded."""
        self._drafts.pop(local_id, None)
        if self.store_if_any is not None:
            self.store.drafts.drop(local_id)
            self._report(Changes(parts=_DRAFTS))

    def take_presences(self, news: Presences) -> None:
        """Take in the answer of a presence ping."""
        presences = self.store.presences
        presences.last_update_id = news.presence_last_update_id
        jumped = presences.compare_clocks(news.server_timestamp, self._environment.wall())
        self._report(Changes(people=presences.update(news.presences) | jumped))

    # The event stream

    async def run(self) -> None:
        """Keep the store current until canceled, or until the API key is not accepted any more."""
        try:
            while not isinstance(self.status, SignedOut):
                try:
                    await self._step()
                except ApiError as error:
                    await self._recover(error)
                except StateCorrupted as error:
                    self.queue_id = None
                    await self._wait(0.0, str(error))
                except Exception as error:  # noqa: BLE001  # a bug: starting over may get past it
                    persists = self._backoff.attempts >= bugs.PERSISTENT
                    bugs.report(error, "Syncing with the server", persists=persists)
                    self.queue_id = None
                    await self._wait(0.0, BUG)
        finally:
            for task in self._tasks.values():
                task.cancel()
            await self._give_back()

    def retry_now(self, *, by_key: bool = False) -> None:
        """Ask the server at once: the user wants it, or the network is back. `by_key`: the key may be held down."""
        if by_key and not self._retry_key.begins(self._environment.clock()):
            return
        self._is_in_doubt = True
        self._wake.set()

    def detect_suspend(self) -> None:
        """Detect a suspended machine, and poll at once afterwards. To be called about once a second.

        Timers stood still meanwhile, and nothing reports that the connection is dead.
        """
        before, self._looked = self._looked, self._environment.wall()
        if self._looked - before > ASLEEP_SECONDS:
            self._is_in_doubt = True
            self._wake.set()

    async def _step(self) -> None:
        if self.queue_id is None:
            await self._register()
            return
        self._wake.clear()
        # A poll that returns at once shows that all is well, where that is in doubt.
        doubtful = isinstance(self.status, Retrying) or self._is_in_doubt
        self._is_in_doubt = False
        await self._unless_woken(self._receive(self.queue_id, doubtful=doubtful))

    async def _receive(self, queue_id: QueueId, *, doubtful: bool) -> None:
        """Apply the events of one request: those of a poll, or of a stream until it ends."""
        streams = self._source.streams and not doubtful
        last, begun = self._last_event_id, self._environment.clock()
        if streams:
            answers = self._source.stream(queue_id, last)
        else:
            answers = self._source.poll(queue_id, last, dont_block=doubtful)
        acknowledged, asked = self.store.pending.acknowledged(), self._environment.clock()
        async with aclosing(answers):
            async for events in answers:
                now = self._environment.clock()
                # A poll is answered after it was asked for; a line may have been on its way already.
                is_later = not streams or now - asked >= LINE_SECONDS
                self._take(events, acknowledged if is_later else frozenset())
                if is_later:
                    acknowledged, asked = self.store.pending.acknowledged(), now
                # In a flood a poll brings as much as a frame can show. A stream brings each event in a part of
                # its own: parts that are waiting are taken at once, else a flood would fall behind.
                if (left := self._next_answer - now) > 0:
                    await self._environment.sleep(0.0 if streams and events else left)
                self._next_answer = self._environment.clock() + FRAME_SECONDS
        # A server that answers at once, with nothing, is not asked in a loop; polls take over at once.
        empty = self._last_event_id == last and not doubtful and streams == self._source.streams
        if empty and (left := begun + EMPTY_ANSWER_SECONDS - self._environment.clock()) > 0:
            await self._environment.sleep(left)

    async def _unless_woken(self, receiving: Coroutine[Any, Any, None]) -> None:
        """Wait for it, until a wake-up ends the wait, since the connection may be dead."""
        answer = bugs.awaited(receiving)
        waking = bugs.awaited(self._wake.wait())
        try:
            await _first_of(answer, waking)
            if answer.done():
                await answer
        finally:
            answer.cancel()
            waking.cancel()

    async def _register(self) -> None:
        if not isinstance(self.status, (Live, Retrying)):
            self._tell(Connecting())
        before = self.store_if_any
        # Only these are certainly in the snapshot: others may be answered while it is made.
        acknowledged: frozenset[OperationId] = (
            before.pending.acknowledged() if before else frozenset()
        )
        snapshot = await queues.register(
            self.connection,
            event_types=None,
            fetch_event_types=None,
            queue_filter=self._queue_filter,
            idle_queue_timeout_seconds=IDLE_QUEUE_SECONDS,
            feature_level=0 if before is None else before.realm.feature_level,
        )
        self.queue_id = snapshot.queue_id
        self._last_event_id = snapshot.last_event_id
        self._source.registered(snapshot)
        store = Store.from_snapshot(snapshot)
        store.presences.compare_clocks(snapshot.server_timestamp, self._environment.wall())
        self._registered_after = store.max_message_id
        if before is not None:
            for operation_id in acknowledged:
                before.pending.rollback(operation_id)
            store.pending = before.pending
        await self._fill(store)
        # After the last wait: messages and drafts from meanwhile are included.
        self._carry_over(store)
        self.store_if_any = store
        self._tell(Live())
        self._report(Changes(replaced=True))

    def _carry_over(self, store: Store) -> None:
        """Put this machine's own messages and drafts into the new store."""
        for message in list(self._outgoing.values()):
            if message.message_id is not None and not self.brings(message.message_id):
                del self._outgoing[message.local_id]  # its event was on an earlier queue
            else:
                store.outbox.put(message)
        for draft in self._drafts.values():
            store.drafts.local[draft.local_id] = draft

    async def _fill(self, store: Store) -> None:
        """Load the open windows before the store is shown; failures are left to the reader."""
        for narrow, anchor in list(self._open.items()):
            place: Anchor = "newest" if anchor is None else anchor
            try:
                await self.history.load_into(store, narrow, place)
            except ApiError as error:
                _log.info("an open window was not filled again: %s", error)

    def _take(self, events: Sequence[Event], acknowledged: frozenset[OperationId]) -> None:
        changes = NOTHING
        store = self.store
        try:
            for event in events:
                if event.id > self._last_event_id:
                    changes = changes.merge(store.apply(event))
                    self._last_event_id = event.id
        except Exception as error:
            # The state may be corrupted, whatever the failure was.
            bugs.report(error, "Applying an event")
            raise StateCorrupted from error
        for operation_id in acknowledged:
            operation = store.pending.rollback(operation_id)
            if operation is not None:
                changes = changes.merge(affected(operation, store.unreads))
        changes = changes.merge(self.history.drop_cached())
        # Only now: a server that sends snapshots but no events is backed off from.
        self._backoff.reset()
        self._was_dropped = False
        self._tell(Live())
        self._report(changes)
        self._follow_up()

    async def _recover(self, error: ApiError) -> None:
        at_least = 0.0
        match recovery_for(error):
            case GiveUp():
                if await self._is_signed_out():
                    self._tell(SignedOut(str(error)))
                    return
            case RegisterAgain(quiet=quiet):
                self.queue_id = None
                if quiet and not self._was_dropped:
                    # The server is back, however long it was gone. Counted, so that one that drops every
                    # queue is not asked in a loop.
                    self._was_dropped = True
                    self._backoff.reset()
                    self._backoff.next_delay(0.0)
                    return
            case Retry(at_least=seconds):
                at_least = seconds
        await self._wait(at_least, str(error))

    async def _is_signed_out(self) -> bool:
        """Ask the server, if it is a chat server, whether it really does not accept the API key."""
        try:
            await server.settings(self.connection)
        except ApiError as error:
            return is_closed(error)
        try:
            await users.get_own(self.connection)
        except ApiError as error:
            return is_signed_out(error)
        return False

    async def _wait(self, at_least: float, sentence: str) -> None:
        delay = self._backoff.next_delay(self._environment.chance(), at_least=at_least)
        self._tell(Retrying(delay, self._backoff.attempts, sentence))
        await self._environment.sleep_unless(delay, self._wake)

    async def _give_back(self) -> None:
        """Delete the queue on the server, if it can be reached."""
        if self.queue_id is None or isinstance(self.status, SignedOut):
            return
        queue_id, self.queue_id = self.queue_id, None
        try:
            await queues.delete_queue(self.connection, queue_id=queue_id)
        except ApiError as error:
            _log.info("the queue was not given back: %s", error)

    # Reports and follow-ups

    def _tell(self, status: Status) -> None:
        if status != self.status:
            self.status = status
            if isinstance(status, Live):
                self.connected.set()
            for listener in self._listeners:
                self._guard(partial(listener.status_changed, status))

    def _report(self, changes: Changes) -> None:
        for local_id in changes.echoes:
            self._outgoing.pop(local_id, None)
        if changes:
            for listener in self._listeners:
                self._guard(partial(listener.store_changed, changes))

    @staticmethod
    def _guard(tell: Callable[[], None]) -> None:
        """Report a listener's failure; the other listeners and the stream go on."""
        try:
            tell()
        except Exception as error:  # noqa: BLE001  # any failure of a listener
            bugs.report(error, "Following what changed")

    def _follow_up(self) -> None:
        """Start the work that events left open."""
        messages = self.store.messages
        if messages.pending_lookups or any(
            window.undecided for window in messages.windows.values()
        ):
            self._begin("settle", self._settle)
        if self.store.typing:
            self._begin("typing", self._expire_typing)
        messages.trim(self._open)

    def _begin(self, name: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start work in the background, one task for each name."""
        if name not in self._tasks:
            task = bugs.start(work(), "Following the conversation")
            self._tasks[name] = task
            task.add_done_callback(lambda _: self._tasks.pop(name, None))

    async def _settle(self) -> None:
        await self.history.settle(list(self._open))

    async def _expire_typing(self) -> None:
        """Expire typing notices that were not ended."""
        while self.store.typing:
            milliseconds = self.store.realm.limits.typing_started_expiry_period_milliseconds
            gone = self.store.typing.expire(self._environment.clock(), milliseconds / 1000)
            self._report(Changes(typing=gone))
            await self._environment.sleep(TYPING_CHECK_SECONDS)


async def _first_of(*tasks: asyncio.Future[Any]) -> None:
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
