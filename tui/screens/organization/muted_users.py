"""The page of people and bots that the user has muted. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.model import UserId
from tui.commands import users as commands
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page
from tui.view import names
from tui.view.users import with_bots


async def show(context: AccountContext) -> None:
    """Show the muted users, to mute and unmute."""
    await MutedUsers(context).show()


class MutedUsers(Page):
    """The muted users by name."""

    title = "Muted people"
    nothing = "No muted people. Messages from people you mute are hidden; they are not notified."

    def rows(self) -> Sequence[ListingRow]:
        store = self.store
        rows = [ListingRow(key=each, label=names.person(store, each)) for each in store.muted_users]
        return sorted(rows, key=lambda row: row.label.casefold())

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        new = DialogAction(key="n", label="mute", run=self._mute)
        if not isinstance(key, int):
            return [new]
        unmute = partial(commands.set_muted, self.sync, UserId(key), muted=False)
        return [DialogAction(key="d", label="unmute", run=unmute), new]

    async def _mute(self) -> None:
        user_id = await self._ask()
        if user_id is not None:
            await commands.set_muted(self.sync, user_id, muted=True)

    async def _ask(self) -> UserId | None:
        store = self.store
        choices = [
            Choice(
                value=each.user_id,
                label=names.person(store, each.user_id),
                detail="bot" if each.is_bot else "",
            )
            for each in with_bots(store)
            if each.user_id not in store.muted_users | {store.self_id}
        ]
        user_id: UserId | None = await self.context.ask(
            Chooser("Mute a person", choices, hint="the name of a person or bot")
        )
        return user_id
