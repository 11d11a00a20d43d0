"""The topics of a channel, and the actions on each. Draws nothing itself."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import partial
from typing import Final

from tui.api.model import ChannelId, MessageId, VisibilityPolicy
from tui.commands import channels as commands
from tui.narrow import ChannelNarrow, Conversation, TopicNarrow
from tui.screens.context import AccountContext
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.listing import ListingRow
from tui.screens.messages.moving import MoveController
from tui.screens.navigation.place_actions import PlaceActions
from tui.screens.page import Page
from tui.store import Changes
from tui.view import channels, moves, names, topics

MOST_LOOKED_UP: Final = 200
"""Topics whose last message is fetched; for older ones the list shows no time."""


async def show_topics(context: AccountContext, channel_id: ChannelId) -> bool:
    """Show the topics until Esc, or until one is opened; return whether one was."""
    page = Topics(context, channel_id)
    await page.show()
    return page.opened


class Topics(Page):
    """The topics, newest first."""

    nothing = "No messages yet."

    def __init__(self, context: AccountContext, channel_id: ChannelId) -> None:
        super().__init__(context)
        self.title = f"Topics in {names.narrow(self.store, ChannelNarrow(channel_id))}"
        self.opened = False
        self._channel_id = channel_id
        self._move_controller = MoveController(context)

    def asks_after(self, changes: Changes) -> bool:
        return self._channel_id in changes.topics

    def follows(self, changes: Changes) -> bool:
        has_changed = any(self._has(place) for place in changes.conversations | changes.counts)
        return has_changed or super().follows(changes)

    def _has(self, place: Conversation) -> bool:
        return isinstance(place, TopicNarrow) and place.channel_id == self._channel_id

    async def load(self) -> None:
        """Fetch the list of topics, and the last message of each of the newest."""
        history = self.sync.history
        if self._channel_id not in self.store.topics.complete:
            await history.topics(self._channel_id)
        newest = self.store.topics.of(self._channel_id)[:MOST_LOOKED_UP]
        unknown = [each.max_id for each in newest if self.store.message(each.max_id) is None]
        if unknown:
            await history.by_id(unknown)

    def rows(self) -> Sequence[ListingRow]:
        return [
            ListingRow(key=line.place, label=line.label, detail=line.detail, faint=line.is_muted)
            for line in topics.lines(self.store, self._channel_id, self.context.clock())
        ]

    def actions(self, key: Hashable | None) -> Sequence[DialogAction]:
        channel = self.store.channels.get(self._channel_id)
        if not isinstance(key, TopicNarrow) or channel is None:
            return []
        place = PlaceActions(self.context)
        mute = "unmute" if self.store.is_muted(key) else "mute"
        follows = self.store.policy(key) == VisibilityPolicy.FOLLOWED
        follow = "unfollow" if follows else "follow"
        actions = [
            DialogAction(key="enter", label="open", run=partial(self._open, key)),
            DialogAction(key="r", label="mark read", run=partial(place.mark_read, key)),
            DialogAction(key="m", label=mute, run=partial(place.mute, key)),
            DialogAction(key="f", label=follow, run=partial(place.follow, key)),
        ]
        newest = self._newest(key)
        if channel.is_archived or newest is None:
            return actions
        move = partial(self._move_controller.move, newest, reach="change_all")
        resolve = "unresolve" if moves.topic_is_resolved(key.topic) else "resolve"
        actions += [
            DialogAction(key="v", label="move or rename", run=move),
            DialogAction(
                key="t", label=resolve, run=partial(self._move_controller.resolve, newest)
            ),
        ]
        if channels.may_delete_topics(self.store, channel):
            actions.append(DialogAction(key="d", label="delete", run=partial(self._delete, key)))
        return actions

    async def _open(self, topic: TopicNarrow) -> bool:
        self.opened = True
        self.context.go(topic)
        return True

    def _newest(self, topic: TopicNarrow) -> MessageId | None:
        """Return the last message of a topic, which a move refers to; None if it is not loaded."""
        topic_key = topic.topic.casefold()
        for each in self.store.topics.of(self._channel_id):
            if each.name.casefold() == topic_key and self.store.message(each.max_id) is not None:
                return each.max_id
        return None

    async def _delete(self, topic: TopicNarrow) -> None:
        name = names.conversation(self.store, topic)
        text = "All its messages are deleted for everyone. This cannot be undone."
        if await self.confirms(f"Delete {name}?", text, yes="Delete"):
            await commands.delete_topic(self.sync, topic)
            self.context.toast(f"{name} deleted.")
