"""The page of kept views: a search or a place under a name, on every machine. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tui.screens.dialogs.actions import Act
from tui.screens.dialogs.listing import ListingRow
from tui.screens.navigation import saved_views
from tui.screens.page import Page
from tui.view.navigation_views import KeptView, kept_views

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show(screen: AccountScreen) -> None:
    """All of them, and what may be done."""
    await NavigationViews(screen).show()


class NavigationViews(Page):
    """Each leads to a search or a place."""

    title = "Saved searches"
    nothing = "No saved views. Press K to save the open search or conversation."

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=each.fragment,
                label=each.name,
                detail=each.words,
                faint=not each.is_pinned,
            )
            for each in self._views()
        ]

    def _views(self) -> list[KeptView]:
        return kept_views(self.store)

    def acts(self, key: Hashable | None) -> Sequence[Act]:
        view = self._view(key)
        found = []
        if view is not None:
            found += [
                Act(key="enter", label="open", act="open"),
                Act(key="e", label="rename", act="rename"),
                Act(
                    key="p",
                    label="hide in the sidebar" if view.is_pinned else "show in the sidebar",
                    act="pin",
                ),
                Act(key="d", label="delete", act="delete"),
            ]
        if self.screen.open_narrow.narrow is not None:
            found.append(Act(key="n", label="save the open view", act="keep"))
        return found

    def _view(self, key: Hashable | None) -> KeptView | None:
        return next((each for each in self._views() if each.fragment == key), None)

    async def do(self, act: str, key: Hashable | None) -> bool:
        view, narrow = self._view(key), self.screen.open_narrow.narrow
        match act:
            case "keep" if narrow is not None:
                await saved_views.keep(self.screen, narrow)
            case "open" if view is not None:
                self.screen.go(view.narrow)
                return True
            case _ if view is not None:
                await saved_views.change(self.screen, view, act)
        return False
