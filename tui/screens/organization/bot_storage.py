"""A bot's storage: listed, shown, written, deleted. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from typing import Final

from tui.api.model import User
from tui.commands import bots
from tui.commands.bots import BotStorage
from tui.content.sanitize import sanitize, sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page
from tui.view import names
from tui.view.counts import counted

MOST_SHOWN: Final = 20_000
"""Most characters of a value that are shown."""
BEGINNING: Final = 60


async def show(context: AccountContext, bot: User) -> None:
    """Show the bot's storage until Esc."""
    async with bots.storage(context.session.sync, bot) as storage:
        await _Storage(context, bot, storage).show()


class _Storage(Page):
    nothing = "Nothing stored."

    def __init__(self, context: AccountContext, bot: User, storage: BotStorage) -> None:
        super().__init__(context)
        self.title = f"What {names.person(self.store, bot.user_id)} keeps"
        self._storage = storage
        self._values: Mapping[str, str] = {}

    async def load(self) -> None:
        self._values = await self._storage.all()

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=name,
                label=sanitize_line(name) or "(no name)",
                detail=f"{sanitize_line(value[:BEGINNING])} · {counted(len(value), 'character', 'characters')}",
            )
            for name, value in sorted(self._values.items())
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        new = DialogAction(key="n", label="new", run=partial(self._put, "", ""))
        if not isinstance(key, str):
            return [new]
        value = self._values.get(key, "")
        return [
            DialogAction(key="enter", label="view, edit", run=partial(self._put, key, value)),
            DialogAction(key="d", label="delete", run=partial(self._delete, key, value)),
            new,
        ]

    async def _delete(self, name: str, value: str) -> None:
        if await self.confirms(f"Delete {sanitize_line(name)}?", value[:500], yes="Delete"):
            await self._storage.delete(name)

    async def _put(self, name: str, value: str) -> None:
        """Edit an entry in a form; a value shown only in part or sanitized is not written back."""
        excerpt = sanitize(value[:MOST_SHOWN])

        async def submit(answers: Answers) -> None:
            if answers.changed or not name:
                text = str(answers.values["value"])
                await self._storage.put(name or answers.text("name"), text)

        hint = (
            ""
            if excerpt == value
            else "The value is longer, or has other characters, than shown here."
        )
        fields = [TextField(name="value", label="Value", value=excerpt, lines=6)]
        if not name:
            fields.insert(0, TextField(name="name", label="Name", hint="key"))
        title = f"Value of {sanitize_line(name)}" if name else "New value"
        await self.context.ask(Form(title, fields, submit=submit, text=hint))
