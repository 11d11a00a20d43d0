"""The interface between a list and its items. No Textual, no chat.

A message row, a date line and the unread line are all items: the list asks each for its identity (`key`), for
its current look (`revision`), whether the cursor can stand on it, and for an estimate of its height.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeVar


class ListItem(Protocol):
    """One item of a list. Items with equal keys are the same thing, perhaps changed."""

    @property
    def key(self) -> Hashable:
        """Unique in the list, and constant for the same thing."""

    @property
    def revision(self) -> Hashable:
        """Changes whenever the item must be drawn again (an edit, a reaction, a flag)."""

    @property
    def selectable(self) -> bool:
        """Whether the cursor can stand on the item; False for separators."""

    def estimate(self, width: int) -> int:
        """Estimate the height in lines (at least 1) at `width` cells; cheap, may be wrong."""


ItemT = TypeVar("ItemT", bound=ListItem)
