"""The edit history of a message, stored as a JSON list in its row, newest first. SQL only.

An entry has `user_id` and `timestamp`, and for what changed: `prev_content` and
`prev_rendered_content`; `prev_stream` and `stream`; `prev_topic` and `topic`.

Every page with the message contains its history, and nobody limits how often a message is edited. Therefore a history
that became too long loses states between the original, which is always kept, and the newest ones.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, NotRequired, TypeVar, cast

import orjson
from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.store.connection import Db

Id = TypeVar("Id", bound=int)


class Entry(TypedDict):
    """An edit of a message: user, time (UNIX seconds), and the previous values."""

    user_id: UserId | None
    timestamp: int
    prev_content: NotRequired[str]
    prev_rendered_content: NotRequired[str]
    prev_stream: NotRequired[int]
    stream: NotRequired[int]
    prev_topic: NotRequired[str]
    topic: NotRequired[str]


MAX_LENGTH: Final = 500_000
"""Characters of a history as JSON, unless two entries are longer."""
AT_ONCE: Final = 4_000_000
"""Bytes of the histories to which one transaction adds an entry: 20 ms."""
_AROUND: Final = 200
"""At most as many characters of an entry are not text."""


def first_of(db: Db, ids: list[Id]) -> list[Id]:
    """Return the first ones of these messages: all, or at least one, if more have too long histories for one transaction."""
    given = orjson.dumps(ids).decode()
    lengths = db.column(
        "SELECT octet_length(edit_history) FROM json_each(?) AS one"
        " CROSS JOIN message ON message.id = one.value",
        given,
    )
    sums = accumulate(lengths)
    return ids[: max(1, sum(1 for length in sums if length <= AT_ONCE))]


def add(db: Db, ids: Sequence[int], entry: Entry) -> None:
    """Add a move, the same for all these messages. Of a history that is too long, the second oldest entry goes."""
    text = orjson.dumps(entry).decode()
    db.many(
        "UPDATE message SET edit_history = CASE WHEN edit_history = '[]' THEN '[' || ?1 || ']'"
        " WHEN length(edit_history) <= ?2 OR json_array_length(edit_history) < 3"
        " THEN '[' || ?1 || ',' || substr(edit_history, 2)"
        " ELSE '[' || ?1 || ',' || substr(json_remove(edit_history, '$[#-2]'), 2) END WHERE id = ?3",
        [(text, MAX_LENGTH, message_id) for message_id in ids],
    )


def add_edit(db: Db, message_id: int, earlier: Sequence[Entry], entry: Entry) -> None:
    """Add an edit of a message's text. `earlier` are its entries so far, newest first."""
    entries = [entry, *earlier]
    if sum(map(_length, entries)) <= MAX_LENGTH:
        add(db, [message_id], entry)
        return
    text = orjson.dumps(shortened(entries)).decode()
    db.run("UPDATE message SET edit_history = ? WHERE id = ?", text, message_id)


def shortened(entries: Sequence[Entry]) -> list[Entry]:
    """Return entries, newest first, of which the oldest were joined until all fit: states between them are gone."""
    kept = list(entries)
    length = sum(map(_length, kept))
    while length > MAX_LENGTH and len(kept) > 2:
        first, second = kept.pop(), kept.pop()
        before = {name: value for name, value in first.items() if name.startswith("prev_")}
        kept.append(cast(Entry, {**first, **second, **before}))
        length += _length(kept[-1]) - _length(first) - _length(second)
    return kept


def _length(entry: Entry) -> int:
    return _AROUND + sum(len(value) for value in entry.values() if isinstance(value, str))
