"""What the sync machine tells: how the connection is, and what changed. Types only."""

from typing import Protocol, TypeAlias

from tui.dataclass import dataclass
from tui.store import Changes

QUIET_ATTEMPTS = 2
"""Failures in a row that nobody needs to hear of: most connections are back by then."""


@dataclass(frozen=True, slots=True)
class Connecting:
    """No answer yet; what is shown, if anything, is from the last time."""


@dataclass(frozen=True, slots=True)
class Live:
    """What happens is seen at once."""


@dataclass(frozen=True, slots=True)
class Retrying:
    """The next attempt comes in `seconds`; `attempt` failed already, `sentence` says how."""

    seconds: float
    attempt: int
    sentence: str

    @property
    def is_quiet(self) -> bool:
        """Too short a trouble to speak of."""
        return self.attempt <= QUIET_ATTEMPTS


@dataclass(frozen=True, slots=True)
class SignedOut:
    """The server does not accept the key any more: nothing more happens until someone signs in."""

    sentence: str


Status: TypeAlias = Connecting | Live | Retrying | SignedOut


class Listener(Protocol):
    """Who shows it. Called on the loop, between two events never."""

    def store_changed(self, changes: Changes) -> None:
        """Once per answer of a poll or a fetch, and at once for what the person did."""

    def status_changed(self, status: Status) -> None:
        """The connection's status changed."""
