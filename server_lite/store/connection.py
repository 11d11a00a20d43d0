"""One SQLite connection: pragmas, statements, plain rows. Knows no table, no event and no asyncio."""

from collections.abc import Callable, Collection, Hashable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Concatenate, Final, ParamSpec, TypeVar

import apsw

from server_lite.errors import IntegerTooLarge
from server_lite.store.checksums import connect
from server_lite.store.query_cache import UNKNOWN, QueryCache
from server_lite.store.result_cache import Dependencies, Key
from server_lite.store.step_limit import StepLimit

P = ParamSpec("P")
T = TypeVar("T")
Row = tuple[Any, ...]
"""A row from SQLite: the schema defines the types, which no type checker reads."""
SqlValue = str | int | float | bytes | None
"""Type of values bound to a `?`."""

CHARACTERS_IN_A_STEP: Final = 10
"""Characters of an edit history that take as long to decode as one of SQLite's steps."""
COPIED_IN_A_STEP: Final = 30
"""Characters of a text that take as long to read and to encode for the answer."""
LONG: Final = 2_000
"""Texts with fewer characters do not count."""
BUSY_TIMEOUT: Final = 5_000
"""Milliseconds to wait for other programs that have locked the file."""
_MEMO: Final = (("memo", True),)  # apart from the results of `cached`
PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",  # acknowledged means on disk: NORMAL loses commits at power loss
    "PRAGMA fullfsync = 1",  # macOS: fsync alone does not reach the disk
    "PRAGMA checkpoint_fullfsync = 1",
    "PRAGMA foreign_keys = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA recursive_triggers = ON",
)


