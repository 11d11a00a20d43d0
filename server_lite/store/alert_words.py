"""Rows of users' alert words. SQL only."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Final

import orjson

from server_lite.ids import UserId
from server_lite.store.connection import Db

RUN: Final = re.compile(r"[^\W_]+")
"""A run of letters and digits, as `str.isalnum` defines them."""


def of(db: Db, user_id: UserId) -> list[str]:
    """Return a user's words, alphabetically."""
    return db.column("SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key", user_id)


WordsByRun = dict[str, set[str]]
"""Words in lower case, by the first run of letters and digits in them."""


def words_by_run(db: Db) -> WordsByRun:
    """Return the words of all users. A text without a word's first run lacks the word.

    Kept in memory and changed with the table (`note`, `drop`): with 10 words of each of 5,000 users, reading them after
    each change would hold the next message for a tenth of a second. It may have words that are in no row.
    """
    return db.kept(_words_by_run)


def _words_by_run(db: Db) -> WordsByRun:
    by_run: WordsByRun = {}
    note(by_run, db.column("SELECT DISTINCT word_key FROM alert_word"))
    return by_run


def note(by_run: WordsByRun, words: Iterable[str]) -> None:
    """Add words in lower case."""
    for word in words:
        by_run.setdefault(_first_run(word), set()).add(word)


def drop(by_run: WordsByRun, words: Iterable[str]) -> None:
    """Remove words in lower case that are in no row any more."""
    for word in words:
        run = _first_run(word)
        by_run.get(run, set()).discard(word)
        if not by_run.get(run, True):
            del by_run[run]


def _first_run(word: str) -> str:
    if word.isalnum():
        return word
    run = RUN.search(word)
    return "" if run is None else run[0]


def users_with(db: Db, words: Collection[str]) -> set[UserId]:
    """Return the users who have one of these words in lower case, deactivated ones included."""
    return set(
        db.column(
            "SELECT DISTINCT user_id FROM alert_word WHERE word_key IN (SELECT value FROM json_each(?))",
            orjson.dumps([*words]).decode(),
        )
    )


def unused(db: Db, keys: Sequence[str]) -> list[str]:
    """Return which of the words, in lower case, no user has."""
    return db.column(
        "SELECT value FROM json_each(?)"
        " WHERE NOT EXISTS (SELECT 1 FROM alert_word WHERE word_key = value)",
        orjson.dumps(keys).decode(),
    )


def insert(db: Db, user_id: UserId, words: list[str]) -> int:
    """Add words, unique ignoring case; returns how many are new."""
    note(words_by_run(db), (word.casefold() for word in words))
    return db.count_many(
        "INSERT OR IGNORE INTO alert_word (user_id, word, word_key) VALUES (?, ?, ?)",
        [(user_id, word, word.casefold()) for word in words],
    )


def delete(db: Db, user_id: UserId, keys: Sequence[str]) -> int:
    """Remove words, given in lower case; returns how many existed."""
    return db.count_many(
        "DELETE FROM alert_word WHERE user_id = ? AND word_key = ?",
        [(user_id, key) for key in keys],
    )
