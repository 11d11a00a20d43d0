"""The folders of channels: made, named, ordered, filled, archived. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

from tui.api.model import ChannelFolder, ChannelFolderId
from tui.commands import channel_folders as commands
from tui.content.sanitise import sanitise_line
from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.chooser import Choice
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.dialogs.question import Question
from tui.screens.dialogs.several import Several
from tui.screens.organisation.administration import show_listing
from tui.store import Store
from tui.view import channel_folders as view
from tui.view import channels
from tui.view.permissions import is_administrator

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

LONGEST_NAME, LONGEST_DESCRIPTION = 100, 1024


async def show(screen: AccountScreen) -> None:
    """Show them until Esc."""
    page = _Page(screen)
    await show_listing(
        screen,
        Listing(
            "Folders of channels",
            rows=page.rows,
            acts=page.acts,
            do=page.do,
            nothing="There are none: n makes one, and channels are put into it.",
        ),
    )


class _Page:
    """What the lines say, and what is done with them."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen

    @property
    def _store(self) -> Store:
        return self._screen.session.store

    def _folder(self, key: Hashable | None) -> ChannelFolder | None:
        if not isinstance(key, int):
            return None
        return self._store.folders.by_id.get(ChannelFolderId(key))

    def rows(self) -> list[ListingRow]:
        """In their order, the archived ones last."""
        return [
            ListingRow(
                key=each.id,
                label=sanitise_line(each.name),
                detail=view.said(self._store, each),
                faint=each.is_archived,
            )
            for each in view.in_order(self._store)
        ]

    def acts(self, key: Hashable | None) -> list[Act]:
        """Folders are for administrators; everybody may look."""
        if not is_administrator(self._store):
            return []
        new, folder = Act(key="n", label="new folder", act="new"), self._folder(key)
        if folder is None:
            return [new]
        if folder.is_archived:
            return [Act(key="a", label="bring back", act="archive"), new]
        return [
            Act(key="enter", label="channels in it", act="fill"),
            Act(key="e", label="edit", act="edit"),
            Act(key="shift+up", label="up", act="up"),
            Act(key="shift+down", label="down", act="down"),
            Act(key="a", label="archive", act="archive"),
            new,
        ]

    async def do(self, act: str, key: Hashable | None) -> None:
        """One of the acts."""
        folder, sync = self._folder(key), self._screen.session.sync
        if act == "new":
            await self._edit(None)
        elif folder is None:
            return
        elif act == "edit":
            await self._edit(folder)
        elif act == "fill":
            await self._fill(folder)
        elif act == "archive":
            await self._archive(folder)
        else:
            await commands.move(sync, folder.id, -1 if act == "up" else 1)

    async def _edit(self, folder: ChannelFolder | None) -> None:
        sync = self._screen.session.sync

        async def submit(answers: Answers) -> None:
            said = {name: answers.text(name) for name in ("name", "description")}
            if folder is None:
                await commands.create(sync, **said)
            elif answers.changed:
                news = {name: said[name] for name in answers.changed}
                name, description = news.get("name"), news.get("description")
                await commands.update(sync, folder.id, name=name, description=description)

        form = Form(
            "New folder" if folder is None else sanitise_line(folder.name),
            [
                TextField(
                    name="name",
                    label="Name",
                    value="" if folder is None else folder.name,
                    longest=LONGEST_NAME,
                ),
                TextField(
                    name="description",
                    label="What is in it",
                    value="" if folder is None else folder.description,
                    longest=LONGEST_DESCRIPTION,
                ),
            ],
            submit=submit,
            yes="Create" if folder is None else "Save",
        )
        await self._screen.app.push_screen_wait(form)

    async def _fill(self, folder: ChannelFolder) -> None:
        store = self._store
        choices = [
            Choice(value=each.channel_id, label=channels.name(store, each))
            for each in channels.in_order(store)
            if not each.is_archived
        ]
        inside = frozenset(each.channel_id for each in view.channels_in(store, folder.id))
        chosen: frozenset[Any] | None = await self._screen.app.push_screen_wait(
            Several(f"Channels in {sanitise_line(folder.name)}", choices, chosen=inside)
        )
        if chosen is not None:
            await commands.fill(self._screen.session.sync, folder.id, chosen)

    async def _archive(self, folder: ChannelFolder) -> None:
        sync, name = self._screen.session.sync, sanitise_line(folder.name)
        if folder.is_archived:
            await commands.update(sync, folder.id, is_archived=False)
            return
        inside = len(view.channels_in(self._store, folder.id))
        words = (
            f"Its channels ({inside}) are taken out of it first; nothing happens to them."
            if inside
            else "It holds no channels."
        )
        question = Question(f"Archive the folder {name}?", words, yes="Archive it")
        if await self._screen.app.push_screen_wait(question):
            await commands.fill(sync, folder.id, frozenset())
            await commands.update(sync, folder.id, is_archived=True)
