"""A narrow as one SQL query, and the window of IDs around an anchor. Reads only.

Without a term for channels, the user's own history is searched; with one, everything the user
may read there; with a personal `is:` term, their own history again.

SQLite is told where to start, because its guess can cost a walk over all messages: the search index,
or the user's flags or unread rows if a term needs them; else the index of the topic, channel,
conversation or sender; else the messages in order of their IDs. Always by ID, never by rank.
"""

from collections.abc import Sequence
from typing import Final

from server_lite.access.messages import (
    own_history,
    visible_among,
    visible_messages_sql,
)
from server_lite.dataclass import dataclass
from server_lite.errors import BadNarrow
from server_lite.narrow.clauses import Clause, DrivingIndex
from server_lite.narrow.is_has_operators import FLAGS_OF_TEXTS, OWN_FLAGS
from server_lite.narrow.operators import (
    channel_of,
    compiled,
    message_id,
    topic_in,
    topic_name,
)
from server_lite.narrow.search import SearchTerm
from server_lite.narrow.terms import Term
from server_lite.store import conversations, messages
from server_lite.store.connection import Db, SqlValue, placeholders
from server_lite.store.users import UserRow

PERSONAL_IS: Final = frozenset({"unread", "starred", "mentioned", "alerted"})
_PLACES: Final = frozenset({"channel", "topic", "dm", "with", "id"})
INDEX: Final = "message_text"
"""The table of the search index."""
UNREAD: Final = Term("is", "unread")


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The messages of a narrow that one user may read."""

    source: str
    """The FROM clause."""
    key: str
    """The column with the message's ID, ascending in the order of the walk."""
    condition: str
    values: tuple[SqlValue, ...]
    floor: int = 0
    """No message of the narrow has a lower ID."""
    search_terms: tuple[SearchTerm, ...] = ()
    """The search terms."""
    rest: "Query | None" = None
    """The same narrow in the newest messages, which the start's table does not have; without a start."""

    def ids(
        self,
        db: Db,
        *,
        limit: int,
        above: int | None = None,
        below: int | None = None,
        newest: bool = False,
    ) -> list[int]:
        """Return at most `limit` IDs strictly between the bounds: lowest first, or highest if `newest`."""
        ids: list[int] = []
        parts = [self] if self.rest is None else [self, self.rest]
        for part in reversed(parts) if newest else parts:
            if len(ids) < limit:
                ids += part._some_ids(db, limit - len(ids), above, below, newest=newest)
        return ids

    def _some_ids(
        self, db: Db, limit: int, above: int | None, below: int | None, *, newest: bool
    ) -> list[int]:
        # One lower bound, never two: SQLite seeks to the first it sees and walks to the other.
        lowest = self.floor if above is None else max(self.floor, above + 1)
        bounds: list[SqlValue] = [lowest]
        condition = f"{self.condition} AND {self.key} >= ?"
        if below is not None:
            condition += f" AND {self.key} < ?"
            bounds.append(below)
        order = "DESC" if newest else "ASC"
        return db.column(
            f"SELECT {self.key} FROM {self.source} WHERE {condition}"
            f" ORDER BY {self.key} {order} LIMIT ?",
            *self.values,
            *bounds,
            limit,
        )

    def among(self, db: Db, ids: Sequence[int]) -> list[int]:
        """Return which of the messages are in the narrow, ascending."""
        if not ids:
            return []
        if self.rest is not None:
            return self.rest.among(db, ids)
        # The search index is walked once, from the lowest to the highest, instead of once per ID.
        bounds = [min(ids), max(ids)] if self.searches else []
        one_of = f"+{self.key}" if self.searches else self.key
        between = f" AND {self.key} BETWEEN ? AND ?" if self.searches else ""
        return db.column(
            f"SELECT {self.key} FROM {self.source} WHERE {self.condition}{between}"
            f" AND {one_of} IN ({placeholders(ids)}) ORDER BY {self.key}",
            *self.values,
            *bounds,
            *ids,
        )

    @property
    def searches(self) -> bool:
        """Whether the walk is over the search index."""
        return self.source.startswith(INDEX)


def query(db: Db, user: UserRow, narrow: Sequence[Term]) -> Query:
    """Return the query of a narrow; raises BadNarrow."""
    terms = _resolved(db, user, narrow)
    is_own = _is_personal(terms)
    clauses = [(clause, term.negated) for term, clause in _clauses(db, user, terms)]
    start, started = _start(clauses)
    if is_own:
        history = own_history(db, user)
        visible, floor = history.condition, history.floor
    else:
        visible, floor = visible_messages_sql(db, user), 0
    rest = None
    if start is not None and start.until is not None:
        rest = _query(clauses, visible, max(floor, start.until + 1))
    return _query(clauses, visible, floor, start, started, rest)


