"""All channels, and what can be done with each. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from tui.api.model import Channel, ChannelId
from tui.narrow import ChannelNarrow
from tui.screens.channels.actions import administer, administering
from tui.screens.channels.new import make_channel
from tui.screens.dialogs.actions import Act
from tui.screens.dialogs.listing import ListingRow
from tui.screens.page import Page
from tui.view import channels

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen


async def show(screen: AccountScreen) -> None:
    """All of them, and what may be done."""
    await Channels(screen).show()


class Channels(Page):
    """By name, the archived ones last and faint."""

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
                detail=channels.said(store, each),
                faint=each.is_archived,
            )
            for each in channels.in_order(store)
        ]

    def acts(self, key: Hashable | None) -> Sequence[Act]:
        store, channel = self.store, self._channel(key)
        found = []
        if channel is not None:
            found += [
                Act(key="enter", label="about", act="about"),
                Act(key="m", label="members", act="members"),
                Act(key="o", label="topics", act="topics"),
            ]
            found += administering(store, channel)
        if channels.privacies(store):
            found.append(Act(key="n", label="new", act="new"))
        return found

    async def do(self, act: str, key: Hashable | None) -> bool:
        channel = self._channel(key)
        if act == "new":
            await make_channel(self.screen)
        elif channel is not None and act == "about":
            place = ChannelNarrow(channel.channel_id)
            await self.screen.place_acts.do("info", place)
        elif channel is not None:
            return await administer(self.screen, act, channel)
        return False
