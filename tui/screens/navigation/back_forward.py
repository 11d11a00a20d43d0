"""The history of opened narrows, for back and forward. Pure: no widgets, no store."""

from dataclasses import field
from typing import Generic, TypeAlias, TypeVar

from tui.api.model import MessageId
from tui.dataclass import dataclass

P = TypeVar("P")

Stop: TypeAlias = tuple[P, MessageId | None]
"""A narrow, and the message at which a jump within it began; None where it was left for another one."""

MOST = 100
"""Stops remembered."""


@dataclass(slots=True)
class NavigationHistory(Generic[P]):
    """Narrows in the order in which they were opened, like the pages of a browser."""

    _back: list[Stop[P]] = field(default_factory=list)
    _ahead: list[Stop[P]] = field(default_factory=list)
    here: P | None = None

    def go(self, place: P, near: MessageId | None = None, at: MessageId | None = None) -> None:
        """Add a narrow and make it current; those ahead are dropped.

        The current one is added again where `near` is another message in it than `at`, the current one.
        """
        is_within = place == self.here
        if is_within and (near in (None, at) or at is None):
            return
        if self.here is not None:
            self._back = [*self._back[-(MOST - 1) :], (self.here, at if is_within else None)]
        self._ahead.clear()
        self.here = place

    def back(self, at: MessageId | None = None) -> Stop[P] | None:
        """Go back from the message `at`, and return where to; None at the start."""
        return self._move(self._back, self._ahead, at)

    def forward(self, at: MessageId | None = None) -> Stop[P] | None:
        """Go forward from the message `at`, and return where to; None at the end."""
        return self._move(self._ahead, self._back, at)

    def replace(self, place: P, by: P) -> None:
        """Replace a narrow in the whole history, as its topic was renamed."""
        self._back = _renamed(self._back, place, by)
        self._ahead = _renamed(self._ahead, place, by)
        self.here = by if self.here == place else self.here

    def _move(
        self, source: list[Stop[P]], other: list[Stop[P]], at: MessageId | None
    ) -> Stop[P] | None:
        if not source or self.here is None:
            return None
        stop = source.pop()
        other.append((self.here, at if stop[0] == self.here else None))
        self.here = stop[0]
        return stop


def _renamed(stops: list[Stop[P]], place: P, by: P) -> list[Stop[P]]:
    """Without repeats in a row: a key that goes back must change something."""
    trail: list[Stop[P]] = []
    for each, at in stops:
        stop = (by if each == place else each, at)
        if not trail or trail[-1] != stop:
            trail.append(stop)
    return trail
