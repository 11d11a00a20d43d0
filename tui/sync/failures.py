"""What to do about each failure of the event stream: the one place that decides it. Pure.

`GiveUp` is for a no in the server's own form only, and to be confirmed by asking once more: something on the way
may keep an old answer.
"""

from typing import TypeAlias

from tui.dataclass import dataclass
from tui.errors import ApiError, ApiRefused, MalformedResponse, RateLimited, ServerFailed

_SIGNED_OUT_CODES = frozenset(
    {"UNAUTHORIZED", "INVALID_API_KEY", "USER_DEACTIVATED", "REALM_DEACTIVATED"}
)


@dataclass(frozen=True, slots=True)
class Retry:
    """The same again, later; the server may have said when at the earliest."""

    at_least: float


@dataclass(frozen=True, slots=True)
class RegisterAgain:
    """The queue is of no use any more. `quiet`: that is normal, and done at once."""

    quiet: bool


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The key is not accepted."""


Remedy: TypeAlias = Retry | RegisterAgain | GiveUp


def recovery_for(error: ApiError) -> Remedy:
    """What helps against it."""
    match error:
        case RateLimited():
            return Retry(error.retry_after)
        case ApiRefused(code="BAD_EVENT_QUEUE_ID"):
            return RegisterAgain(quiet=True)
        case ApiRefused() if error.status == 401 or error.code in _SIGNED_OUT_CODES:
            return GiveUp()
        case ApiRefused() | MalformedResponse():
            # Something is out of step, an event id perhaps: a new queue starts clean.
            return RegisterAgain(quiet=False)
        case ServerFailed():
            return Retry(error.retry_after or 0.0)
        case _:
            return Retry(0.0)  # no network, or something on the way that answers


def is_signed_out(error: ApiError) -> bool:
    """Whether the server says that it does not accept the key, or is closed."""
    return isinstance(recovery_for(error), GiveUp)


def is_closed(error: ApiError) -> bool:
    """Whether the server says that the whole organization is closed."""
    return isinstance(error, ApiRefused) and error.code == "REALM_DEACTIVATED"
