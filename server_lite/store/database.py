"""The organization's database: who writes, when a change is durable, how events join it. No HTTP, no nouns.

Theory of operation. There is one writer connection, and it is the only checkpointer. A change is a
function of a transaction, `fn(tx)`; it runs to its end without awaiting, so no two changes interleave.
Changes that wait in the same turn of the event loop share one transaction, a savepoint each after the first, and
one fsync; of many, the next ones wait for the next turn, and each asker's are made in turn. `await write(fn)` returns after COMMIT, so an answered
change is on disk. New messages are added to the search index, its parts are merged and the write-ahead log is
checkpointed in a thread, after the callers were answered; changes that arrive meanwhile wait, reads continue.

`tx.emit(event, to=…)` is the only way to send an event: the event's row is written in the same
transaction. A change without its event, or an event without its change, cannot happen.

After an SQLite error the transaction may be gone (disk full, I/O error): then no change of it is acknowledged.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, TypeVar, cast

import apsw

from server_lite.dataclass import dataclass
from server_lite.errors import Unavailable
from server_lite.events.base import Event, Personal
from server_lite.fair_queue import FairQueue
from server_lite.futures import settle_future
from server_lite.ids import UserId
from server_lite.store import queues, search_index, unread_messages
from server_lite.store.connection import Db, open_reader
from server_lite.store.disk_errors import FAILED_SYNCS, unavailable
from server_lite.store.event_log import NOBODY, Entry, EventLog, Local, Unwritten, unwritten
from server_lite.store.file_identity import FileIdentity
from server_lite.store.index_upkeep import IndexUpkeep, NewMessage
from server_lite.store.long_reads import LongReads
from server_lite.store.opening import open_file
from server_lite.store.query_cache import QueryCache
from server_lite.store.step_limit import StepLimit
from server_lite.store.write_ahead_log import WriteAheadLog

T = TypeVar("T")
Settle = Callable[[object], None]
"""Gets the result of a change when it is on disk, or its exception."""
log = logging.getLogger("chinwag.server")

CHANGES_AT_ONCE: Final = 50
"""Changes in one transaction: when thousands of clients come back at once, reads run in between."""
SECONDS_AT_ONCE: Final = 0.005
"""Time after which no further change joins a transaction: 50 long ones would take a second."""


class Tx(Db):
    """A running change: a connection that writes, one reading of the clock, and `emit`."""

    __slots__ = (
        "_hooks",
        "_log",
        "changes_index",
        "ended_queues",
        "entries",
        "new_messages",
        "now",
        "running",
        "unwritten",
    )

    can_write = True

    def __init__(
        self,
        connection: apsw.Connection,
        log: EventLog,
        now: float,
        running: float,
        query_cache: QueryCache,
        new_messages: list[NewMessage],
    ) -> None:
        super().__init__(connection, query_cache)
        self.new_messages: Final = new_messages
        """New messages of all changes. Their unread rows are copied at the end: savepoints would note each page before."""
        self.changes_index = False
        """Whether the search index was changed."""
        self.ended_queues: set[UserId] = set()
        """Owners of queues that end with this change."""
        self._log = log
        self._hooks: list[Callable[[], None]] = []
        self.now: Final = now
        """UNIX seconds; the only clock reading of this change."""
        self.running: Final = running
        """Seconds for which servers have run on this file, unaffected by clock changes."""
        self.entries: list[Entry] = []
        self.unwritten: list[Unwritten] = []
        """Durable ones of them. The rows of all changes are written by one statement when the transaction ends."""

    def emit(
        self,
        event: Event[Personal],
        *,
        to: Collection[UserId],
        public_listeners: Collection[UserId] = (),
        personal: Mapping[UserId, Personal] | None = None,
        local: Local | None = None,
    ) -> None:
        """Log an event for the users in `to`; it is sent when the change is on disk.

        The audience is fixed here: a user who loses access a moment later still gets the event, and one who
        gains it does not. `public_listeners` get the event in queues with `all_public_streams`.
        `personal[user_id]` is passed to the event's `payload` for that user alone.
        """
        audience = self._log.shared(frozenset(to))
        everybody_else = frozenset(public_listeners) - audience if public_listeners else NOBODY
        if not audience and not everybody_else:
            return
        id_count = event.id_count
        entry = Entry(
            id=self._log.allocate(id_count),
            id_count=id_count,
            event=event,
            audience=audience,
            public_listeners=everybody_else,
            personal=personal or {},
            local=local,
        )
        if event.durable:
            self.unwritten.append(unwritten(entry))
        self.entries.append(entry)

    def note_index_change(self) -> None:
        """Note that the search index changes, and gets a part that will be merged."""
        self.changes_index = True

    def end_queues(self, user_ids: Iterable[UserId]) -> None:
        """End all event queues of users when the change is on disk: their clients register again."""
        self.ended_queues.update(user_ids)
        queues.delete_of_users(self, self.ended_queues)

    def after_commit(self, hook: Callable[[], None]) -> None:
        """Call `hook` when the change is on disk; never if it is rolled back."""
        self._hooks.append(hook)

    def committed(self) -> None:
        """Run the hooks. Called only by the database. The change stands: a hook's exception is logged."""
        for hook in self._hooks:
            try:
                hook()
            except Exception:  # a border: other changes of the batch must be answered
                log.exception("what follows a change failed")


