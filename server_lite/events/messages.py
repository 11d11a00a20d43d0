"""Events about messages: sent, edited, deleted, flags, reactions, typing, attachments."""

from collections.abc import Sequence
from dataclasses import field
from typing import Final, Literal

from server_lite.dataclass import dataclass
from server_lite.events.base import (
    EMPTY_TOPIC_DISPLAY_NAME,
    ClientCapabilities,
    Event,
    Object,
    Payload,
    emoji_type,
)
from server_lite.ids import UserId

RESOLVED_PREFIX: Final = "✔ "


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSent(Event[list[str]]):
    """Sent with a new message. The personal part is the user's flags; None: unread, no flags."""

    type = "message"
    message: Object
    """The Message object without the parts that depend on the client: content and topic."""
    content: str
    rendered: str
    topic: str

    def payload(self, shape: ClientCapabilities, personal: list[str] | None) -> Payload:
        return self.base_payload(
            message={
                **self.message,
                "subject": shape.topic(self.topic) if self.message["type"] == "stream" else "",
                "content": self.rendered if shape.apply_markdown else self.content,
                "content_type": "text/html" if shape.apply_markdown else "text/x-markdown",
            },
            flags=personal or [],
        )

    def in_narrow(self, narrow: tuple[tuple[str, str], ...], personal: list[str] | None) -> bool:
        flags = frozenset(personal or ())
        return all(self._fits(operator, operand, flags) for operator, operand in narrow)

    def _fits(self, operator: str, operand: str, flags: frozenset[str]) -> bool:
        is_channel = self.message["type"] == "stream"
        if operator in ("channel", "stream"):
            if not is_channel:
                return False
            names = (self.message["display_recipient"].casefold(), str(self.message["stream_id"]))
            return operand.casefold() in names
        if operator == "topic":
            topic = "" if operand == EMPTY_TOPIC_DISPLAY_NAME else operand
            return is_channel and self.topic.casefold() == topic.casefold()
        if operator == "sender":
            sender = (self.message["sender_email"].casefold(), str(self.message["sender_id"]))
            return operand.casefold() in sender
        return operator == "is" and self._is(operand, flags)

    def _is(self, operand: str, flags: frozenset[str]) -> bool:
        if operand in ("dm", "private"):
            return bool(self.message["type"] == "private")
        if operand == "resolved":
            return self.topic.startswith(RESOLVED_PREFIX)
        if operand == "unread":
            return "read" not in flags
        flags_meant = _IS.get(operand)
        return flags_meant is not None and not flags.isdisjoint(flags_meant)


_IS: Final = {
    "starred": frozenset({"starred"}),
    "alerted": frozenset({"has_alert_word"}),
    "mentioned": frozenset({"mentioned", "wildcard_mentioned"}),
}

