"""The remedies for failures of the event stream, all decided here. Pure.

`GiveUp` is only for a refusal in the server's own form, and is confirmed by another request: a proxy on the
way may repeat an old answer.
"""

from typing import TypeAlias

from tui.dataclass import dataclass
from tui.errors import ApiError, ApiRefused, MalformedResponse, RateLimited, ServerFailed

_SIGNED_OUT_CODES = frozenset(
    {"UNAUTHORIZED", "INVALID_API_KEY", "USER_DEACTIVATED", "REALM_DEACTIVATED"}
)


@dataclass(frozen=True, slots=True)
class Retry:
    """Try again later; the server may have set the earliest time."""

    at_least: float


@dataclass(frozen=True, slots=True)
class RegisterAgain:
    """The queue is unusable. `quiet`: that is normal, and done at once."""

    quiet: bool


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The API key is not accepted."""


Remedy: TypeAlias = Retry | RegisterAgain | GiveUp


def recovery_for(error: ApiError) -> Remedy:
    """Return the remedy for an error."""
    match error:
        case RateLimited():
            return Retry(error.retry_after)
        case ApiRefused(code="BAD_EVENT_QUEUE_ID"):
            return RegisterAgain(quiet=True)
        case ApiRefused() if error.status == 401 or error.code in _SIGNED_OUT_CODES:
            return GiveUp()
        case ApiRefused() | MalformedResponse():
            # Something is out of step, an event ID perhaps: a new queue starts clean.
            return RegisterAgain(quiet=False)
        case ServerFailed():
            return Retry(error.retry_after or 0.0)
        case _:
            return Retry(0.0)  # no network, or a proxy on the way answered


def is_signed_out(error: ApiError) -> bool:
    """Whether the server does not accept the API key, or the organization is deactivated."""
    return isinstance(recovery_for(error), GiveUp)


def is_closed(error: ApiError) -> bool:
    """Whether the server says that the organization is deactivated."""
    return isinstance(error, ApiRefused) and error.code == "REALM_DEACTIVATED"
