"""The actions on topics, channels and people in any list: mute, follow, pin, leave, mark as read.

Imported when a session is opened: the commands bring HTTP with them. Draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from tui.api.model import ChannelId, MessageId, UserId, VisibilityPolicy
from tui.commands import channels, flags, user_topics, users
from tui.keys import keyboard_of
from tui.narrow import (
    AllDms,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    TopicNarrow,
    Unread,
)
from tui.screens.context import AccountContext
from tui.screens.dialogs.question import Question
from tui.store import Store
from tui.sync.machine import Sync
from tui.view import names
from tui.view.counts import counted


class PlaceActions:
    """Actions that can be undone where all changed messages are known here."""

    def __init__(self, context: AccountContext) -> None:
        self._context = context

    @property
    def _store(self) -> Store:
        return self._context.session.store

    @property
    def _sync(self) -> Sync:
        return self._context.session.sync

    def _others(self, user_ids: frozenset[UserId]) -> frozenset[UserId]:
        return user_ids - {self._store.self_id}

    def not_for(self, place: Narrow) -> None:
        """Say that an action is not available there."""
        self._context.toast(f"Not available for {names.narrow(self._store, place)}.")

    async def mute(self, place: Narrow) -> None:
        """Mute or unmute a topic, channel or person."""
        match place:
            case TopicNarrow():
                await self._set_policy(place, VisibilityPolicy.MUTED)
            case ChannelNarrow(channel_id):
                await self._mute_channel(channel_id)
            case DmNarrow(user_ids) if len(self._others(user_ids)) == 1:
                await self.mute_person(min(self._others(user_ids)))
            case _:
                self.not_for(place)

    async def follow(self, place: Narrow) -> None:
        """Follow or unfollow a topic."""
        match place:
            case TopicNarrow():
                await self._set_policy(place, VisibilityPolicy.FOLLOWED)
            case _:
                self.not_for(place)

    async def pin(self, place: Narrow) -> None:
        """Pin or unpin a channel."""
        match place:
            case ChannelNarrow(channel_id) | TopicNarrow(channel_id=channel_id):
                await self._pin_channel(channel_id)
            case _:
                self.not_for(place)

    # Topics

    async def _set_policy(self, topic: TopicNarrow, policy: VisibilityPolicy) -> None:
        with self._context.undoing.begun():
            # In a muted channel, a muted topic is unmuted.
            now = self._store.policy(topic)
            if policy == VisibilityPolicy.MUTED and self._store.is_muted(topic):
                inherits = self._store.channels.is_muted(topic.channel_id)
                new_policy = VisibilityPolicy.UNMUTED if inherits else VisibilityPolicy.INHERIT
            else:
                new_policy = VisibilityPolicy.INHERIT if now == policy else policy
            before = await user_topics.set_policy(self._sync, topic, new_policy)
            name = names.conversation(self._store, topic)
            done = {
                VisibilityPolicy.MUTED: f"{name} muted.",
                VisibilityPolicy.FOLLOWED: f"Following {name}.",
                VisibilityPolicy.UNMUTED: f"{name} unmuted.",
                VisibilityPolicy.INHERIT: f"{name} uses the channel's setting.",
            }[new_policy]
            self._did(done, partial(user_topics.set_policy, self._sync, topic, before))

    # Channels

    async def _mute_channel(self, channel_id: ChannelId) -> None:
        with self._context.undoing.begun():
            muted = not self._store.channels.is_muted(channel_id)
            await channels.set_muted(self._sync, channel_id, muted=muted)
            back = partial(channels.set_muted, self._sync, channel_id, muted=not muted)
            self._did(f"{self._channel(channel_id)} {'muted' if muted else 'unmuted'}.", back)

    async def _pin_channel(self, channel_id: ChannelId) -> None:
        with self._context.undoing.begun():
            subscription = self._store.channels.subscription(channel_id)
            pinned = subscription is not None and not subscription.pin_to_top
            await channels.set_pinned(self._sync, channel_id, pinned=pinned)
            back = partial(channels.set_pinned, self._sync, channel_id, pinned=not pinned)
            self._did(f"{self._channel(channel_id)} {'pinned' if pinned else 'unpinned'}.", back)

    async def leave_channel(self, channel_id: ChannelId) -> None:
        """Leave a channel, after a question."""
        text = "You will stop receiving its messages until you join again."
        question = Question(f"Leave {self._channel(channel_id)}?", text, yes="Leave")
        if await self._context.ask(question):
            await channels.unsubscribe(self._sync, channel_id)

    def _channel(self, channel_id: ChannelId) -> str:
        return names.narrow(self._store, ChannelNarrow(channel_id))

    # People

    async def mute_person(self, user_id: UserId) -> None:
        """Mute or unmute a person."""
        with self._context.undoing.begun():
            muted = user_id not in self._store.muted_users
            await users.set_muted(self._sync, user_id, muted=muted)
            back = partial(users.set_muted, self._sync, user_id, muted=not muted)
            name = names.person(self._store, user_id)
            self._did(f"{name} {'muted' if muted else 'unmuted'}.", back)

    # Reading

    async def mark_read(self, place: Narrow) -> None:
        """Mark a narrow as read; all messages only after a question."""
        with self._context.undoing.begun():
            match place:
                case TopicNarrow() | DmNarrow():
                    self._marked_read(await flags.mark_conversation_read(self._sync, place))
                case ChannelNarrow(channel_id):
                    self._marked_read(await flags.mark_channel_read(self._sync, channel_id))
                case Search() | Mentions() | Starred() | AllDms() | Unread():
                    changed = await flags.mark_results_read(self._sync, place)
                    back = partial(flags.mark_unread, self._sync, changed.known)
                    self._changed(changed, "marked as read", "No unread messages here.", back)
                case _:
                    question = Question(
                        "Mark everything as read?", "In all conversations.", yes="Mark read"
                    )
                    if await self._context.ask(question):
                        self._marked_read(await flags.mark_all_read(self._sync))

    async def star_all(self, place: Narrow, *, on: bool) -> None:
        """Star or unstar all messages of a narrow, after a question."""
        with self._context.undoing.begun():
            what = names.narrow(self._store, place)
            question = Question(
                f"{'Star' if on else 'Unstar'} all messages in {what}?",
                "Including messages that are not loaded here.",
                yes="Star" if on else "Unstar",
            )
            if await self._context.ask(question):
                changed = await flags.star_results(self._sync, place, on=on)
                back = partial(flags.star, self._sync, changed.known, on=not on)
                nothing = "All messages are already starred." if on else "No starred messages here."
                self._changed(changed, "starred" if on else "unstarred", nothing, back)

    def _changed(
        self, changed: flags.Changed, result: str, nothing: str, back: Callable[[], Awaitable[None]]
    ) -> None:
        """Show how many messages changed; it can be undone where all of them are known here."""
        count = counted(changed.count, "message", "messages")
        if not changed.count:
            self._context.toast(nothing)
        elif changed.count == len(changed.known):
            self._did(f"{count} {result}", back)
        else:
            self._context.toast(f"{count} {result}.")

    def _marked_read(self, was: frozenset[MessageId]) -> None:
        if not was:
            self._context.toast("No unread messages here.")
            return
        count = counted(len(was), "message", "messages")
        self._did(f"{count} marked as read", partial(flags.mark_unread, self._sync, was))

    def _did(self, text: str, back: Callable[[], Awaitable[object]]) -> None:
        self._context.undoing.did(text, back)
        key = keyboard_of(self._context.app).key("app.undo")
        self._context.toast(f"{text.removesuffix('.')} · {key} to undo")