NARROW_OPERATORS: Final = frozenset({"channel", "stream", "topic", "sender", "is"})
"""Operators allowed in a queue's narrow: those that can be decided from the event alone."""
NARROW_IS: Final = frozenset({*_IS, "dm", "private", "resolved", "unread"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageUpdated(Event[list[str]]):
    """Sent when a message was edited, or messages were moved, or both.

    The personal part is the user's flags on `message_id`; None: read, no flags.
    """

    type = "update_message"
    user_id: UserId | None
    """None for a new rendering without an edit."""
    message_id: int
    message_ids: Sequence[int]
    """All moved messages, ascending; the edited one alone if none moved."""
    edit_timestamp: int
    rendering_only: bool = False
    edit: Object | None = None
    """orig_content, orig_rendered_content, content, rendered_content, is_me_message."""
    channel_id: int | None = None
    """The channel before a move; None for direct messages."""
    channel_name: str = ""
    """Omitted for users who cannot see that channel."""
    new_channel_id: int | None = None
    propagate_mode: str = ""
    old_topic: str = ""
    new_topic: str | None = None
    """None if the topic is unchanged."""
    topic_links: Sequence[Object] | None = None

    def payload(self, shape: ClientCapabilities, personal: list[str] | None) -> Payload:
        fields: dict[str, object] = {
            "user_id": self.user_id,
            "rendering_only": self.rendering_only,
            "message_id": self.message_id,
            "message_ids": self.message_ids,
            "flags": ["read"] if personal is None else personal,
            "edit_timestamp": self.edit_timestamp,
        }
        if self.channel_id is not None:
            fields["stream_id"] = self.channel_id
        if self.channel_name:
            fields["stream_name"] = self.channel_name
        if self.edit is not None:
            fields |= self.edit
        if self.new_channel_id is not None or self.new_topic is not None:
            fields["propagate_mode"] = self.propagate_mode
            fields["orig_subject"] = shape.topic(self.old_topic)
        if self.new_channel_id is not None:
            fields["new_stream_id"] = self.new_channel_id
        if self.new_topic is not None:
            fields["subject"] = shape.topic(self.new_topic)
            fields["topic_links"] = self.topic_links or []
        return self.base_payload(**fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesDeleted(Event[None]):
    """Sent when messages were deleted, or became unreadable for these users."""

    type = "delete_message"
    message_ids: Sequence[int]
    message_type: Literal["stream", "private"]
    channel_id: int | None = None
    topic: str = ""

    @property
    def id_count(self) -> int:
        return len(self.message_ids)

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload | list[Payload]:
        place: dict[str, object] = {"message_type": self.message_type}
        if self.channel_id is not None:
            place |= {"stream_id": self.channel_id, "topic": shape.topic(self.topic)}
        if shape.bulk_message_deletion:
            return self.base_payload(message_ids=self.message_ids, **place)
        return [
            self.base_payload(message_id=message_id, **place) for message_id in self.message_ids
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagAdded(Event[None]):
    """Sent when a flag was set. `everything` means all messages, with empty `message_ids`."""

    type = "update_message_flags"
    op = "add"
    flag: str
    message_ids: Sequence[int]
    everything: bool = False

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(
            operation="add", flag=self.flag, messages=self.message_ids, all=self.everything
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagRemoved(Event[None]):
    """Sent when a flag was cleared. `details` gives the place of each unread message, by ID as text."""

    type = "update_message_flags"
    op = "remove"
    flag: str
    message_ids: Sequence[int]
    details: dict[str, dict[str, object]] | None = None

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        fields: dict[str, object] = {
            "operation": "remove",
            "flag": self.flag,
            "messages": self.message_ids,
            "all": False,
        }
        if self.details is not None:
            fields["message_details"] = {
                message_id: detail | {"topic": shape.topic(str(detail["topic"]))}
                if "topic" in detail
                else detail
                for message_id, detail in self.details.items()
            }
        return self.base_payload(**fields)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionAdded(Event[None]):
    """Sent when a reaction was added. `reaction` is the Reaction object."""

    type = "reaction"
    op = "add"
    message_id: int
    reaction: Object
    user: Object = field(default_factory=dict)
    """user_id, email and full_name of the reacting user; empty in events of earlier versions."""

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(
            message_id=self.message_id, **_payload_of(self.reaction, self.user, shape)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionRemoved(Event[None]):
    """Sent when a reaction was removed."""

    type = "reaction"
    op = "remove"
    message_id: int
    reaction: Object
    user: Object = field(default_factory=dict)

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(
            message_id=self.message_id, **_payload_of(self.reaction, self.user, shape)
        )


def _payload_of(reaction: Object, user: Object, shape: ClientCapabilities) -> dict[str, object]:
    kind = emoji_type(reaction["reaction_type"], zulip_program=shape.zulip_program)
    return {**reaction, "reaction_type": kind, **({"user": user} if user else {})}


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmessageAdded(Event[None]):
    """Sent when a submessage was added; `content` is JSON text."""

    type = "submessage"
    submessage_id: int
    message_id: int
    sender_id: UserId
    msg_type: str
    content: str

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(
            submessage_id=self.submessage_id,
            message_id=self.message_id,
            sender_id=self.sender_id,
            msg_type=self.msg_type,
            content=self.content,
        )


Op = Literal["start", "stop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Typing(Event[None]):
    """`recipients` are `{user_id, email}`, the typing user included; empty in a channel."""

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
    """Sent when a user starts or stops editing their message, in a topic or a direct conversation."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentAdded(Event[None]):
    """Sent when the user uploaded a file, as an Attachment object."""

    type = "attachment"
    op = "add"
    attachment: Object
    space_used: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(attachment=self.attachment, upload_space_used=self.space_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentUpdated(Event[None]):
    """Sent when the messages that link the file changed."""

    type = "attachment"
    op = "update"
    attachment: Object
    space_used: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(attachment=self.attachment, upload_space_used=self.space_used)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentRemoved(Event[None]):
    """Sent when the file was deleted."""

    type = "attachment"
    op = "remove"
    attachment_id: int
    space_used: int

    def payload(self, shape: ClientCapabilities, personal: None) -> Payload:
        return self.base_payload(
            attachment={"id": self.attachment_id}, upload_space_used=self.space_used
        )
