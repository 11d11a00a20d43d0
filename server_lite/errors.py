"""All errors of requests, as one tree. No HTTP here beyond the status number.

ApiError                      400 BAD_REQUEST
├── MissingParameter          400 REQUEST_VARIABLE_MISSING   var_name
├── AddressInUse              400 BAD_REQUEST
├── BadParameter              400 BAD_REQUEST
│   └── IntegerTooLarge       400 BAD_REQUEST
├── BadNarrow                 400 BAD_NARROW                 desc
├── Conflict                  400 EXPECTATION_MISMATCH
├── MoveLimit                 400 MOVE_MESSAGES_TIME_LIMIT_EXCEEDED  what could be moved
├── ChannelWildcard           400 STREAM_WILDCARD_MENTION_NOT_ALLOWED
├── TopicWildcard             400 TOPIC_WILDCARD_MENTION_NOT_ALLOWED
├── NoSuchChannel             400 STREAM_DOES_NOT_EXIST      stream | stream_id
├── ReactionExists            400 REACTION_ALREADY_EXISTS
├── NoSuchReaction            400 REACTION_DOES_NOT_EXIST
├── TookTooLong               400 BAD_REQUEST
├── UploadQuota               400 REALM_UPLOAD_QUOTA
├── NoPushService             400 PUSH_SERVICE_NOT_CONFIGURED
├── LastOwner                 400 CANNOT_DEACTIVATE_LAST_USER entity, is_last_owner
├── BadEventQueue             400 BAD_EVENT_QUEUE_ID         queue_id
├── Unauthenticated           401 UNAUTHORIZED
│   ├── InvalidKey            401 INVALID_API_KEY
│   └── Deactivated           401 USER_DEACTIVATED
├── AuthenticationFailed      401 AUTHENTICATION_FAILED
├── NotAllowed                403 PERMISSION_DENIED
├── Insufficient              400 UNAUTHORIZED_PRINCIPAL
├── ForeignSite               403 FOREIGN_SITE
├── NotFound                  404 NOT_FOUND
├── NoSuchObject              404 BAD_REQUEST
├── WrongMethod               405 (no code)                  allowed_methods
├── ChannelExists             409 CHANNEL_ALREADY_EXISTS
├── TooSlow                   408 REQUEST_TIMEOUT
├── GenerationChanged         409 ORGANIZATION_GENERATION_CHANGED organization_generation
├── TooLarge                  413 REQUEST_TOO_LARGE
├── Misdirected               421 MISDIRECTED_REQUEST
├── RateLimited               429 RATE_LIMIT_HIT             retry-after
└── Unavailable               503 SERVICE_UNAVAILABLE

StartError                    the server cannot start: one sentence for the person at the terminal
"""

from collections.abc import Iterable
from typing import ClassVar

from server_lite.dataclass import dataclass


class ApiError(Exception):
    """A request is refused. `msg` is for people; `code` and `data` are for programs."""

    status: ClassVar[int] = 400
    code: ClassVar[str] = "BAD_REQUEST"

    def __init__(self, msg: str, /, **data: object) -> None:
        super().__init__(msg)
        self.msg = msg
        self.data = data

    def body(self) -> dict[str, object]:
        """Return the JSON object of the answer."""
        return {"result": "error", "msg": self.msg, "code": self.code, **self.data}


class MissingParameter(ApiError):
    """A required parameter was not sent."""

    code = "REQUEST_VARIABLE_MISSING"

    def __init__(self, name: str) -> None:
        super().__init__(f"Missing '{name}' argument", var_name=name)


class AddressInUse(ApiError):
    """The email address is used by another account."""


class BadParameter(ApiError):
    """A parameter is invalid; the message names it."""


class IntegerTooLarge(BadParameter):
    """An integer inside JSON or text exceeds the 64 bits of a column, so no object has this ID."""

    def __init__(self) -> None:
        super().__init__("An integer is too large")


class BadNarrow(ApiError):
    """A narrow is invalid; `desc` is the reason."""

    code = "BAD_NARROW"

    def __init__(self, desc: str) -> None:
        super().__init__(f"Invalid narrow operator: {desc}", desc=desc)


class Conflict(ApiError):
    """The caller's expected old value is stale."""

    code = "EXPECTATION_MISMATCH"


class MoveLimit(ApiError):
    """Part of a topic is too old to be moved."""

    code = "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"

    def __init__(self, *, first_message_id: int | None, allowed: int, total: int) -> None:
        super().__init__(
            f"You only have permission to move the {allowed}/{total} most recent messages"
            " in this topic.",
            first_message_id_allowed_to_move=first_message_id,
            total_messages_allowed_to_move=allowed,
            total_messages_in_topic=total,
        )


class ChannelWildcard(ApiError):
    """Too many users would be mentioned."""

    code = "STREAM_WILDCARD_MENTION_NOT_ALLOWED"

    def __init__(self) -> None:
        super().__init__(
            "You do not have permission to use channel wildcard mentions in this channel."
        )


class TopicWildcard(ApiError):
    """Too many users would be mentioned."""

    code = "TOPIC_WILDCARD_MENTION_NOT_ALLOWED"

    def __init__(self) -> None:
        super().__init__("You do not have permission to use topic wildcard mentions in this topic.")


