"""The user's alert words: list, add, remove. Thin."""

from typing_extensions import TypedDict

from server_lite.actions import alert_words as actions
from server_lite.api.decoding import check_text
from server_lite.errors import ApiError, BadParameter
from server_lite.store import alert_words as store
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

MAX_LENGTH = 100
MAX_WORDS = 1000


class AlertWords(TypedDict):
    """All alert words of the user."""

    alert_words: list[str]


def listing(db: Db, user: UserRow) -> AlertWords:
    """Get the user's alert words."""
    return {"alert_words": store.of(db, user.id)}


def add(tx: Tx, user: UserRow, *, alert_words: list[str]) -> AlertWords:
    """Add alert words; existing ones, compared without case, stay unchanged."""
    words = _clean(alert_words)
    for position, word in enumerate(words):
        if len(word) > MAX_LENGTH:
            raise BadParameter(
                f"alert_words[{position}] is too long (limit: {MAX_LENGTH} characters)"
            )
    has = {word.casefold() for word in store.of(tx, user.id)}
    if len(has.union(word.casefold() for word in words)) > MAX_WORDS:
        raise ApiError(f"There can be at most {MAX_WORDS} alert words.")
    return {"alert_words": actions.add(tx, user, words)}


def remove(tx: Tx, user: UserRow, *, alert_words: list[str]) -> AlertWords:
    """Remove alert words; unknown ones are ignored."""
    return {"alert_words": actions.remove(tx, user, _clean(alert_words))}


def _clean(words: list[str]) -> list[str]:
    trimmed = [check_text(word, "alert_words").strip() for word in words]
    return [word for word in trimmed if word]
