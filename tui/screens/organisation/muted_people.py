"""The page of people whom the person does not want to hear."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tui.api.model import UserId
from tui.commands import muted_users as commands
from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.chooser import Choice, Chooser
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.organisation.administration import show_listing
from tui.view import names
from tui.view.users import everybody

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show(screen: AccountScreen) -> None:
    """All of them; heard again, or one more not heard."""
    await MutedPeople(screen).show()


class MutedPeople:
    """The page; who is muted is what the store says."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen

    async def show(self) -> None:
        """Until Esc."""
        listing = Listing(
            "Muted people",
            rows=self._rows,
            acts=self._acts,
            do=self._do,
            nothing="You hear everybody. What muted people say is folded away, and nobody is told.",
        )
        await show_listing(self._screen, listing)

    def _rows(self) -> Sequence[ListingRow]:
        store = self._screen.session.store
        rows = [ListingRow(key=each, label=names.person(store, each)) for each in store.muted_users]
        return sorted(rows, key=lambda row: row.label.casefold())

    def _acts(self, key: Hashable | None) -> Sequence[Act]:
        new = Act(key="n", label="mutes somebody", act="mute")
        return [new] if key is None else [Act(key="x", label="unmutes", act="unmute"), new]

    async def _do(self, act: str, key: Hashable | None) -> None:
        sync = self._screen.session.sync
        if act == "unmute" and isinstance(key, int):
            await commands.set_muted(sync, UserId(key), muted=False)
        elif act == "mute" and (user_id := await self._ask()) is not None:
            await commands.set_muted(sync, user_id, muted=True)

    async def _ask(self) -> UserId | None:
        store = self._screen.session.store
        choices = [
            Choice(value=each.user_id, label=names.person(store, each.user_id))
            for each in everybody(store, deactivated=False)
            if each.user_id not in store.muted_users | {store.self_id}
        ]
        found: UserId | None = await self._screen.app.push_screen_wait(
            Chooser("Whom do you not want to hear?", choices, hint="a name")
        )
        return found
