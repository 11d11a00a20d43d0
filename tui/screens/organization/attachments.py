"""The page of the user's own files: their messages, deleting. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.model import Attachment
from tui.api.routes import uploads as routes
from tui.content.sanitize import sanitize_line
from tui.narrow import conversation_of
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page
from tui.view.attachments import detail, in_order


async def show(context: AccountContext) -> bool:
    """Show the files until Esc, or until the user goes to a file's message."""
    return await Attachments(context).show()


class Attachments(Page):
    """The files, as fetched last."""

    title = "Your files"
    nothing = "No files."

    def __init__(self, context: AccountContext) -> None:
        super().__init__(context)
        self._files: tuple[Attachment, ...] = ()

    async def load(self) -> None:
        self._files = (await routes.list_attachments(self.sync.connection)).attachments

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=each.id,
                label=sanitize_line(each.name),
                detail=detail(each, self.context.times),
            )
            for each in in_order(self._files)
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        file = self._file(key)
        if file is None:
            return []
        actions = [DialogAction(key="d", label="delete", run=partial(self._delete, file))]
        if file.message_ids:
            go = partial(self._go, file)
            actions.insert(0, DialogAction(key="enter", label="go to its message", run=go))
        return actions

    def _file(self, key: Hashable | None) -> Attachment | None:
        return next((each for each in self._files if each.id == key), None)

    async def _go(self, file: Attachment) -> bool:
        newest, session = max(file.message_ids), self.context.session
        await session.sync.history.by_id([newest])
        message = session.store.message(newest)
        if message is None:
            self.context.toast("Its message was deleted or is not visible to you.")
            return False
        self.context.go(conversation_of(message), near=newest)
        return True

    async def _delete(self, file: Attachment) -> None:
        text = "It is deleted for everyone."
        if file.message_ids:
            text += " Links to it in messages will no longer work."
        if await self.confirms(f"Delete {sanitize_line(file.name)}?", text, yes="Delete"):
            await routes.delete_attachment(self.sync.connection, attachment_id=file.id)