class NoSuchChannel(ApiError):
    """The channel does not exist, or is invisible to the caller: the answer is the same."""

    code = "STREAM_DOES_NOT_EXIST"

    @classmethod
    def named(cls, name: str) -> "NoSuchChannel":
        return cls(f"Channel '{name}' does not exist", stream=name)

    @classmethod
    def numbered(cls, channel_id: int) -> "NoSuchChannel":
        return cls(f"Channel with ID '{channel_id}' does not exist", stream_id=channel_id)


class ReactionExists(ApiError):
    """The user already has this reaction on the message."""

    code = "REACTION_ALREADY_EXISTS"

    def __init__(self) -> None:
        super().__init__("Reaction already exists.")


class NoSuchReaction(ApiError):
    """The reaction to remove does not exist."""

    code = "REACTION_DOES_NOT_EXIST"

    def __init__(self) -> None:
        super().__init__("Reaction doesn't exist.")


class NoPushService(ApiError):
    """This server sends no push notifications."""

    code = "PUSH_SERVICE_NOT_CONFIGURED"


class UploadQuota(ApiError):
    """The file exceeds the quota of the user or the organization, as the message says."""

    code = "REALM_UPLOAD_QUOTA"


class LastOwner(ApiError):
    """The organization must keep an owner."""

    code = "CANNOT_DEACTIVATE_LAST_USER"

    def __init__(self, entity: str, *, is_last_owner: bool) -> None:
        super().__init__(
            f"Cannot deactivate the only {entity}.", entity=entity, is_last_owner=is_last_owner
        )


class BadEventQueue(ApiError):
    """The queue does not exist, was deleted, or expired; the client registers again."""

    code = "BAD_EVENT_QUEUE_ID"

    def __init__(self, queue_id: str) -> None:
        super().__init__(f"Bad event queue ID: {queue_id}", queue_id=queue_id)


class Unauthenticated(ApiError):
    """Credentials are missing or wrong; whether the address or the key was wrong is not revealed."""

    status = 401
    code = "UNAUTHORIZED"


class InvalidKey(Unauthenticated):
    """An API key in a URL is unknown."""

    code = "INVALID_API_KEY"


class AuthenticationFailed(ApiError):
    """Signing in was refused."""

    status = 401
    code = "AUTHENTICATION_FAILED"


class Deactivated(Unauthenticated):
    """The account is deactivated; revealed only with its password or API key."""

    code = "USER_DEACTIVATED"


class NotAllowed(ApiError):
    """This kind of account may not use the endpoint."""

    status = 403
    code = "PERMISSION_DENIED"


class Insufficient(ApiError):
    """The caller's role is not sufficient."""

    code = "UNAUTHORIZED_PRINCIPAL"


class ForeignSite(ApiError):
    """A page of another site made the browser send the request."""

    status = 403
    code = "FOREIGN_SITE"


class NotFound(ApiError):
    """The path does not exist."""

    status = 404
    code = "NOT_FOUND"


class NoSuchObject(ApiError):
    """The personal object named in the path does not exist (drafts, snippets, reminders …)."""

    status = 404


class WrongMethod(ApiError):
    """The path exists, with other verbs."""

    status = 405

    def __init__(self, verbs: Iterable[str]) -> None:
        allowed = list(verbs)
        if "GET" in allowed:
            allowed.append("HEAD")
        super().__init__("Method Not Allowed", allowed_methods=allowed)
        self.allowed = allowed

    def body(self) -> dict[str, object]:
        """Return the JSON object without a code, as a full server does."""
        return {"result": "error", "msg": self.msg, **self.data}


class ChannelExists(ApiError):
    """The name is used by a channel, perhaps one that is invisible to the caller."""

    status = 409
    code = "CHANNEL_ALREADY_EXISTS"

    def __init__(self, name: str) -> None:
        super().__init__(f"Channel '{name}' already exists")


class TooSlow(ApiError):
    """The request did not arrive in time."""

    status = 408
    code = "REQUEST_TIMEOUT"


class GenerationChanged(ApiError):
    """The organization was restored or imported since the client registered; it registers again."""

    status = 409
    code = "ORGANIZATION_GENERATION_CHANGED"

    def __init__(self, generation: str) -> None:
        super().__init__(
            "The organization was restored from a backup. Nothing was changed; register again.",
            organization_generation=generation,
        )


class TooLarge(ApiError):
    """The request exceeds the limit."""

    status = 413
    code = "REQUEST_TOO_LARGE"


class Misdirected(ApiError):
    """The request names a host that is not this server's: a web page may be behind it."""

    status = 421
    code = "MISDIRECTED_REQUEST"


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """Values of the X-RateLimit headers: remaining requests, limit, seconds until all are restored."""

    remaining: int
    limit: int
    reset_in: float


class RateLimited(ApiError):
    """Too many requests; `retry-after` is in seconds."""

    status = 429
    code = "RATE_LIMIT_HIT"

    def __init__(self, retry_after: float, allowance: Allowance) -> None:
        super().__init__("API usage exceeded rate limit", **{"retry-after": retry_after})
        self.retry_after = retry_after
        self.allowance = allowance


class TookTooLong(ApiError):
    """A search exceeded the time limit."""

    def __init__(self) -> None:
        super().__init__("The search took too long. Search one channel or topic, or rarer words.")


class Unavailable(ApiError):
    """Nothing was stored, because the database could not be written. Retrying is safe."""

    status = 503
    code = "SERVICE_UNAVAILABLE"


class StartError(Exception):
    """The server, or one of its commands, cannot run; the text is one sentence."""
