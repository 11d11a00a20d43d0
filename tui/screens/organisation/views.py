"""The page of kept views: a search or a place under a name, on every machine. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tui.screens import keeping
from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.organisation.administration import show_listing
from tui.view.navigation_views import KeptView, kept_views

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show(screen: AccountScreen) -> None:
    """Until Esc, or until one is opened."""
    page = _Views(screen)
    await show_listing(
        screen,
        Listing(
            "Kept views",
            rows=page.rows,
            acts=page.acts,
            do=page.do,
            nothing="None yet. K keeps the search or the place that is open.",
        ),
    )


class _Views:
    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen

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
        return kept_views(self._screen.session.store)

    def acts(self, key: Hashable | None) -> Sequence[Act]:
        view = self._view(key)
        found = []
        if view is not None:
            found += [
                Act(key="enter", label="open", act="open"),
                Act(key="e", label="rename", act="rename"),
                Act(
                    key="p",
                    label="hide in the list" if view.is_pinned else "show in the list",
                    act="pin",
                ),
                Act(key="x", label="keep no longer", act="delete"),
            ]
        if self._screen.open_narrow.narrow is not None:
            found.append(Act(key="n", label="keep what is open", act="keep"))
        return found

    def _view(self, key: Hashable | None) -> KeptView | None:
        return next((each for each in self._views() if each.fragment == key), None)

    async def do(self, act: str, key: Hashable | None) -> bool:
        view, narrow = self._view(key), self._screen.open_narrow.narrow
        match act:
            case "keep" if narrow is not None:
                await keeping.keep(self._screen, narrow)
            case "open" if view is not None:
                self._screen.go(view.narrow)
                return True
            case _ if view is not None:
                await keeping.change(self._screen, view, act)
        return False
