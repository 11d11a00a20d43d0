"""Who makes a request: HTTP Basic with email and API key. Grants nothing; `access` does."""

import secrets
from collections.abc import Callable
from typing import Final

from server_lite.dataclass import dataclass
from server_lite.errors import ApiError, Deactivated, InvalidKey, NotAllowed, Unauthenticated
from server_lite.store import bots, keys
from server_lite.store.bots import BotType
from server_lite.store.connection import Db
from server_lite.store.users import UserRow

REFUSED: Final = "Invalid API key"
"""One sentence for a wrong address and a wrong key alike."""
MALFORMED: Final = "Malformed API key"
"""No key of this server is as long: something else was sent, or part of one."""
DEACTIVATED: Final = "Account is deactivated"
"""Told only to who has the account's own key."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request, as of one moment, and how to ask again."""

    user: UserRow
    again: Callable[[Db], UserRow]
    """Raises Unauthenticated when the key or the account has ended meanwhile."""
    attempts: int
    """`Database.attempts` at that moment."""


def authenticate(db: Db, email: str, key: str) -> UserRow:
    """The active account whose key this is, if the address is its own; raises Unauthenticated.

    The key alone decides: it is looked up by its digest. The address is compared so that a mixed-up
    configuration is told so; an account that hides its real one is known by its API address too.
    """
    user = keys.owner(db, key)
    if user is None:
        raise Unauthenticated(REFUSED if len(key) == keys.LENGTH else MALFORMED)
    given = email.strip().lower()
    is_theirs = secrets.compare_digest(given.encode(), user.email.lower().encode())
    if not is_theirs and not given.startswith(f"user{user.id}@"):
        raise Unauthenticated(REFUSED)
    if not user.is_active:
        raise Unauthenticated(DEACTIVATED)
    return user


def authenticate_key(db: Db, key: str) -> UserRow:
    """The active account whose key this is, of a request that names no address; raises InvalidKey."""
    user = keys.owner(db, key)
    if user is None:
        raise InvalidKey(REFUSED)
    if not user.is_active:
        raise Deactivated(DEACTIVATED)
    return user


WEBHOOKS_MAY: Final = frozenset({("POST", "messages"), ("POST", "user_uploads")})
"""Keys of incoming webhooks lie in the settings of other services: they send, and read nothing."""
_WEBHOOKS: Final = "external/"


def check_reach(db: Db, user: UserRow, method: str, path: str) -> None:
    """Raise when this kind of account may not call this at all; `path` is below /api/v1."""
    if path == "bot_storage" and not user.is_bot:  # before a long form is read
        raise NotAllowed("Must be a bot user")
    if user.bot_type != BotType.INCOMING_WEBHOOK or path.startswith(_WEBHOOKS):
        return
    if (method, path) not in WEBHOOKS_MAY:
        raise ApiError("This API is not available to incoming webhook bots.")
    if bots.by_id(db, user.id).webhook_secret is not None:  # else the secret would protect nothing
        raise ApiError("This bot has a webhook secret: only signed webhooks can post through it.")