@dataclass(slots=True)
class _Job:
    fn: Callable[[Tx], object]
    settle: Settle


class Database:
    """An open database. `write` and `read` are for the event loop, `write_now` for start-up and commands."""

    def __init__(
        self,
        path: Path,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        keeps_older: bool = True,
    ) -> None:
        """Open `path`, creating it or migrating it, a copy kept beside it if `keeps_older`; raises StartError."""
        self.path = path
        self.clock = clock
        self._writer = open_file(path, keeps_older=keeps_older)
        self._reader = open_reader(path)
        self._query_cache: Final = QueryCache()
        self._reading_steps: Final = StepLimit(self._reader)
        self.reader: Final = Db(self._reader, self._query_cache, step_limit=self._reading_steps)
        self.monotonic = monotonic
        self._ran_before: float = self.reader.value("SELECT running FROM event_counter")
        self._started = monotonic()
        self.log: Final = EventLog(self.reader)
        self.on_commit: Callable[[list[Entry]], None] = lambda _: None
        """Called with the committed entries, as the next with users whose queues ended; set by the queues."""
        self.on_queues_end: Callable[[Collection[UserId]], None] = lambda _: None
        self.long_reads: Final = LongReads(path, query_cache=self._query_cache)
        self.rendering: Final = LongReads(path, threads=1, query_cache=self._query_cache)
        self._pending: Final = FairQueue[_Job]()
        self._scheduled = False
        self._index: Final = IndexUpkeep(self.reader)
        self._is_tidying = False
        self._tidier: Final = ThreadPoolExecutor(1, "tidying")  # the loop's threads may be busy
        self._completing: Final = asyncio.Lock()
        self._turn = threading.RLock()  # of the writer: held by changes, or the tidying thread
        self._is_closed = False
        self._refusal = ""
        """Reason why nothing is written, as a sentence; empty if all is well."""
        self._broken = ""
        """Like `_refusal`, until the file is reopened: after a failed fsync the disk's state is unknown."""
        self._write_ahead_log: Final = WriteAheadLog(self._writer, path)
        self._place = FileIdentity(path)
        try:
            self.write_now(lambda _: None)  # raises the ceiling above the IDs of earlier runs
        except Unavailable as error:  # raised again by the next change; reading works
            log.error("%s can be read but not written: %s", path, error.msg)  # noqa: TRY400  # told
        self._place = FileIdentity(path)  # the write-ahead log exists now

    def close(self) -> None:
        """Close all connections; the last one truncates the write-ahead log."""
        self._is_closed = True
        self.long_reads.close()
        self.rendering.close()
        self._reader.close()
        self._tidier.shutdown()
        with self._turn:
            self._writer.close()

    def read(self, fn: Callable[[Db], T]) -> T:
        """Run `fn` on one consistent snapshot. It must not await."""
        self._reader.execute("BEGIN")
        try:
            return fn(self.reader)
        finally:
            # Not after an error of the disk: then SQLite has ended it.
            if self._reader.in_transaction:
                self._reader.execute("COMMIT")

    async def read_or_delegate(self, fn: Callable[[Db], T], *, asker: Hashable = None) -> T:
        """Run `fn` at once if it takes few SQLite steps, else again in a thread; raises TookTooLong."""
        is_behind = False
        try:
            with suppress(apsw.InterruptError):
                return self.read(partial(self._reading_steps.limit, fn))
        except search_index.SearchIndexBehind:
            await self._complete_index()
            is_behind = True
        return await self.long_reads.read(fn, asker=asker, searches_as_is=is_behind)

    async def read_long(
        self,
        fn: Callable[[Db], T],
        *,
        asker: Hashable = None,
        begun: Callable[[], None] = lambda: None,
        deadline: bool = True,
    ) -> T:
        """Run a slow `fn` in a thread on one consistent snapshot; see `LongReads.read`."""
        try:
            return await self.long_reads.read(fn, asker=asker, begun=begun, deadline=deadline)
        except search_index.SearchIndexBehind:
            await self._complete_index()
        # Messages that came since the first attempt are ignored.
        return await self.long_reads.read(
            fn, asker=asker, begun=begun, deadline=deadline, searches_as_is=True
        )

    async def write(self, fn: Callable[[Tx], T], *, asker: Hashable = None) -> T:
        """Run `fn` in a transaction and return its result when it is on disk; see `submit`."""
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self.submit(fn, partial(settle_future, future), asker=asker)
        return await future

    def submit(self, fn: Callable[[Tx], object], settle: Settle, *, asker: Hashable = None) -> None:
        """Run `fn` in a transaction; `settle` gets its result when it is on disk, or its exception.

        For callers without a task. `settle` is called on the event loop, after this returned. `asker` identifies the
        person, whose changes keep their order, and do not wait for all of another one's; None is the server itself.
        """
        self._pending.add(asker, _Job(fn, settle))
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._flush)

    def write_now(self, fn: Callable[[Tx], T]) -> T:
        """Run `fn` in a transaction at once: for start-up and commands, outside the event loop."""
        (outcome,), entries = self._run([fn])
        self._tell(entries)
        if self._write_ahead_log.is_long:
            with self._turn:
                self._checkpoint()
        if isinstance(outcome, BaseException):
            raise outcome
        return cast(T, outcome)

    def _flush(self) -> None:
        if self._is_tidying or not self._pending:  # `_tidied` on the loop waits for no thread
            return
        taken = self._pending.take(CHANGES_AT_ONCE)
        try:
            outcomes, entries = self._run([job.fn for _, job in taken])
        except Exception as error:  # noqa: BLE001  # a bug after the commit: answered, never made again
            outcomes, entries = [error for _ in taken], []
        self._pending.put_back(taken[len(outcomes) :])
        self._scheduled = bool(self._pending)
        if self._scheduled:
            asyncio.get_running_loop().call_soon(self._flush)
        for (_, job), outcome in zip(taken, outcomes, strict=False):  # the first ones are made
            try:
                job.settle(outcome)
            except Exception:  # a border: other changes of the batch must be answered
                log.exception("a change could not be answered")
        self._tell(entries)
        if self._has_to_tidy:
            asyncio.get_running_loop().call_soon(self._tidy)

    def _tidy(self) -> None:
        """Start to checkpoint, and to add to the search index and merge it, in small steps with changes in between.

        In a thread: a merge stops only between two words, and the most common word of a long history takes
        long, as do the syncs of a checkpoint. Reads and polls continue meanwhile; changes wait.
        """
        if self._is_tidying or self._is_closed:
            return
        if self._refused():
            self._index.postpone()
            return
        tidying = asyncio.get_running_loop().run_in_executor(self._tidier, self._tidy_some)
        self._is_tidying = True
        tidying.add_done_callback(self._tidied)

    @property
    def _has_to_tidy(self) -> bool:
        return self._index.is_due or self._write_ahead_log.is_long

    def _tidy_some(self) -> None:
        """Do one step, in the thread."""
        with self._turn:
            if self._is_closed:
                return
            if self._write_ahead_log.is_long:
                self._checkpoint()
            if not self._index.is_due:
                return
            try:
                self._writer.execute("BEGIN IMMEDIATE")
                note = self._index.step(Db(self._writer))
                self._writer.execute("COMMIT")
            except apsw.Error:
                self._abandon()
                raise
            note()

    async def _complete_index(self) -> None:
        """Add all messages that wait to the search index, for a search. Without space on the disk they still wait."""
        until = self._index.newest
        async with self._completing:  # many searches would add all of it in one transaction
            with suppress(Unavailable):
                while self._index.complete_until < until:
                    self._index.note_added(await self.write(self._index.add))

    def _tidied(self, done: "asyncio.Future[None]") -> None:
        self._is_tidying = False
        error = None if done.cancelled() else done.exception()
        if isinstance(error, apsw.Error):
            log.warning("the search index could not be changed: %s", error)
            self._note_failure(error)
        elif error is not None:
            log.error("the search index could not be changed", exc_info=error)
        if error is not None:
            self._index.postpone()
        if self._scheduled:
            self._flush()
        if self._has_to_tidy and not done.cancelled():
            asyncio.get_running_loop().call_soon(self._tidy)

    def _run(self, fns: list[Callable[[Tx], object]]) -> tuple[list[object], list[Entry]]:
        """Run a transaction; returns results or exceptions of the changes that fit into it, and the entries to send."""
        with self._turn:
            self.reader.use_query_cache(None)  # readers must not see uncommitted results
            try:
                return self._run_in_turn(fns)
            finally:
                self.reader.use_query_cache(self._query_cache)

    def _run_in_turn(self, fns: list[Callable[[Tx], object]]) -> tuple[list[object], list[Entry]]:
        if refusal := self._refused():
            return [Unavailable(refusal) for _ in fns], []
        outcomes: list[object] = []
        done: list[Tx] = []
        new_messages: list[NewMessage] = []
        now = self.clock()
        running = self._ran_before + self.monotonic() - self._started
        try:
            self._writer.execute("BEGIN IMMEDIATE")
            end = time.perf_counter() + SECONDS_AT_ONCE
            for fn in fns:
                if outcomes and time.perf_counter() > end:
                    break
                tx = Tx(self._writer, self.log, now, running, self._query_cache, new_messages)
                outcome = self._attempt(fn, tx, is_first=not done)
                outcomes.append(outcome)
                if not isinstance(outcome, BaseException):
                    done.append(tx)
            if new_messages:
                newest, _ = new_messages[-1]
                unread_messages.copy_some(done[-1], newest, count=len(new_messages))
            rows = [row for tx in done for row in tx.unwritten]
            if rows:
                self.log.append(done[-1], rows)
            ceiling = self.log.raise_ceiling(Db(self._writer)) if self.log.needs_ceiling() else None
            self._writer.execute("COMMIT")
        except Exception as error:  # noqa: BLE001  # a border: whoever waits is answered, whatever happens
            self._abandon()
            if not isinstance(error, apsw.Error):
                return [error for _ in fns], []
            self._note_failure(error)
            return [unavailable(error) for _ in fns], []
        entries = [entry for tx in done for entry in tx.entries]
        self.log.commit(entries, ceiling)
        self._index.note_commit(new_messages, changes_index=any(tx.changes_index for tx in done))
        for tx in done:
            if tx.ended_queues:
                tx.after_commit(partial(self.on_queues_end, tx.ended_queues))
            tx.committed()
        return outcomes, entries

    @property
    def is_writable(self) -> bool:
        """Whether changes can be stored, as far as known: a full disk shows only when written to."""
        return not self._refused()

    def _refused(self) -> str:
        """Return why nothing can be written now; logged whenever it changes."""
        reason = self._broken
        if not reason and (moved := self._place.reason()):
            reason = (
                f"{moved} while the server has it open. Nothing is stored until it is back,"
                " or the server is restarted."
            )
        if reason != self._refusal:
            if reason:
                log.critical("%s", reason)
            else:
                log.warning("%s is in its place again", self.path)
            self._refusal = reason
        if not reason:
            return ""
        return "The server cannot store anything right now; its log says why. Nothing was changed."

    def _note_failure(self, error: apsw.Error) -> None:
        """Stop writing after a failed fsync. It cannot be retried: the system may have dropped the pages."""
        if getattr(error, "extendedresult", 0) in FAILED_SYNCS:
            self._broken = (
                f"The disk of {self.path} reported an error while syncing ({error})."
                " Nothing more is stored until the server is restarted. Check the disk."
            )
            self._refused()

    def _checkpoint(self) -> None:
        try:
            self._write_ahead_log.checkpoint()
        except apsw.Error as error:
            log.warning("%s could not be checkpointed: %s", self.path, error)
            self._note_failure(error)

    def _attempt(self, fn: Callable[[Tx], object], tx: Tx, *, is_first: bool) -> object:
        """Run one change; an exception undoes it alone. The first change needs no savepoint."""
        changes = self._query_cache.changes
        messages_before = len(tx.new_messages)
        if not is_first:
            self._writer.execute("SAVEPOINT change")
        try:
            outcome = fn(tx)
        except Exception as error:  # passed on to the caller of `write`
            if not self._writer.in_transaction:
                raise apsw.Error(f"the transaction is gone: {type(error).__name__}") from error
            self._writer.execute("ROLLBACK" if is_first else "ROLLBACK TO change")
            if is_first:
                self._writer.execute("BEGIN IMMEDIATE")
            del tx.new_messages[messages_before:]
            self.log.undo()
            if self._query_cache.changes != changes:
                self._query_cache.undo()
            outcome = unavailable(error) if isinstance(error, apsw.Error) else error
        if not is_first:
            self._writer.execute("RELEASE change")
        return outcome

    def _abandon(self) -> None:
        self._query_cache.undo()
        self.log.undo()
        try:
            if self._writer.in_transaction:
                self._writer.execute("ROLLBACK")
        except apsw.Error:  # nothing was acknowledged as stored, so there is nothing more to do
            log.exception("a transaction could not be rolled back")

    def _tell(self, entries: list[Entry]) -> None:
        """Send entries after the reply: readers are woken in the next turn of the loop."""
        if not entries:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self.on_commit(entries)
        else:
            loop.call_soon(lambda: self.on_commit(entries))
