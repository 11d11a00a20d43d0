"""The history of opened narrows, for back and forward. Pure: no widgets, no store."""

from dataclasses import field
from typing import Generic, TypeVar

from tui.dataclass import dataclass

P = TypeVar("P")

MOST = 100
"""Narrows remembered."""


@dataclass(slots=True)
class NavigationHistory(Generic[P]):
    """Narrows in the order in which they were opened, like the pages of a browser."""

    _back: list[P] = field(default_factory=list)
    _ahead: list[P] = field(default_factory=list)
    here: P | None = None

    def go(self, place: P) -> None:
        """Add a narrow and make it current; those ahead are dropped."""
        if place == self.here:
            return
        if self.here is not None:
            self._back = [*self._back[-(MOST - 1) :], self.here]
        self._ahead.clear()
        self.here = place

    def back(self) -> P | None:
        """Go back and return the current narrow; None at the start."""
        return self._move(self._back, self._ahead)

    def forward(self) -> P | None:
        """Go forward and return the current narrow; None at the end."""
        return self._move(self._ahead, self._back)

    def replace(self, place: P, by: P) -> None:
        """Replace a narrow in the whole history, as its topic was renamed."""
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
    """Without repeats in a row: a key that goes back must change something."""
    trail: list[P] = []
    for each in (by if each == place else each for each in places):
        if not trail or trail[-1] != each:
            trail.append(each)
    return trail
