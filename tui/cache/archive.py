"""The archive of seen messages on disk, to be read and searched offline. Safe to delete.

Bounded to the newest; searched by a scan, which takes some milliseconds at its full size. Its messages may be
out of date: only the server's answers make them known.
"""

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from tui.api import decode
from tui.api.encode import encode
from tui.api.model import Message, MessageId
from tui.cache import salvage
from tui.errors import MalformedResponse
from tui.narrow import ChannelNarrow, DmNarrow, Narrow, TopicNarrow
from tui.narrow.search import SearchTerm, keyed, parse_search
from tui.regular_file import open_regular

T = TypeVar("T")

MOST_MESSAGES = 20_000
CACHE_KIB = 256
"""Pages of the file in memory; the system has the others, too."""
FORMAT = 2
_SCHEMA = """
CREATE TABLE message (
    id INTEGER PRIMARY KEY, channel INTEGER, topic TEXT, people TEXT,
    words TEXT NOT NULL, plain TEXT NOT NULL, json TEXT NOT NULL
);
CREATE INDEX message_topic ON message (channel, topic, id);
CREATE INDEX message_people ON message (people, id) WHERE people IS NOT NULL;
"""

_log = logging.getLogger(__name__)


class Archive:
    """One account's file, opened at its first use. An archive that cannot be used is empty."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def keep(self, messages: Iterable[tuple[Message, str]]) -> None:
        """Save messages with their plain text, replacing earlier versions."""
        rows = [
            (*_place(each), keyed(each.topic, plain), plain, _text(each))
            for each, plain in messages
        ]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany(
                "REPLACE INTO message (id, channel, topic, people, words, plain, json)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            connection.execute(
                "DELETE FROM message WHERE id <="
                " (SELECT id FROM message ORDER BY id DESC LIMIT 1 OFFSET ?)",
                (MOST_MESSAGES,),
            )

        self._try(write, None)

    def forget(self, message_ids: Iterable[MessageId]) -> None:
        """Delete messages."""
        ids = [(message_id,) for message_id in message_ids]
        self._try(lambda file: file.executemany("DELETE FROM message WHERE id = ?", ids), None)

    def before(self, narrow: Narrow, message_id: int, count: int) -> list[Message]:
        """Return the newest messages of a narrow before an ID, ascending: at most `count`."""
        find = partial(self._find, narrow, "id < ?", message_id, "DESC", count)
        nothing: list[Message] = []
        return self._try(find, nothing)[::-1]

    def since(self, narrow: Narrow, message_id: int, count: int) -> list[Message]:
        """Return the oldest messages of a narrow from an ID on, ascending: at most `count`."""
        return self._try(partial(self._find, narrow, "id >= ?", message_id, "ASC", count), [])

    def _find(
        self,
        narrow: Narrow,
        bound: str,
        message_id: int,
        order: str,
        count: int,
        connection: sqlite3.Connection,
    ) -> list[Message]:
        where, values = _where(narrow)
        messages: list[Message] = []
        # All parts of the statement are this module's own.
        sql = f"SELECT json FROM message WHERE {bound}{where} ORDER BY id {order}"
        for (text,) in connection.execute(sql, (message_id, *values)):
            try:
                message = decode.decode(Message, json.loads(text), str(self._path))
            except (ValueError, TypeError, MalformedResponse) as error:
                _log.warning("A message in %s cannot be read: %s", self._path, error)
                continue
            if _matches(narrow, message):
                messages.append(message)
                if len(messages) == count:
                    break
        return messages

    def _try(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Run `work` in a transaction; on an error log it, close the file, and return `otherwise`."""
        try:
            connection = self._open()
            with connection:
                return work(connection)
        except (*salvage.DAMAGED, OSError, ValueError) as error:
            _log.warning("%s cannot be used: %s", self._path, error)
            self.close()
            if type(error) in (sqlite3.DatabaseError, UnicodeDecodeError):
                self._path.unlink(missing_ok=True)  # damaged: a new one is made at the next use
            return otherwise

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            os.close(open_regular(self._path, os.O_RDWR | os.O_CREAT))
            connection = sqlite3.connect(self._path, timeout=1.0)
            connection.text_factory = salvage.text
            self._connection = connection
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = OFF")  # nothing here is the only copy
            connection.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version != FORMAT:
                connection.execute("DROP TABLE IF EXISTS message")
                connection.executescript(f"{_SCHEMA} PRAGMA user_version = {FORMAT};")
        return self._connection


def _place(message: Message) -> tuple[int, int | None, str | None, str | None]:
    if message.channel_id is None:
        return message.id, None, None, _people(message.participant_ids)
    return message.id, message.channel_id, message.topic.casefold(), None


def _people(user_ids: Iterable[int]) -> str:
    return ",".join(map(str, sorted(user_ids)))


def _text(message: Message) -> str:
    return json.dumps(encode(message), ensure_ascii=False, separators=(",", ":"))


def _where(narrow: Narrow) -> tuple[str, Sequence[object]]:
    """Return the condition that the database can decide; the rest is up to `_matches`."""
    match narrow:
        case TopicNarrow(channel_id, topic):
            return " AND channel = ? AND topic = ?", (channel_id, topic.casefold())
        case ChannelNarrow(channel_id):
            return " AND channel = ?", (channel_id,)
        case DmNarrow(user_ids):
            return " AND people = ?", (_people(user_ids),)
        case _:
            texts = [
                (term.negated, parse_search(str(term.operand)))
                for term in narrow.terms()
                if term.operator == "search"
            ]
            sql = [
                f" AND {'NOT ' if negated else ''}({_all(terms)})"
                for negated, terms in texts
                if terms
            ]
            return "".join(sql), [one.text for _, terms in texts for one in terms]


def _all(terms: Sequence[SearchTerm]) -> str:
    columns = ("plain" if one.is_signs else "words" for one in terms)
    return " AND ".join(f"instr({column}, ?) > 0" for column in columns)


def _matches(narrow: Narrow, message: Message) -> bool:
    """Whether the message matches the terms; True where only the server can decide."""
    if isinstance(narrow, TopicNarrow | ChannelNarrow | DmNarrow):
        return True
    return all(term.matches(message) is not False for term in narrow.terms())
