"""The user's saved views in the sidebar. No I/O, no clock."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tui.api.model import NavigationView
from tui.api.wire import UNSET
from tui.store.collection import Collection

if TYPE_CHECKING:
    # The classes of events are made with the first event.
    from tui.api.events import NavigationViewChange


class NavigationViews(Collection[str, NavigationView]):
    """Views by fragment."""

    def change(self, fragment: str, change: NavigationViewChange) -> None:
        """Rename, pin or unpin a view."""
        view = self.get(fragment)
        if view is None:
            return
        pinned = view.is_pinned if change.is_pinned is None else change.is_pinned
        name = view.name if change.name is UNSET else change.name
        self.put(replace(view, is_pinned=pinned, name=name))
