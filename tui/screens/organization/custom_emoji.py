"""The page of custom emoji. Asks, and tells the server."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import partial

from tui.api.model import EmojiId
from tui.api.organization import CustomEmoji
from tui.commands import custom_emoji
from tui.content.sanitize import sanitize_line
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.form import Answers, Form, TextField
from tui.screens.dialogs.listing import ListingRow
from tui.screens.dialogs.path import ask_path
from tui.screens.organization.live_page import CurrentPage
from tui.view.custom_emoji import (
    collision,
    detail,
    in_order,
    label,
    may_take_away,
    proposed_name,
)
from tui.view.permissions import is_in, is_member


async def show(context: AccountContext) -> None:
    """Show the custom emoji until Esc."""
    await CustomEmojiPage(context).show()


class CustomEmojiPage(CurrentPage[Mapping[EmojiId, CustomEmoji]]):
    """The custom emoji by name, deactivated ones last."""

    title = "Custom emoji"
    nothing = "No custom emoji yet."

    def known(self) -> Mapping[EmojiId, CustomEmoji]:
        return dict(self.store.realm.emoji)

    async def ask(self) -> Mapping[EmojiId, CustomEmoji]:
        return await custom_emoji.fetch(self.sync)

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(
                key=each.id,
                label=label(each),
                detail=detail(self.store, each),
                faint=each.deactivated,
            )
            for each in in_order(self.current.values())
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        emoji = self._emoji(key)
        actions = []
        if emoji is not None and may_take_away(self.store, emoji):
            remove = partial(self._deactivate, emoji)
            actions.append(DialogAction(key="d", label="remove", run=remove))
        adders = self.store.realm.settings.can_add_custom_emoji_group
        if is_member(self.store) and is_in(self.store, adders):
            actions.append(DialogAction(key="n", label="new", run=self._add))
        return actions

    def _emoji(self, key: Hashable | None) -> CustomEmoji | None:
        return next((each for each in self.current.values() if each.id == key), None)

    async def _add(self) -> None:
        context = self.context
        path = await ask_path(context, "Image for an emoji", enter="Choose")
        if path is None:
            return
        emoji = await context.emoji.all()

        async def submit(answers: Answers) -> None:
            await custom_emoji.add(context.session.sync, answers.text("name"), path)

        form = Form(
            f"New emoji from {sanitize_line(path.name)}",
            [TextField(name="name", label="Name", value=proposed_name(path.stem), longest=100)],
            submit=submit,
            yes="Add",
            preview=lambda answers: collision(answers.text("name"), emoji),
        )
        if await context.ask(form):
            context.toast("Everyone can use it now.")

    async def _deactivate(self, emoji: CustomEmoji) -> None:
        text = "It can no longer be used. Existing messages and reactions keep it."
        if await self.confirms(f"Remove {label(emoji)}?", text, yes="Remove"):
            await custom_emoji.deactivate(self.sync, emoji.name)
