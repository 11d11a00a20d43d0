"""What a list needs to know of the things it shows. No Textual, no chat.

A message row, a date line and the unread line are all items: the list asks each for its name (`key`), for what it looks
like now (`revision`), whether a person can stand on it, and for a guess at its height.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeVar


class ListItem(Protocol):
    """One item of a list. Items with equal keys are the same thing, perhaps changed."""

    @property
    def key(self) -> Hashable:
        """Unique in the list, and the same for as long as the thing is the same."""

    @property
    def revision(self) -> Hashable:
        """Whatever changes when the item must be drawn again (an edit, a reaction, a flag)."""

    @property
    def selectable(self) -> bool:
        """Whether the cursor can stand on it; separators answer no."""

    def estimate(self, width: int) -> int:
        """A guess at its height in lines (at least 1) at `width` cells; cheap, may be wrong."""


ItemT = TypeVar("ItemT", bound=ListItem)
