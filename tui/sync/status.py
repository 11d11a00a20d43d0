"""The status of the sync machine, and the interface of its listeners. Types only."""

from typing import Protocol, TypeAlias

from tui.dataclass import dataclass
from tui.store import Changes

QUIET_ATTEMPTS = 2
"""Failures in a row that are not reported: most connections are back by then."""


@dataclass(frozen=True, slots=True)
class Connecting:
    """No answer yet; the state shown, if any, is cached."""


@dataclass(frozen=True, slots=True)
class Live:
    """Connected: changes appear at once."""


@dataclass(frozen=True, slots=True)
class Retrying:
    """Waiting for the next attempt, in `seconds`; `attempt` counts the failures, `sentence` is the reason."""

    seconds: float
    attempt: int
    sentence: str

    @property
    def is_quiet(self) -> bool:
        """Whether the trouble is too short to report."""
        return self.attempt <= QUIET_ATTEMPTS


@dataclass(frozen=True, slots=True)
class SignedOut:
    """The server does not accept the API key any more: nothing happens until the user signs in."""

    sentence: str


Status: TypeAlias = Connecting | Live | Retrying | SignedOut


class Listener(Protocol):
    """A listener to the sync machine. Called on the event loop, never in the middle of applying events."""

    def store_changed(self, changes: Changes) -> None:
        """Called once per answer of a poll or a fetch, and at once for the user's own changes."""

    def status_changed(self, status: Status) -> None:
        """Called when the connection's status changes."""
