"""The page of all channels, with the actions on each. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial

from tui.api.model import Channel, ChannelId
from tui.narrow import ChannelNarrow
from tui.screens.channels.actions import administering_actions, looking_actions
from tui.screens.channels.card import show_channel
from tui.screens.channels.new import make_channel
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page
from tui.view import channels


async def show(context: AccountContext) -> None:
    """Show the channels until Esc."""
    await Channels(context).show()


class Channels(Page):
    """The channels by name, archived ones last and faint."""

    title = "Channels"
    nothing = "There are no channels yet."

    def _channel(self, key: Hashable | None) -> Channel | None:
        return self.store.channels.get(ChannelId(key)) if isinstance(key, int) else None

    def rows(self) -> Sequence[ListingRow]:
        store = self.store
        return [
            ListingRow(
                key=each.channel_id,
                label=channels.name(store, each),
                detail=channels.description(store, each),
                faint=each.is_archived,
            )
            for each in channels.in_order(store)
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        store, channel = self.store, self._channel(key)
        actions = []
        if channel is not None:
            about = partial(show_channel, self.context, ChannelNarrow(channel.channel_id))
            actions += [
                DialogAction(key="enter", label="about", run=about),
                *looking_actions(self.context, channel),
                *administering_actions(self.context, channel),
            ]
        if channels.privacies(store):
            actions.append(DialogAction(key="n", label="new", run=self._create))
        return actions

    async def _create(self) -> None:
        await make_channel(self.context)
