"""Words about which people want to be told. SQL only."""

from server_lite.ids import UserId
from server_lite.store.connection import Db


def of(db: Db, user_id: UserId) -> list[str]:
    """One person's words, alphabetically."""
    return db.column("SELECT word FROM alert_word WHERE user_id = ? ORDER BY word_key", user_id)


def every(db: Db) -> list[tuple[UserId, str]]:
    """(person, word) of all active people."""
    return [
        (user_id, word)
        for user_id, word in db.rows(
            "SELECT user_id, word FROM alert_word JOIN user ON user.id = user_id WHERE is_active"
        )
    ]


def insert(db: Db, user_id: UserId, words: list[str]) -> int:
    """Add words; those that differ in case alone are the same. Returns how many are new."""
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
    """Remove words; returns how many there were."""
    return sum(
        db.run(
            "DELETE FROM alert_word WHERE user_id = ? AND word_key = ?", user_id, word.casefold()
        )
        for word in words
    )
