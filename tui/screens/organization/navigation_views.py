"""The page of saved views: named searches and narrows, on every device. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListingRow
from tui.screens.navigation import saved_views
from tui.screens.page import Page
from tui.view.navigation_views import KeptView, kept_views


async def show(context: AccountContext) -> bool:
    """Show the saved views until Esc."""
    return await NavigationViews(context).show()


class NavigationViews(Page):
    """The saved views; Enter opens one."""

    title = "Saved searches"
    nothing = "No saved views. Press K to save the open search or conversation."

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=each.fragment,
                label=each.name,
                detail=each.narrow_text,
                faint=not each.is_pinned,
            )
            for each in self._views()
        ]

    def _views(self) -> list[KeptView]:
        return kept_views(self.store)

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        context, view = self.context, self._view(key)
        actions = []
        if view is not None:
            pin = "hide in the sidebar" if view.is_pinned else "show in the sidebar"
            actions += [
                DialogAction(key="enter", label="open", run=partial(self._open, view)),
                DialogAction(
                    key="e", label="rename", run=partial(saved_views.rename, context, view)
                ),
                DialogAction(key="p", label=pin, run=partial(saved_views.pin, context, view)),
                DialogAction(
                    key="d", label="delete", run=partial(saved_views.delete, context, view)
                ),
            ]
        narrow = context.current_narrow
        if narrow is not None:
            keep = partial(saved_views.keep, context, narrow)
            actions.append(DialogAction(key="n", label="save the open view", run=keep))
        return actions

    def _view(self, key: Hashable | None) -> KeptView | None:
        return next((each for each in self._views() if each.fragment == key), None)

    async def _open(self, view: KeptView) -> bool:
        self.context.go(view.narrow)
        return True
