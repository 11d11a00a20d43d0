"""The search index: adding and removing the words of messages and of their topics. SQL only.

Theory of operation. A commit that writes to the index writes a part of it anew, which costs as much as storing three
messages, and parts are to be merged later. So new messages wait, and are added many at a time: `search_index_progress`
has the ID of the last message that was added. A search has the rest added first (`require`).

After an upgrade that changed the index, messages below an ID in `search_backlog` wait, too. They are added newest first,
while the server serves, and searches do not find them until then.
"""

from collections.abc import Sequence
from itertools import accumulate
from typing import Final, TypeVar

from server_lite.store.connection import Db, Row, placeholders
from server_lite.store.words import indexable

Id = TypeVar("Id", bound=int)
BYTES_AT_ONCE: Final = 100_000
"""Bytes of text after which no further message is indexed in one transaction: they take 6 to 15 ms."""
_FROM: Final = "message LEFT JOIN topic ON topic.id = message.topic_id"
_TEXTS: Final = f"SELECT message.id, coalesce(topic.name, ''), message.plain FROM {_FROM}"


class SearchIndexBehind(Exception):
    """New messages wait, and the connection that searches cannot write. The database adds them, and repeats the read."""


# New messages


def require(db: Db) -> None:
    """Make the index complete for a search; raises SearchIndexBehind."""
    if db.can_write:
        add_waiting(db, db.value("SELECT max(id) FROM message") or 0)
    elif not db.searches_as_is and not is_complete(db):
        raise SearchIndexBehind


def complete_until(db: Db) -> int:
    """Return the ID after which new messages wait."""
    indexed: int = db.value(
        "SELECT coalesce((SELECT indexed FROM search_index_progress),"
        " (SELECT max(id) FROM message_text_docsize), 0)"  # of a damaged file
    )
    return indexed


def is_complete(db: Db) -> bool:
    """Whether no new message waits."""
    return not db.value("SELECT EXISTS (SELECT 1 FROM message WHERE id > ?)", complete_until(db))


def add_waiting(db: Db, until: int, *, count: int | None = None) -> int:
    """Add waiting messages with IDs up to `until`: all, or the next `count`, fewer if they are long.

    Returns the ID after which messages may wait: `until` if there are no more.
    """
    indexed = complete_until(db)
    ids = db.column(
        "SELECT id FROM message WHERE id > ? AND id <= ? ORDER BY id LIMIT ?",
        indexed,
        until,
        -1 if count is None else count,
    )
    part = ids if count is None else first_of(db, ids)
    if part:
        _add(db, db.rows(f"{_TEXTS} WHERE message.id > ? AND message.id <= ?", indexed, part[-1]))
    last: int = max(until, indexed) if len(part) == len(ids) != count else part[-1]
    if last != indexed:
        db.run("UPDATE search_index_progress SET indexed = ?", last)
    return last


def first_of(db: Db, ids: list[Id]) -> list[Id]:
    """Return the first ones of these messages: all, or at least one, if more were too long for one transaction."""
    sizes: dict[int, int] = dict(
        db.rows(
            f"SELECT id, octet_length(plain) FROM message WHERE id IN ({placeholders(ids)})", *ids
        )
    )
    sums = accumulate(sizes[message_id] for message_id in ids)
    return ids[: 1 + sum(so_far < BYTES_AT_ONCE for so_far in sums)]


def add(db: Db, message_id: int, topic: str, plain: str) -> None:
    """Add a message of an import at once. None may be waiting."""
    _add(db, [(message_id, topic, plain)])
    db.run("UPDATE search_index_progress SET indexed = max(indexed, ?)", message_id)


# Changed messages


def update(db: Db, ids: Sequence[int]) -> None:
    """Update the index after the words or topics of these messages changed. Those that wait still do."""
    indexed = complete_until(db)
    _replace(db, [message_id for message_id in ids if message_id <= indexed])


def remove(db: Db, ids: Sequence[int]) -> None:
    """Remove these messages; ignores those that it does not have."""
    db.note_index_change()
    db.many("DELETE FROM message_text WHERE rowid = ?", [(message_id,) for message_id in ids])


def merge(db: Db, pages: int = 16) -> bool:
    """Merge some recent parts of the index; returns whether there were any.

    SQLite's own merging does a thousand messages' worth at once, in the middle of a send.
    """
    return db.run("INSERT INTO message_text (message_text, rank) VALUES ('merge', ?)", pages) > 1


# Earlier messages


def backlog(db: Db) -> int:
    """Return an upper bound of the messages that wait since the index was rebuilt."""
    return db.value("SELECT max(below) - 1 FROM search_backlog") or 0


def add_earlier(db: Db, count: int) -> bool:
    """Add the newest messages of the backlog, `count` at most; returns whether there are more."""
    below = db.value("SELECT max(below) FROM search_backlog")
    if below is None:
        return False
    ids = db.column("SELECT id FROM message WHERE id < ? ORDER BY id DESC LIMIT ?", below, count)
    ids = first_of(db, ids)
    _replace(db, ids)
    if ids:
        db.run("UPDATE search_backlog SET below = ?", ids[-1])
    else:
        db.run("DELETE FROM search_backlog")
    return bool(ids)


# Checking and repairing


def missing(db: Db) -> list[int]:
    """Return IDs of messages that the index should have and lacks; includes the backlog's."""
    return db.column(
        "SELECT id FROM message WHERE id <= ? AND id NOT IN (SELECT id FROM message_text_docsize)",
        complete_until(db),
    )


def stale(db: Db) -> list[int]:
    """Return IDs in the index whose messages were deleted."""
    return db.column("SELECT id FROM message_text_docsize WHERE id NOT IN (SELECT id FROM message)")


def _replace(db: Db, ids: Sequence[int]) -> None:
    remove(db, ids)
    for start in range(0, len(ids), 1000):
        part = ids[start : start + 1000]
        _add(db, db.rows(f"{_TEXTS} WHERE message.id IN ({placeholders(part)})", *part))


def _add(db: Db, rows: Sequence[Row]) -> None:
    """Add rows of ID, topic and plain text."""
    db.note_index_change()
    db.many(
        "INSERT INTO message_text (rowid, topic, plain) VALUES (?, ?, ?)",
        [(message_id, indexable(topic), indexable(plain)) for message_id, topic, plain in rows],
    )
