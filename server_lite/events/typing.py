"""Events: somebody is writing, or editing. Short-lived. No I/O."""

from collections.abc import Sequence
from typing import Literal

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities, Event, Object, Payload
from server_lite.ids import UserId

Op = Literal["start", "stop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing(Event[None]):
    """People in `recipients` are `{user_id, email}`, the sender included; empty in a channel."""

    type = "typing"
    durable = False
    started: bool
    sender: Object
    recipients: Sequence[Object]
    channel_id: int | None = None
    topic: str = ""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        op: Op = "start" if self.started else "stop"
        head = {"type": self.type, "op": op, "sender": self.sender}
        if self.channel_id is None:
            return {**head, "message_type": "direct", "recipients": self.recipients}
        if not shape.stream_typing_notifications:
            return None
        place = {"stream_id": self.channel_id, "topic": shape.topic(self.topic)}
        return {**head, "message_type": "stream", **place}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingEdit(Event[None]):
    """Somebody edits a message of theirs: in a channel's topic, or between these people."""

    type = "typing_edit_message"
    durable = False
    started: bool
    sender_id: UserId
    message_id: int
    channel_id: int | None
    topic: str
    user_ids: list[UserId]

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | None:
        if self.channel_id is None:
            recipient: dict[str, object] = {"type": "direct", "user_ids": self.user_ids}
        elif shape.stream_typing_notifications:
            topic = shape.topic(self.topic)
            recipient = {"type": "channel", "channel_id": self.channel_id, "topic": topic}
        else:
            return None
        return {
            "type": self.type,
            "op": "start" if self.started else "stop",
            "sender_id": self.sender_id,
            "message_id": self.message_id,
            "recipient": recipient,
        }
