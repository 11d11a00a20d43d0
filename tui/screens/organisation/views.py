"""The page of kept views: a search or a place under a name, on every machine. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from tui.commands import navigation_views as commands
from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.organisation.administration import show_listing
from tui.view.navigation_views import KeptView, kept_views

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

LONGEST = 100
"""Characters of a name."""


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
            nothing="None yet: open a search or a channel, come back, and press n.",
        ),
    )


class _Views:
    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=each.fragment,
                label=f"◆ {each.name}" if each.is_pinned else each.name,
                detail=each.words,
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
                Act(key="p", label="unpin" if view.is_pinned else "pin", act="pin"),
                Act(key="x", label="keep no longer", act="delete"),
            ]
        if self._screen.open_narrow.narrow is not None:
            found.append(Act(key="n", label="keep what is open", act="keep"))
        return found

    def _view(self, key: Hashable | None) -> KeptView | None:
        return next((each for each in self._views() if each.fragment == key), None)

    async def do(self, act: str, key: Hashable | None) -> bool:
        sync, view = self._screen.session.sync, self._view(key)
        match act:
            case "keep":
                await self._keep()
            case "open" if view is not None:
                self._screen.go(view.narrow)
                return True
            case "rename" if view is not None:
                await self._rename(view)
            case "pin" if view is not None:
                await commands.pin(sync, view.fragment, pinned=not view.is_pinned)
            case "delete" if view is not None:
                await commands.delete(sync, view.fragment)
        return False

    async def _keep(self) -> None:
        narrow = self._screen.open_narrow.narrow
        if narrow is None:
            return

        async def submit(answers: Answers) -> None:
            await commands.keep(self._screen.session.sync, narrow, answers.text("name"))

        await self._ask("Keep what is open", "", submit)

    async def _rename(self, view: KeptView) -> None:
        async def submit(answers: Answers) -> None:
            await commands.rename(self._screen.session.sync, view.fragment, answers.text("name"))

        await self._ask("Rename the view", view.name, submit)

    async def _ask(
        self, title: str, name: str, submit: Callable[[Answers], Awaitable[None]]
    ) -> None:
        field = TextField(name="name", label="Name", value=name, longest=LONGEST)
        await self._screen.app.push_screen_wait(Form(title, [field], submit=submit))
