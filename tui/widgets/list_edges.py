"""When to load more items above and below the loaded ones. Pure decisions, no widget."""

from typing import Final

from tui.widgets.list_item import ItemT
from tui.widgets.list_layout import ListLayout

NEAR: Final = 2
"""Screens from an end at which more is requested."""


class ListEdges:
    """Requests more at each end once, until items came or, after a failure, the user scrolls."""

    def __init__(self) -> None:
        self._asked_above = self._asked_below = False
        self._has_failed = False

    def open(self) -> None:
        """Start over, since other items are shown."""
        self._asked_above = self._asked_below = self._has_failed = False

    def came(self, *, above: bool, below: bool) -> None:
        """Note that items came at these ends."""
        self._asked_above = self._asked_above and not above
        self._asked_below = self._asked_below and not below

    def failed(self) -> None:
        """Note that a request failed."""
        self._has_failed = True

    def moved(self) -> None:
        """Note that the user scrolled: after a failure, more may be requested again."""
        if self._has_failed:
            self.open()

    def wants_above(self, layout: ListLayout[ItemT]) -> bool:
        """Return whether to request items above now; notes the request."""
        is_near = layout.more_above and layout.y < NEAR * layout.height
        wants = is_near and not self._asked_above
        self._asked_above = self._asked_above or wants
        return wants

    def wants_below(self, layout: ListLayout[ItemT]) -> bool:
        """Return whether to request items below now; notes the request."""
        rest = layout.lines - layout.y - layout.height
        wants = layout.more_below and not self._asked_below and rest < NEAR * layout.height
        self._asked_below = self._asked_below or wants
        return wants
