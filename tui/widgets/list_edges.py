"""When more items are asked for above and below those that are loaded. Pure decisions, no widget."""

from typing import Final

from tui.widgets.list_item import ItemT
from tui.widgets.list_layout import ListLayout

NEAR: Final = 2
"""Screens from an end at which more is asked for."""


class ListEdges:
    """Each end is asked for once, until something came or the reader moves after it did not."""

    def __init__(self) -> None:
        self._asked_above = self._asked_below = False
        self._has_failed = False

    def open(self) -> None:
        """Other items are shown."""
        self._asked_above = self._asked_below = self._has_failed = False

    def came(self, *, above: bool, below: bool) -> None:
        """There is something new at these ends."""
        self._asked_above = self._asked_above and not above
        self._asked_below = self._asked_below and not below

    def failed(self) -> None:
        """What was asked for did not come."""
        self._has_failed = True

    def moved(self) -> None:
        """The reader moved: what failed to come may be asked for again."""
        if self._has_failed:
            self.open()

    def wants_above(self, layout: ListLayout[ItemT]) -> bool:
        """Whether to ask for what is above, now."""
        is_near = layout.more_above and layout.y < NEAR * layout.height
        wants = is_near and not self._asked_above
        self._asked_above = self._asked_above or wants
        return wants

    def wants_below(self, layout: ListLayout[ItemT]) -> bool:
        """Whether to ask for what is below, now."""
        rest = layout.lines - layout.y - layout.height
        wants = layout.more_below and not self._asked_below and rest < NEAR * layout.height
        self._asked_below = self._asked_below or wants
        return wants
