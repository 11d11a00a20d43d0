"""A model of a server's messages: a plain dict, and the events of its changes. No I/O."""

from collections.abc import Callable
from dataclasses import replace

from tests import eg
from tui.api.events import (
    DeleteMessageEvent,
    Event,
    MessageEvent,
    ReactionAddEvent,
    ReactionRemoveEvent,
    UnreadDetails,
    UpdateMessageEvent,
    UpdateMessageFlagsAddEvent,
    UpdateMessageFlagsRemoveEvent,
)
from tui.api.model import Channel, ChannelId, Message, MessageId
from tui.narrow import Conversation, Narrow, conversation_of
from tui.store.fetched_page import Page, page

CHANNELS = {1: eg.subscription(1, "one"), 2: eg.subscription(2, "two")}


class ModelServer:
    """The state visible to `ME`; every change appends its event to `events`."""

    def __init__(self) -> None:
        self.messages: dict[MessageId, Message] = {}
        self.events: list[Event] = []
        self._last = 0

    def send(self, channel: int, topic: str, *flags: str) -> Message:
        """Send a message in a topic, or a direct one with channel 0."""
        self._last += 10
        if channel == 0:
            message = eg.dm(self._last, flags=frozenset(flags))
        else:
            home: Channel = CHANNELS[channel]
            message = eg.message(self._last, channel=home, topic=topic, flags=frozenset(flags))
        self.messages[message.id] = message
        self._tell(MessageEvent, message=message)
        return message

    def edit(self, message_id: MessageId, content: str) -> None:
        """Edit a message's content."""
        message = self.messages[message_id]
        self._update(
            message_id,
            orig_content=message.content,
            orig_rendered_content=message.content,
            content=content,
            rendered_content=content,
        )
        self.messages[message_id] = replace(message, content=content)

    def topic(self, channel_id: int, topic: str) -> list[MessageId]:
        """Return the messages of a topic, oldest first."""
        return sorted(
            m.id for m in self.messages.values() if (m.channel_id, m.topic) == (channel_id, topic)
        )

    def move(
        self,
        message_ids: list[MessageId],
        channel: int,
        topic: str,
        *,
        mode: str = "change_later",
    ) -> None:
        """Move messages of one topic."""
        first = self.messages[message_ids[0]]
        assert first.channel_id is not None
        self._update(
            message_ids[0],
            message_ids=tuple(message_ids),
            new_channel_id=ChannelId(channel) if channel != first.channel_id else None,
            orig_topic=first.topic,
            topic=topic if topic != first.topic else None,
            propagate_mode=mode,
        )
        home = CHANNELS[channel]
        for message_id in message_ids:
            self.messages[message_id] = replace(
                self.messages[message_id],
                channel_id=home.channel_id,
                display_recipient=home.name,
                topic=topic,
            )

    def delete(self, message_id: MessageId) -> None:
        """Delete a message."""
        message = self.messages.pop(message_id)
        self._tell(
            DeleteMessageEvent,
            message_ids=(message_id,),
            message_type=message.type,
            channel_id=message.channel_id,
            topic=message.topic if message.channel_id else None,
        )

    def flag(self, message_id: MessageId, flag: str, *, on: bool) -> None:
        """Set or clear a flag of the user."""
        message = self.messages[message_id]
        if (flag in message.flags) == on:
            return
        flags = message.flags | {flag} if on else message.flags - {flag}
        self.messages[message_id] = replace(message, flags=flags)
        if on:
            self._tell(UpdateMessageFlagsAddEvent, flag=flag, message_ids=(message_id,))
            return
        details = {message_id: _details(message)} if flag == "read" else None
        self._tell(
            UpdateMessageFlagsRemoveEvent,
            flag=flag,
            message_ids=(message_id,),
            message_details=details,
        )

    def react(self, message_id: MessageId, *, on: bool) -> None:
        """Add or remove Mary's thumbs-up."""
        message, thumb = self.messages[message_id], eg.reaction()
        if (thumb in message.reactions) == on:
            return
        reactions = (thumb,) if on else ()
        self.messages[message_id] = replace(message, reactions=reactions)
        self._tell(
            ReactionAddEvent if on else ReactionRemoveEvent,
            message_id=message_id,
            user_id=thumb.user_id,
            emoji_name=thumb.emoji_name,
            emoji_code=thumb.emoji_code,
            reaction_type=thumb.reaction_type,
        )

    def inside(self, narrow: Narrow) -> list[Message]:
        """Return the messages of a narrow, oldest first."""
        messages = [m for m in self.messages.values() if narrow.contains(m)]
        return sorted(messages, key=lambda message: message.id)

    def fetch(self, narrow: Narrow, anchor: int | None, before: int, after: int) -> Page:
        """Return the current answer of GET /messages; an anchor of None is the newest."""
        inside = self.inside(narrow)
        anchored_right = anchor is None
        anchor = 10**16 if anchor is None else anchor
        older = [m for m in inside if m.id < anchor]
        newer = [m for m in inside if m.id > anchor]
        exact = [m for m in inside if m.id == anchor]
        answer = (*older[max(0, len(older) - before) :], *exact, *newer[:after])
        return page(
            narrow,
            answer,
            anchor=anchor,
            include_anchor=True,
            found_oldest=len(older) < before,
            found_newest=anchored_right or len(newer) < after,
            num_before=before,
            num_after=after,
        )

    def unread(self) -> dict[Conversation, frozenset[MessageId]]:
        """Return unread messages, by conversation."""
        ids_by_place: dict[Conversation, frozenset[MessageId]] = {}
        for message in self.messages.values():
            if "read" not in message.flags:
                place = conversation_of(message)
                ids_by_place[place] = ids_by_place.get(place, frozenset()) | {message.id}
        return ids_by_place

    def _update(self, message_id: MessageId, **fields: object) -> None:
        message = self.messages[message_id]
        self._tell(
            UpdateMessageEvent,
            **{
                "user_id": eg.MARY.user_id,
                "message_id": message_id,
                "message_ids": (message_id,),
                "flags": message.flags,
                "edit_timestamp": eg.NOW,
                "channel_id": message.channel_id,
                **fields,
            },
        )

    def _tell(self, kind: Callable[..., Event], **fields: object) -> None:
        event: Event = eg.event(kind, len(self.events) + 1, **fields)  # type: ignore[type-var, arg-type]  # one of the event classes
        self.events.append(event)


def _details(message: Message) -> UnreadDetails:
    return UnreadDetails(
        type=message.type,
        mentioned="mentioned" in message.flags,
        user_ids=message.participant_ids - {eg.ME.user_id} if not message.channel_id else None,
        channel_id=message.channel_id,
        topic=message.topic if message.channel_id else None,
        unmuted_channel=None,
    )