def _query(
    clauses: Sequence[tuple[Clause, bool]],
    visible: tuple[str, Sequence[SqlValue]],
    floor: int,
    start: DrivingIndex | None = None,
    started: Clause | None = None,
    rest: Query | None = None,
) -> Query:
    parts: list[str] = []
    values: list[SqlValue] = []
    if start is not None:
        parts.append(start.condition)
        values += start.values
    for clause, negated in clauses:
        if clause is not started:
            parts.append(f"NOT ifnull({clause.sql}, 0)" if negated else _unindexed(clause, start))
            values += clause.values
    condition, bound = visible
    return Query(
        source="message"
        if start is None
        else f"{start.table} CROSS JOIN message ON message.id = {start.key}",
        key="message.id" if start is None else start.key,
        condition=" AND ".join([*parts, condition]),
        values=(*values, *bound),
        floor=floor,
        search_terms=tuple(
            word for clause, negated in clauses if not negated for word in clause.search_terms
        ),
        rest=rest,
    )


def is_by_index(narrow: Sequence[Term]) -> bool:
    """Whether a page of the narrow is cheap: found by an index, without search or filtering."""
    if any(term.negated for term in narrow):
        return False
    if len(narrow) == 1 and narrow[0].operator == "is":
        return narrow[0].operand in ("unread", "starred")
    operators = {term.operator for term in narrow}
    return bool(operators & _PLACES) and operators <= _PLACES | {"near"}


def _unindexed(clause: Clause, start: DrivingIndex | None) -> str:
    """Return the condition with a `+` that keeps SQLite from using its index, if it starts elsewhere."""
    return (
        f"+{clause.sql}" if start is not None and clause.sql.startswith("message.") else clause.sql
    )


def _is_personal(terms: Sequence[Term]) -> bool:
    """Whether only the user's own history is searched."""
    if any(term.operator == "is" and _is_personal_state(term.operand) for term in terms):
        return True
    return not any(term.operator in ("channel", "channels") and not term.negated for term in terms)


def _is_personal_state(operand: object) -> bool:
    return isinstance(operand, str) and operand in PERSONAL_IS


def _start(clauses: Sequence[tuple[Clause, bool]]) -> tuple[DrivingIndex | None, Clause | None]:
    candidates = [clause for clause, negated in clauses if clause.start is not None and not negated]
    best = min(candidates, key=_rank, default=None)
    return (None, None) if best is None else (best.start, best)


def _rank(clause: Clause) -> int:
    """Return the rank of a clause's start, fewest rows first: search index, flags, unread rows."""
    assert clause.start is not None
    tables = (INDEX, OWN_FLAGS, FLAGS_OF_TEXTS, "unread_by_user")
    return tables.index(clause.start.table)


def _clauses(db: Db, user: UserRow, terms: Sequence[Term]) -> list[tuple[Term, Clause]]:
    """Return each term's clause; a topic beside its channel is one topic, not all of that name."""
    named = [term for term in terms if term.operator == "channel" and not term.negated]
    channel = channel_of(db, user, named[0]) if named else None
    return [
        (term, topic_in(db, channel, topic_name(term)))
        if term.operator == "topic" and channel is not None
        else (term, compiled(db, user, term))
        for term in terms
    ]


def _resolved(db: Db, user: UserRow, terms: Sequence[Term]) -> list[Term]:
    """Return the terms with `with` replaced by the current conversation of its message."""
    with_terms = [term for term in terms if term.operator == "with"]
    if not with_terms:
        return list(terms)
    rest = [term for term in terms if term.operator != "with"]
    if len(with_terms) > 1 or with_terms[0].negated:
        raise BadNarrow("with can be given once, and not be negated")
    visible = visible_among(db, user, [message_id(with_terms[0])])
    row = messages.by_id(db, visible[0]) if visible else None
    if row is None:
        if not any(term.operator in ("channel", "topic", "dm") for term in rest):
            raise BadNarrow("invalid with operator")
        return rest
    others = [term for term in rest if term.operator not in ("channel", "topic", "dm")]
    if row.channel_id is not None:
        return [Term("channel", row.channel_id), Term("topic", row.topic), *others]
    assert row.conversation_id is not None
    conversation = conversations.by_ids(db, [row.conversation_id])[row.conversation_id]
    members: list[int] = list(conversation.members)
    return [Term("dm", members), *others]
