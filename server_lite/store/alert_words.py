"""Rows of users' alert words. SQL only."""

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

import orjson

from server_lite.ids import UserId
from server_lite.store.connection import Db

RUN: Final = re.compile(r"[^\W_]+")
"""A run of letters and digits, as `str.isalnum` defines them."""


def of(db: Db, user_id: UserId) -> list[str]:
    """Return a user's words, alphabetically."""
    return db.column("SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key", user_id)


def by_first_run(db: Db) -> Mapping[str, Mapping[str, AbstractSet[UserId]]]:
    """Return all users' words in lower case, by the first run of letters and digits in them.

    Word -> users who have it; words of deactivated users are included. A text without a word's first run lacks the word.
    """
    return db.cached(_by_first_run)


def _by_first_run(db: Db) -> Mapping[str, Mapping[str, AbstractSet[UserId]]]:
    by_run: dict[str, dict[str, frozenset[UserId]]] = {}
    for word, user_ids in db.rows(
        "SELECT word_key, json_group_array(user_id) FROM alert_word GROUP BY word_key"
    ):
        run = word if word.isalnum() else "".join(RUN.findall(word)[:1])
        by_run.setdefault(run, {})[word] = frozenset(orjson.loads(user_ids))
    return by_run


def insert(db: Db, user_id: UserId, words: list[str]) -> int:
    """Add words, unique ignoring case; returns how many are new."""
    return sum(
        db.run(
            "INSERT OR IGNORE INTO alert_word (user_id, word, word_key) VALUES (?, ?, ?)",
            user_id,
            word,
            word.casefold(),
        )
        for word in words
    )


def delete(db: Db, user_id: UserId, words: list[str]) -> int:
    """Remove words; returns how many existed."""
    return sum(
        db.run(
            "DELETE FROM alert_word WHERE user_id = ? AND word_key = ?", user_id, word.casefold()
        )
        for word in words
    )
