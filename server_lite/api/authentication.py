"""Authenticates requests: HTTP Basic with email address and API key. Grants nothing; `access` does."""

import base64
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
"""The same message for a wrong address and a wrong key."""
MALFORMED: Final = "Malformed API key"
"""Message for a key of the wrong length: something else, or only part of a key, was sent."""
DEACTIVATED: Final = "Account is deactivated"
"""Returned only if the request has the account's own key."""


DEPENDENCIES: Final = ("api_key", "user")
"""The tables that decide whose key it is."""


@dataclass(slots=True)
class Caller:
    """The authenticated user as of one moment, and a way to authenticate again."""

    user: UserRow
    again: Callable[[Db], UserRow]
    """Raises Unauthenticated if the key or the account has ended meanwhile."""
    generations: tuple[int, ...]
    """Those of `DEPENDENCIES` at that time: while they are the same, `again` would return the same user."""
    version: object = None
    """That of all tables when these generations were last compared."""

    def is_current(self, db: Db) -> bool:
        """Whether `again` would return the same user."""
        version = db.version
        if self.version is not version:
            if self.generations != db.generations(*DEPENDENCIES):
                return False
            self.version = version
        return True


def authenticate_header(db: Db, authorization: str) -> UserRow:
    """Return the user of an HTTP Basic `Authorization` header; raises Unauthenticated."""
    scheme, _, encoded = authorization.partition(" ")
    if scheme.lower() != "basic":
        raise Unauthenticated("Invalid authorization header for basic auth")
    try:
        decoded = base64.b64decode(encoded.strip(), validate=True).decode()
    except ValueError as error:  # not Base64, not UTF-8, not ASCII
        raise Unauthenticated("Invalid Basic authentication header.") from error
    email, colon, key = decoded.partition(":")
    if not colon:
        raise Unauthenticated("Invalid Basic authentication header.")
    return authenticate(db, email, key)


def authenticate(db: Db, email: str, key: str) -> UserRow:
    """Return the active user with this key, if the address is theirs; raises Unauthenticated.

    The key alone decides: it is looked up by its digest. The address is compared to report a mixed-up
    configuration; a user who hides the real address is accepted with the one that the API shows, too.
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
    """Return the active user with this key, for a request without an address; raises InvalidKey."""
    user = keys.owner(db, key)
    if user is None:
        raise InvalidKey(REFUSED)
    if not user.is_active:
        raise Deactivated(DEACTIVATED)
    return user


WEBHOOKS_MAY: Final = frozenset({("POST", "messages"), ("POST", "user_uploads")})
"""What keys of incoming webhooks may do: stored in other services, they can send but not read."""
_WEBHOOKS: Final = "external/"


def check_reach(db: Db, user: UserRow, method: str, path: str) -> None:
    """Raise if this kind of account may not call the endpoint at all; `path` is below /api/v1."""
    if path == "bot_storage" and not user.is_bot:  # before a long form is read
        raise NotAllowed("Must be a bot user")
    if user.bot_type != BotType.INCOMING_WEBHOOK or path.startswith(_WEBHOOKS):
        return
    if (method, path) not in WEBHOOKS_MAY:
        raise ApiError("This API is not available to incoming webhook bots.")
    if bots.by_id(db, user.id).webhook_secret is not None:  # else the secret would protect nothing
        raise ApiError("This bot has a webhook secret: only signed webhooks can post through it.")
