"""All topics of a channel, and what can be done with each. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Final

from tui.api.model import ChannelId, MessageId, VisibilityPolicy
from tui.commands import channels as commands
from tui.narrow import ChannelNarrow, Conversation, TopicNarrow
from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.dialogs.question import Question
from tui.screens.moving import Moving
from tui.screens.organisation.administration import show_listing
from tui.store import Changes, Store
from tui.view import channels, moves, names, topics

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

MOST_LOOKED_UP: Final = 200
"""Topics whose last message is asked for; of older ones the list does not say when that was."""


async def show_topics(screen: AccountScreen, channel_id: ChannelId) -> bool:
    """Show them until Esc, or until one is opened, which is then True."""
    page = _Topics(screen, channel_id)
    listing = Listing(
        f"Topics in {names.narrow(screen.session.store, ChannelNarrow(channel_id))}",
        rows=page.rows,
        acts=page.acts,
        do=page.do,
        load=page.load,
        nothing="Nothing was said here yet.",
    )

    def follow(changes: Changes) -> None:
        if channel_id in changes.topics:
            listing.load()
        elif any(_is_in(place, channel_id) for place in changes.conversations):
            listing.show_rows()

    screen.followers.append(follow)
    try:
        await show_listing(screen, listing)
    finally:
        screen.followers.remove(follow)
    return page.opened


def _is_in(place: Conversation, channel_id: ChannelId) -> bool:
    return isinstance(place, TopicNarrow) and place.channel_id == channel_id


class _Topics:
    """What the lines say, and what is done with them."""

    def __init__(self, screen: AccountScreen, channel_id: ChannelId) -> None:
        self._screen = screen
        self._channel_id = channel_id
        self._moving = Moving(screen)
        self.opened = False

    @property
    def _store(self) -> Store:
        return self._screen.session.store

    async def load(self) -> None:
        """The whole list, and the last message of each of the newest topics."""
        history = self._screen.session.sync.history
        if self._channel_id not in self._store.topics.complete:
            await history.topics(self._channel_id)
        newest = self._store.topics.of(self._channel_id)[:MOST_LOOKED_UP]
        unknown = [each.max_id for each in newest if self._store.message(each.max_id) is None]
        if unknown:
            await history.by_id(unknown)

    def rows(self) -> list[ListingRow]:
        """The newest first."""
        return [
            ListingRow(key=line.place, label=line.label, detail=line.detail, faint=line.is_muted)
            for line in topics.lines(self._store, self._channel_id, self._screen.clock())
        ]

    def acts(self, key: Hashable | None) -> list[Act]:
        """What the person may do with a topic."""
        channel = self._store.channels.get(self._channel_id)
        if not isinstance(key, TopicNarrow) or channel is None:
            return []
        muted, followed = self._store.is_muted(key), VisibilityPolicy.FOLLOWED
        found = [
            Act(key="enter", label="open", act="open"),
            Act(key="r", label="mark read", act="read"),
            Act(key="m", label="unmute" if muted else "mute", act="mute"),
            Act(
                key="f",
                label="unfollow" if self._store.policy(key) == followed else "follow",
                act="follow",
            ),
        ]
        if channel.is_archived or self._newest(key) is None:
            return found
        resolved = moves.topic_is_resolved(key.topic)
        found += [
            Act(key="v", label="move or rename", act="move"),
            Act(key="t", label="open again" if resolved else "resolve", act="resolve"),
        ]
        if channels.may_delete_topics(self._store, channel):
            found.append(Act(key="d", label="delete", act="delete"))
        return found

    async def do(self, act: str, key: Hashable | None) -> bool:
        """One of the acts; opening a topic closes the list."""
        if not isinstance(key, TopicNarrow):
            return False
        newest = self._newest(key)
        match act:
            case "open":
                self.opened = True
                self._screen.go(key)
            case "read" | "mute" | "follow":
                await self._screen.place_acts.do(act, key)
            case "move" if newest is not None:
                await self._moving.move(newest, reach="change_all")
            case "resolve" if newest is not None:
                await self._moving.resolve(newest)
            case "delete":
                await self._delete(key)
        return self.opened

    def _newest(self, topic: TopicNarrow) -> MessageId | None:
        """The last message of a topic, if it is known; it is what a move names."""
        wanted = topic.topic.casefold()
        for each in self._store.topics.of(self._channel_id):
            if each.name.casefold() == wanted and self._store.message(each.max_id) is not None:
                return each.max_id
        return None

    async def _delete(self, topic: TopicNarrow) -> None:
        name = names.conversation(self._store, topic)
        words = "Every message in it will be gone, for everybody. This cannot be taken back."
        if await self._screen.app.push_screen_wait(
            Question(f"Delete {name}?", words, yes="Delete it")
        ):
            await commands.delete_topic(self._screen.session.sync, topic)
            self._screen.tell(f"{name} is deleted.")
