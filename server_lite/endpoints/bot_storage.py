"""A bot's storage: text by key, private to the bot. Thin."""

from typing import Annotated, Final

from typing_extensions import TypedDict

from server_lite.actions import bots as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxLength, check_text
from server_lite.api.params import LargeBody
from server_lite.errors import NotAllowed
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

LONGEST: Final = 25 * 2**20
"""Bytes of a form, as on a full server: more takes several requests, because characters may be escaped."""
Storage = Annotated[dict[str, str], LargeBody(LONGEST), MaxLength(actions.MAX_STORAGE)]
"""Values for a bot's storage, in one request."""


class StoredValues(TypedDict):
    """Stored values by key."""

    storage: dict[str, str]


def fetch(db: Db, user: UserRow, *, keys: list[str] | None = None) -> StoredValues:
    """Get stored values by key, all of them if no keys are given."""
    _check_bot(user)
    return {"storage": actions.recall(db, user, keys)}


def store(tx: Tx, user: UserRow, *, storage: Storage) -> Done:
    """Store values; other keys keep theirs."""
    _check_bot(user)
    for key, value in storage.items():
        check_text(key, "storage")
        check_text(value, "storage")
    actions.remember(tx, user, storage)
    return {}


def remove(tx: Tx, user: UserRow, *, keys: list[str] | None = None) -> Done:
    """Remove stored values, all of them if no keys are given."""
    _check_bot(user)
    actions.forget(tx, user, keys)
    return {}


def _check_bot(user: UserRow) -> None:
    if not user.is_bot:
        raise NotAllowed("Must be a bot user")
