"""Query results of rarely changing tables, cached until one of them changes. Knows statements, no nouns.

Theory of operation. A SELECT over nothing but `SELDOM` tables returns the same rows until one of those
changes. There is one writer, and each of its statements passes here before it runs: cached results of
the table that it changes are dropped. The tables of a statement are found among all its words, so that
a column named like a table costs a cache miss, never a wrong result. A rollback drops all results.
No row of another table deletes rows of these by cascade (a test checks the schema).
"""

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, Final

from server_lite.dataclass import dataclass
from server_lite.store.result_cache import ResultCache

SELDOM: Final = frozenset(
    (
        "alert_word",
        "api_key",
        "bot",
        "call_token",
        "channel",
        "channel_folder",
        "conversation_member",
        "custom_emoji",
        "linkifier",
        "membership",
        "muted_user",
        "navigation_view",
        "outdated_flag",
        "outdated_unread",
        "playground",
        "profile_field",
        "profile_value",
        "queue",
        "realm_domain",
        "saved_snippet",
        "setting",
        "subscription",
        "unread_index_progress",
        "upload",
        "user",
        "user_group",
        "user_group_member",
        "user_group_subgroup",
        "user_status",
    )
)
"""Tables of users, channels and settings, which change rarely."""
OFTEN: Final = frozenset(
    (
        "audience",
        "avatar",
        "avatar_slice",
        "bot_storage",
        "conversation",
        "device",
        "draft",
        "earlier_channel",
        "event_counter",
        "event_log",
        "failed_sign_in",
        "flag",
        "idempotency",
        "imported_row",
        "invite",
        "local_echo",
        "message",
        "message_place",
        "message_text",
        "outgoing_call",
        "presence",
        "push_token",
        "reaction",
        "received_mail",
        "scheduled_message",
        "shared_flag",
        "shared_flag_user",
        "search_backlog",
        "search_index_progress",
        "submessage",
        "topic",
        "unread",
        "unread_by_user",
        "upload_link",
        "upload_slice",
        "used_token",
        "user_topic",
    )
)
"""All other tables, whose results are never cached."""

WATCHED: Final = SELDOM | {"topic"}
"""Tables whose changes are noticed: besides the above, those of which `Db.memo` keeps something."""

MOST: Final = 2_000
"""Maximum of rows and values in one cached result."""
ALL: Final = 10_000
"""Maximum of rows and values in all cached results, and of analyzed statements."""
TEXT: Final = 2_000_000
"""Maximum of characters of analyzed statements: a list of 30,000 values makes one of 90,000."""

_NAMES: Final = re.compile(r"(?<![.\w])\w+")  # not the column of `table.column`
_TARGETS: Final = re.compile(
    r"\b(?:INTO|UPDATE(?:\s+OR\s+\w+)?|DELETE\s+FROM)\s+(\w+)", re.IGNORECASE
)
_READS: Final = re.compile(r"\s*(?:SELECT|WITH)\b", re.IGNORECASE)
_MOVES: Final = frozenset(("unixepoch", "strftime", "julianday", "random", "changes"))

Row = tuple[Any, ...]
UNKNOWN: Final[Row] = ("unknown",)
"""Instead of a row that is not cached."""


@dataclass(frozen=True, slots=True)
class StatementUse:
    """How the cache treats a statement."""

    keeps: bool
    """Whether its result may be cached."""
    tables: tuple[str, ...]
    """The `SELDOM` tables that a cached result depends on, or the `WATCHED` ones that a change affects."""


class _Meanings(dict[str, StatementUse]):
    """How the cache treats each statement, analyzed when it is first looked up."""

    _size = 0

    def __missing__(self, sql: str) -> StatementUse:
        self._size += len(sql)
        if len(self) >= ALL or self._size > TEXT:
            self.clear()
            self._size = len(sql)
        meaning = self[sql] = meaning_of(sql)
        return meaning


class QueryCache:
    """Cached results for connections that see the same commits."""

    __slots__ = (
        "_readers",
        "_rows",
        "_size",
        "changes",
        "firsts",
        "generations",
        "meanings",
        "results",
        "version",
    )

    def __init__(self, results: ResultCache | None = None) -> None:
        """`results`: those of the writer, whose generations this cache follows."""
        self.changes = 0
        """Incremented with every change of a `WATCHED` table."""
        self.generations: dict[str, int] = dict.fromkeys(WATCHED, 0)
        """The value of `changes` when each table last changed: equal generations mean equal contents."""
        self.version = object()
        """Another object after each change of the generations."""
        self.results: Final = ResultCache() if results is None else results
        self.meanings: Final = _Meanings()
        """How the cache treats a statement."""
        self._rows: dict[str, dict[Row, list[Row]]] = {}
        self.firsts: defaultdict[str, dict[Row, Row | None]] = defaultdict(dict)
        """First rows by statement and values: None if there is none. A missing one is not cached."""
        self._readers: dict[str, set[str]] = {table: set() for table in WATCHED}
        self._size = 0

    def rows(self, sql: str, values: Row) -> list[Row] | None:
        """Return all rows; None if not cached."""
        by_values = self._rows.get(sql)
        return None if by_values is None else by_values.get(values)

    def keep_rows(self, sql: str, values: Row, rows: list[Row]) -> None:
        """Cache a result unless it is too long. The list must not be mutated."""
        if len(rows) + len(values) <= MOST:
            self._note(sql, len(rows) + len(values) + 1)
            self._rows.setdefault(sql, {})[values] = rows

    def keep_first(self, sql: str, values: Row, row: Row | None) -> None:
        """Cache a first row."""
        self._note(sql, len(values) + 1)
        self.firsts[sql][values] = row

    def _note(self, sql: str, rows: int) -> None:
        if self._size + rows > ALL:
            self._empty()
        self._size += rows
        for table in self.meanings[sql].tables:
            self._readers[table].add(sql)

    def change(self, sql: str) -> None:
        """Drop results that this statement, about to run, will invalidate."""
        for table in self.meanings[sql].tables:
            self.changes += 1
            self.generations[table] = self.changes
            self.version = object()
            self._forget(table)

    def undo(self) -> None:
        """Drop all results after a rollback."""
        self.changes += 1
        self.generations = dict.fromkeys(WATCHED, self.changes)
        self.version = object()
        self._empty()

    def follow(self, generations: Mapping[str, int]) -> None:
        """Move to these generations, dropping results of others."""
        for table, generation in generations.items():
            if self.generations[table] != generation:
                self.generations[table] = generation
                self.version = object()
                self._forget(table)

    def _forget(self, table: str) -> None:
        for sql in self._readers[table]:
            results, firsts = self._rows.pop(sql, {}), self.firsts.pop(sql, {})
            self._size -= sum(len(rows) + len(values) + 1 for values, rows in results.items())
            self._size -= sum(len(values) + 1 for values in firsts)
        self._readers[table].clear()

    def _empty(self) -> None:
        self._rows.clear()
        self.firsts.clear()
        for sqls in self._readers.values():
            sqls.clear()
        self._size = 0


def meaning_of(sql: str) -> StatementUse:
    """Return how the cache treats a statement."""
    names = {name.lower() for name in _NAMES.findall(sql)}
    if not _READS.match(sql):
        targets = {name.lower() for name in _TARGETS.findall(sql)} - {"set"}
        return StatementUse(keeps=False, tables=tuple((targets or names) & WATCHED))
    keeps = bool(names & SELDOM) and not names & OFTEN and not names & _MOVES
    return StatementUse(keeps=keeps, tables=tuple(names & SELDOM) if keeps else ())
