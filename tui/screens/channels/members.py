"""A channel's members: adding people and groups, removing people. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.model import ChannelId, UserGroupId, UserId
from tui.commands import channels as commands
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.listing import ListingRow
from tui.screens.dialogs.multi_select import MultiSelect
from tui.screens.fields.groups import Part, part_choices
from tui.screens.page import Page
from tui.store import Changes, Store
from tui.view import channels, names
from tui.view.counts import counted


async def show_members(context: AccountContext, channel_id: ChannelId) -> None:
    """Show a channel's members until Esc."""
    await ChannelMembers(context, channel_id).show()


class ChannelMembers(Page):
    """The members by name."""

    nothing = "No members."

    def __init__(self, context: AccountContext, channel_id: ChannelId) -> None:
        super().__init__(context)
        self._channel = self.store.channels.by_id[channel_id]
        self._known = frozenset(self._channel.subscribers or ())
        self.title = f"Members of {channels.name(self.store, self._channel)}"

    def asks_after(self, changes: Changes) -> bool:
        return self._channel.channel_id in changes.channels

    async def load(self) -> None:
        """Fetch the members: of a large channel the snapshot may hold only some."""
        channel_id = self._channel.channel_id
        self._known = await commands.members(self.sync, channel_id)
        self._channel = self.store.channels.get(channel_id) or self._channel

    def rows(self) -> Sequence[ListingRow]:
        store = self.store
        named = ((names.person(store, each), each) for each in self._known)
        return [
            ListingRow(key=user_id, label=name, detail=_description(store, user_id))
            for name, user_id in sorted(named, key=lambda pair: (pair[0].casefold(), pair[1]))
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        actions = []
        if channels.may_add(self.store, self._channel):
            actions.append(DialogAction(key="a", label="add people or groups", run=self._add))
        if isinstance(key, int) and channels.may_remove(self.store, self._channel, UserId(key)):
            remove = partial(self._remove, UserId(key))
            actions.append(DialogAction(key="d", label="remove", run=remove))
        return actions

    async def _add(self) -> None:
        there = self._known
        chosen: frozenset[Part] | None = await self.context.ask(
            MultiSelect("Add to the channel", people_choices(self.store, but=there))
        )
        added = (chosen_people(self.store, chosen) if chosen else frozenset()) - there
        if added:
            await commands.subscribe(self.sync, self._channel.channel_id, user_ids=sorted(added))
            self.context.toast(f"Added {counted(len(added), 'person', 'people')}.")

    async def _remove(self, user_id: UserId) -> None:
        name = names.person(self.store, user_id)
        channel = channels.name(self.store, self._channel)
        again = (
            "Only a member can add them back."
            if self._channel.invite_only
            else "They can join again."
        )
        text = f"They will no longer receive its messages. {again}"
        if await self.confirms(f"Remove {name} from {channel}?", text, yes="Remove"):
            await commands.unsubscribe(self.sync, self._channel.channel_id, user_ids=[user_id])


def people_choices(store: Store, *, but: frozenset[UserId] = frozenset()) -> list[Choice[Part]]:
    """Return the choices of people, except `but`, and groups."""
    return [
        each for each in part_choices(store) if each.value not in {("person", int(i)) for i in but}
    ]


def chosen_people(store: Store, chosen: frozenset[Part]) -> frozenset[UserId]:
    """Return the chosen people, with the members of the chosen groups."""
    people = {UserId(each) for kind, each in chosen if kind == "person"}
    groups = [UserGroupId(each) for kind, each in chosen if kind == "group"]
    people |= {
        user.user_id
        for user in store.users.by_id.values()
        if user.is_active and any(store.groups.includes(each, user.user_id) for each in groups)
    }
    return frozenset(people)


def _description(store: Store, user_id: UserId) -> str:
    user = store.users.get(user_id)
    if user is None:
        return ""
    parts = ["you"] if user_id == store.self_id else []
    if user.is_bot:
        parts.append("bot")
    elif user.is_guest:
        parts.append("guest")
    if not user.is_active:
        parts.append("deactivated")
    return " · ".join(parts)
