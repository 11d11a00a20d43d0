"""What a bot remembers between runs: text by key, for itself alone. Thin."""

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

LONGEST: Final = 16 * actions.MAX_STORAGE
"""Bytes of a form that holds as many characters as a bot may keep, however they are escaped: the
limit itself is in characters."""
Storage = Annotated[dict[str, str], LargeBody(LONGEST), MaxLength(LONGEST)]
"""All that a bot may remember, in one request."""


class StoredValues(TypedDict):
    """Values by key."""

    storage: dict[str, str]


def fetch(db: Db, user: UserRow, *, keys: list[str] | None = None) -> StoredValues:
    """Values by key, all of them unless some are named."""
    _check_bot(user)
    return {"storage": actions.recall(db, user, keys)}


def store(tx: Tx, user: UserRow, *, storage: Storage) -> Done:
    """Remember values; those of other keys stay."""
    _check_bot(user)
    for key, value in storage.items():
        check_text(key, "storage")
        check_text(value, "storage")
    actions.remember(tx, user, storage)
    return {}


def remove(tx: Tx, user: UserRow, *, keys: list[str] | None = None) -> Done:
    """Forget values, all of them unless some are named."""
    _check_bot(user)
    actions.forget(tx, user, keys)
    return {}


def _check_bot(user: UserRow) -> None:
    if not user.is_bot:
        raise NotAllowed("Must be a bot user")