class Db:
    """A read connection; inside a transaction (`Tx`) one that writes."""

    __slots__ = ("_connection", "_query_cache", "_reading", "_step_limit", "searches_as_is")

    can_write: ClassVar = False

    def __init__(
        self,
        connection: apsw.Connection,
        query_cache: QueryCache | None = None,
        *,
        searches_as_is: bool = False,
        step_limit: StepLimit | None = None,
    ) -> None:
        """`query_cache`: results of rarely changing tables, also used by this connection.

        `searches_as_is`: a search finds what the index has, though messages wait for it.
        `step_limit`: the connection's, if it has one.
        """
        self._connection = connection
        self._query_cache = query_cache
        self._reading: Dependencies | None = None
        """Tables that the running `cached` call has read."""
        self.searches_as_is: Final = searches_as_is
        self._step_limit = step_limit

    @property
    def connection(self) -> apsw.Connection:
        """The connection itself, for copies and limits, which are not statements."""
        return self._connection

    def use_query_cache(self, query_cache: QueryCache | None) -> None:
        """Use this query cache from now on, or none."""
        self._query_cache = query_cache

    @property
    def version(self) -> object:
        """Another object after each change of a rarely changing table, and only then."""
        assert self._query_cache is not None
        return self._query_cache.version

    def generations(self, *tables: str) -> tuple[int, ...]:
        """Return numbers that stay the same until one of these rarely changing tables changes; none without a cache."""
        if self._query_cache is None:
            return ()
        if self._reading is not None:
            self._reading.note(tables, keeps=True)
        return tuple(map(self._query_cache.generations.__getitem__, tables))

    def row(self, sql: str, /, *values: SqlValue) -> Row | None:
        """Return the first row, or None."""
        kept = self._memory_for(sql)
        if kept is None:
            return self._first(sql, values)
        row = kept.firsts[sql].get(values, UNKNOWN)
        if row is UNKNOWN:
            row = self._first(sql, values)
            kept.keep_first(sql, values, row)
        return row

    def _first(self, sql: str, values: tuple[SqlValue, ...]) -> Row | None:
        cursor = self._execute(sql, values)
        for row in cursor:
            return tuple(row)
        return None

    def rows(self, sql: str, /, *values: SqlValue) -> list[Row]:
        """Return all rows."""
        kept = self._memory_for(sql)
        if kept is None:
            return self._execute(sql, values).fetchall()
        rows = kept.rows(sql, values)
        if rows is None:
            rows = self._execute(sql, values).fetchall()
            kept.keep_rows(sql, values, rows)
        return rows.copy()

    def counted_rows(self, sql: str, /, *values: SqlValue, text: int) -> list[Row]:
        """Return all rows of a statement that is not cached. Texts in its last column take long to decode.

        They count as steps, and so do long texts in the column `text`, which are only copied. Thus a read moves to a
        thread before it has read all of them.
        """
        limit = self._step_limit
        self._memory_for(sql)
        if limit is None:
            return self._execute(sql, values).fetchall()
        rows: list[Row] = []
        for row in self._execute(sql, values):
            if row[-1]:
                limit.count(len(row[-1]) // CHARACTERS_IN_A_STEP)
            if (length := len(row[text])) > LONG:
                limit.count(length // COPIED_IN_A_STEP)
            rows.append(row)
        return rows

    def count_steps(self, steps: int) -> None:
        """Count work that takes as long as so many of SQLite's steps, so that a read moves to a thread before it."""
        if self._step_limit is not None:
            self._step_limit.count(steps)

    def value(self, sql: str, /, *values: SqlValue) -> Any:
        """Return the first column of the first row, or None."""
        row = self.row(sql, *values)
        return None if row is None else row[0]

    def column(self, sql: str, /, *values: SqlValue) -> list[Any]:
        """Return the first column of all rows."""
        return [row[0] for row in self.rows(sql, *values)]

    def note_index_change(self) -> None:
        """Note that the search index changes; see `Tx`."""

    def cached(
        self, fn: Callable[Concatenate["Db", P], T], /, *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Return `fn(self, …)`, cached until a table that it read changes. The result must not be mutated.

        `fn` depends only on tables and its hashable arguments. A call that reads a frequently changing table,
        or the clock, is computed each time.
        """
        memory = self._query_cache
        if memory is None:
            return fn(self, *args, **kwargs)
        key: Key = (fn, args, tuple(kwargs.items()) if kwargs else ())
        results = memory.results.by_function[fn]
        result_entry = results.get(key)
        is_current = result_entry is not None and result_entry.version is memory.version
        if not is_current or len(results) > memory.results.unordered:
            result_entry = memory.results.find(key, memory.generations, memory.version)
        outer = self._reading
        if result_entry is None:
            reading = self._reading = Dependencies()
            try:
                result = fn(self, *args, **kwargs)
            finally:
                self._reading = outer
            result_entry = memory.results.keep(key, result, reading, memory.generations)
        if outer is not None:
            outer.add(result_entry.reading)
        return result_entry.result  # type: ignore[return-value]  # as `fn` returned it; `cast` is a call for each of many

    def memo(self, fn: Callable[..., T], /, *tables: str) -> dict[Hashable, T]:
        """Return a dictionary for results of `fn`, which is empty again when one of these tables changed; of none: never.

        For many results of which a request needs some; `fn` depends on nothing but its arguments and the tables,
        which change rarely. Results must not be mutated.
        """
        memory = self._query_cache
        if memory is None:
            return {}
        if self._reading is not None:
            self._reading.note(tables, keeps=True)
        key: Key = (fn, tables, _MEMO)
        entry = memory.results.find(key, memory.generations, memory.version)
        if entry is None:
            reading = Dependencies()
            reading.note(tables, keeps=True)
            entry = memory.results.keep(key, {}, reading, memory.generations)
        return entry.result  # type: ignore[return-value]  # as in `cached`

    def kept(self, make: Callable[["Db"], T], /) -> T:
        """Return `make(self)`, made once for all connections of the file.

        It stays when tables change: whoever changes what it stands for changes it, too.
        """
        memory = self._query_cache
        return make(self) if memory is None else memory.results.made_once(make, self)

    def run(self, sql: str, /, *values: SqlValue) -> int:
        """Execute a change; returns the number of affected rows."""
        self._memory_for(sql)
        before = self._connection.total_changes()
        self._execute(sql, values)
        return self._connection.total_changes() - before

    def run_unnoticed(self, sql: str, /, *values: SqlValue) -> None:
        """Execute a change on which no cached result depends, though other changes of its table matter."""
        self._execute(sql, values)

    def insert(self, sql: str, /, *values: SqlValue) -> int:
        """Execute an INSERT; returns the new row's ID."""
        self._memory_for(sql)
        self._execute(sql, values)
        return self._connection.last_insert_rowid()

    def many(self, sql: str, rows: Sequence[Sequence[SqlValue]], /) -> None:
        """Execute a change once for each row of values."""
        self._memory_for(sql)
        try:
            self._connection.executemany(sql, rows)
        except OverflowError as error:
            raise IntegerTooLarge from error

    def count_many(self, sql: str, rows: Sequence[Sequence[SqlValue]], /) -> int:
        """Execute a change once for each row of values; returns the number of affected rows."""
        before = self._connection.total_changes()
        self.many(sql, rows)
        return self._connection.total_changes() - before

    def _execute(self, sql: str, values: Sequence[SqlValue]) -> apsw.Cursor:
        try:
            return self._connection.execute(sql, values)
        except OverflowError as error:
            raise IntegerTooLarge from error

    def _memory_for(self, sql: str) -> QueryCache | None:
        """Return the cache for a statement's result, None if uncacheable. Drops what a change invalidates."""
        memory = self._query_cache
        if memory is None:
            return None
        meaning = memory.meanings[sql]
        if self._reading is not None:
            self._reading.note(meaning.tables, keeps=meaning.keeps)
        if meaning.keeps:
            return memory
        if meaning.tables:
            memory.change(sql)
        return None


def now(db: Db) -> float:
    """Return UNIX seconds by the system's clock, as SQLite reads it."""
    moment: float = db.value("SELECT unixepoch('subsec')")
    return moment


def placeholders(values: Collection[object]) -> str:
    """Return `?, ?, ?` for an IN list; SQLite's default limit is 32,766 values."""
    return ", ".join("?" * len(values))


def open_writer(path: Path) -> apsw.Connection:
    """Open the only connection that writes and checkpoints; `configure` it once the file is known as ours."""
    connection = connect(path)
    prepare(connection)
    return connection


def configure(connection: apsw.Connection) -> None:
    """Make a writer durable. Changes the file: its journal becomes a write-ahead log."""
    for pragma in PRAGMAS:
        connection.execute(pragma)


def open_reader(path: Path) -> apsw.Connection:
    """Open a connection that cannot write, and never checkpoints."""
    connection = connect(path, apsw.SQLITE_OPEN_READONLY)
    prepare(connection)
    connection.execute("PRAGMA query_only = ON")
    connection.wal_autocheckpoint(0)
    return connection


def prepare(connection: apsw.Connection) -> None:
    """Make a new connection safe against any file, before anything in it is read."""
    connection.set_busy_timeout(BUSY_TIMEOUT)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    # Query plans do not depend on values, so that statements are not prepared again for new ones.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    # Before the first statement: our schema has no triggers and views, so a file's own are hostile.
    connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_VIEW, 0)
    connection.limit(apsw.SQLITE_LIMIT_LENGTH, 32 * 1024 * 1024)
