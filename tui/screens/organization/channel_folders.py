"""The page of channel folders: create, rename, order, fill, archive. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.model import ChannelFolder, ChannelFolderId, ChannelId
from tui.commands import channel_folders as commands
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.dialogs.multi_select import MultiSelect
from tui.screens.page import Page, move_actions
from tui.view import channel_folders as view
from tui.view import channels
from tui.view.permissions import is_administrator

LONGEST_NAME, LONGEST_DESCRIPTION = 100, 1024


async def show(context: AccountContext) -> None:
    """Show the folders until Esc."""
    await ChannelFolders(context).show()


class ChannelFolders(Page):
    """The folders in order, archived ones last."""

    title = "Channel folders"
    nothing = "No folders. Press n to create one."

    def _folder(self, key: Hashable | None) -> ChannelFolder | None:
        if not isinstance(key, int):
            return None
        return self.store.folders.by_id.get(ChannelFolderId(key))

    def rows(self) -> Sequence[ListingRow]:
        """Return a row for each folder, in order, archived ones last."""
        return [
            ListingRow(
                key=each.id,
                label=sanitize_line(each.name),
                detail=view.description(self.store, each),
                faint=each.is_archived,
            )
            for each in view.in_order(self.store)
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        """Return the actions on a folder; none for users who are no administrators."""
        if not is_administrator(self.store):
            return []
        new = DialogAction(key="n", label="new", run=partial(self._edit, None))
        folder = self._folder(key)
        if folder is None:
            return [new]
        if folder.is_archived:
            return [DialogAction(key="a", label="restore", run=partial(self._restore, folder)), new]
        return [
            DialogAction(key="enter", label="channels", run=partial(self._fill, folder)),
            DialogAction(key="e", label="edit", run=partial(self._edit, folder)),
            *move_actions(partial(commands.move, self.sync, folder.id)),
            DialogAction(key="a", label="archive", run=partial(self._archive, folder)),
            new,
        ]

    async def _edit(self, folder: ChannelFolder | None) -> None:
        sync = self.sync

        async def submit(answers: Answers) -> None:
            texts = {name: answers.text(name) for name in ("name", "description")}
            if folder is None:
                await commands.create(sync, **texts)
            elif answers.changed:
                news = {name: texts[name] for name in answers.changed}
                name, description = news.get("name"), news.get("description")
                await commands.update(sync, folder.id, name=name, description=description)

        form = Form(
            "New folder" if folder is None else sanitize_line(folder.name),
            [
                TextField(
                    name="name",
                    label="Name",
                    value="" if folder is None else folder.name,
                    longest=LONGEST_NAME,
                ),
                TextField(
                    name="description",
                    label="Description",
                    value="" if folder is None else folder.description,
                    longest=LONGEST_DESCRIPTION,
                ),
            ],
            submit=submit,
            yes="Create" if folder is None else "Save",
        )
        await self.context.ask(form)

    async def _fill(self, folder: ChannelFolder) -> None:
        store = self.store
        choices = [
            Choice(value=each.channel_id, label=channels.name(store, each))
            for each in channels.in_order(store)
            if not each.is_archived
        ]
        inside = frozenset(each.channel_id for each in view.channels_in(store, folder.id))
        chosen: frozenset[ChannelId] | None = await self.context.ask(
            MultiSelect(f"Channels in {sanitize_line(folder.name)}", choices, chosen=inside)
        )
        if chosen is not None:
            await commands.fill(self.sync, folder.id, chosen)

    async def _restore(self, folder: ChannelFolder) -> None:
        await commands.update(self.sync, folder.id, is_archived=False)

    async def _archive(self, folder: ChannelFolder) -> None:
        sync, name = self.sync, sanitize_line(folder.name)
        inside = len(view.channels_in(self.store, folder.id))
        text = (
            f"Its channels ({inside}) are moved out of it first, and stay as they are."
            if inside
            else "It has no channels."
        )
        if await self.confirms(f"Archive the folder {name}?", text, yes="Archive"):
            await commands.fill(sync, folder.id, frozenset())
            await commands.update(sync, folder.id, is_archived=True)
