"""Slow reads, in threads with their own connections, so that the event loop stays responsive.

A read sees the database as of the call: its snapshot is opened on the event loop, between
two changes, and only the rest runs in the thread. SQLite releases the GIL while it works.
Reads that take too long are stopped. Changes nothing.
"""

import asyncio
import time
from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, TypeVar
from weakref import WeakValueDictionary

import apsw

from server_lite.dataclass import dataclass
from server_lite.errors import TookTooLong
from server_lite.store.connection import Db, open_reader
from server_lite.store.query_cache import QueryCache

T = TypeVar("T")

THREADS: Final = 3
"""Maximum of concurrent reads; further ones wait, and block nothing else."""
PER_ASKER: Final = 2
"""Maximum for one person: their further reads wait for their own and delay nobody else."""
SECONDS: Final = 2.0
"""CPU time of one read in SQLite, after which it is stopped."""
_STEPS: Final = 20_000  # of SQLite's virtual machine between two checks of the clock


@dataclass(slots=True)
class _Reader:
    """A connection with its query cache."""

    connection: apsw.Connection
    query_cache: QueryCache | None


@dataclass(slots=True)
class _Work:
    """A running read. SQLite regularly calls it to ask whether to continue."""

    reader: _Reader
    seconds: float | None
    searches_as_is: bool
    stopped: bool = False

    def run(self, fn: Callable[[Db], T]) -> T:
        end = None if self.seconds is None else time.thread_time() + self.seconds
        connection = self.reader.connection
        connection.set_progress_handler(
            lambda: self.stopped or (end is not None and time.thread_time() > end), _STEPS
        )
        try:
            db = Db(connection, self.reader.query_cache, searches_as_is=self.searches_as_is)
            return fn(db)
        except apsw.InterruptError as error:
            raise TookTooLong from error
        finally:
            connection.set_progress_handler(None)
            # Not after an error of the disk: then SQLite has ended it.
            if connection.in_transaction:
                connection.execute("COMMIT")


class LongReads:
    """The threads and connections of one file, created by the first read."""

    def __init__(
        self,
        path: Path,
        *,
        seconds: float = SECONDS,
        threads: int = THREADS,
        query_cache: QueryCache | None = None,
    ) -> None:
        """`query_cache` is the writer's: if given, each connection has a cache that follows it."""
        self._path: Final = path
        self._query_cache: Final = query_cache
        self._seconds: Final = seconds
        self._threads: ThreadPoolExecutor | None = None
        self._most: Final = threads
        self._turns: Final = asyncio.Semaphore(threads)
        self._turns_of: Final = WeakValueDictionary[Hashable, asyncio.Semaphore]()
        self._idle: list[_Reader] = []
        self._under_way: list[_Work] = []

    async def read(
        self,
        fn: Callable[[Db], T],
        *,
        asker: Hashable = None,
        begun: Callable[[], None] = lambda: None,
        deadline: bool = True,
        searches_as_is: bool = False,
    ) -> T:
        """Run `fn` in a thread on one consistent snapshot; raises TookTooLong.

        `asker` identifies the person; None is the server itself, without a maximum of its own. `begun` is called on
        the event loop at the very moment of the snapshot. `searches_as_is`: see `Db`.
        """
        turns = [self._turns] if asker is None else [self._own_turns(asker), self._turns]
        taken: list[asyncio.Semaphore] = []
        try:
            for turn in turns:
                await turn.acquire()
                taken.append(turn)
            seconds = self._seconds if deadline else None
            work = _Work(self._reader(), seconds, searches_as_is)
            _open_snapshot(work.reader.connection)
            if self._query_cache is not None and work.reader.query_cache is not None:
                work.reader.query_cache.follow(self._query_cache.generations)
            begun()
            assert self._threads is not None
            done = asyncio.get_running_loop().run_in_executor(self._threads, work.run, fn)
        except BaseException:
            _release(taken)
            raise
        self._under_way.append(work)
        done.add_done_callback(lambda done: self._give_back(work, taken, done))
        try:
            # Not `shield`: from Python 3.14 on, it logs the error of a read whose caller is gone.
            await asyncio.wait((done,))
        except asyncio.CancelledError:
            work.stopped = True  # its caller was canceled
            raise
        return done.result()

    @property
    def is_reading(self) -> bool:
        """Whether a read is under way."""
        return bool(self._under_way)

    def close(self) -> None:
        """Stop running reads, and close the connections."""
        for work in self._under_way:
            work.stopped = True
        if self._threads is not None:
            self._threads.shutdown(wait=True)
        for reader in [*self._idle, *(work.reader for work in self._under_way)]:
            reader.connection.close()

    def _reader(self) -> _Reader:
        if self._threads is None:
            self._threads = ThreadPoolExecutor(self._most, thread_name_prefix="reading")
        if self._idle:
            return self._idle.pop()
        shared = self._query_cache
        memory = None if shared is None else QueryCache(shared.results)
        return _Reader(open_reader(self._path), memory)

    def _own_turns(self, asker: Hashable) -> asyncio.Semaphore:
        """Those of one person, for as long as they have or want one."""
        turns = self._turns_of.get(asker)
        if turns is None:
            turns = self._turns_of[asker] = asyncio.Semaphore(PER_ASKER)
        return turns

    def _give_back(
        self, work: _Work, taken: list[asyncio.Semaphore], done: "asyncio.Future[T]"
    ) -> None:
        self._under_way.remove(work)
        self._idle.append(work.reader)
        _release(taken)
        if not done.cancelled():
            done.exception()  # retrieved, as the caller may be gone


def _release(turns: Iterable[asyncio.Semaphore]) -> None:
    for turn in turns:
        turn.release()


def _open_snapshot(connection: apsw.Connection) -> None:
    """Begin a transaction and read once: BEGIN alone does not fix the snapshot yet."""
    connection.execute("BEGIN")
    try:
        connection.execute("SELECT ceiling FROM event_counter").fetchall()
    except BaseException:
        connection.execute("ROLLBACK")
        raise
