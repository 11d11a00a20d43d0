"""Where one was and can go back to. Pure: no widgets, no store."""

from dataclasses import field
from typing import Generic, TypeVar

from tui.dataclass import dataclass

P = TypeVar("P")

MOST = 100
"""Places remembered."""


@dataclass(slots=True)
class NavigationHistory(Generic[P]):
    """Places in the order in which they were opened, like the pages of a browser."""

    _back: list[P] = field(default_factory=list)
    _ahead: list[P] = field(default_factory=list)
    here: P | None = None

    def go(self, place: P) -> None:
        """Open a place; what was ahead is forgotten."""
        if place == self.here:
            return
        if self.here is not None:
            self._back = [*self._back[-(MOST - 1) :], self.here]
        self._ahead.clear()
        self.here = place

    def back(self) -> P | None:
        """The place before this one, which is now here; None at the start."""
        return self._move(self._back, self._ahead)

    def forward(self) -> P | None:
        """The place one came back from; None at the end."""
        return self._move(self._ahead, self._back)

    def replace(self, place: P, by: P) -> None:
        """A place is another one now, wherever one was there."""
        self._back = _renamed(self._back, place, by)
        self._ahead = _renamed(self._ahead, place, by)
        self.here = by if self.here == place else self.here

    def _move(self, source: list[P], other: list[P]) -> P | None:
        if not source or self.here is None:
            return None
        other.append(self.here)
        self.here = source.pop()
        return self.here


def _renamed(places: list[P], place: P, by: P) -> list[P]:
    """With no place twice in a row: a key that goes back has to go somewhere."""
    trail: list[P] = []
    for each in (by if each == place else each for each in places):
        if not trail or trail[-1] != each:
            trail.append(each)
    return trail
