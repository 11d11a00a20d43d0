"""Events about messages, as frozen types: new, edited, deleted, flagged, reacted to. Pure."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal, TypeAlias

from tui.api.events.base import BaseEvent
from tui.api.model import (
    Attachment,
    AttachmentId,
    ChannelId,
    LocalId,
    MaybeChannelKey,
    Message,
    MessageId,
    MessageType,
    NotUnlessSent,
    ReactionType,
    SubmessageId,
    TopicLink,
    UserId,
)
from tui.api.wire import DefaultWhenMissing, Key
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageEvent(BaseEvent):
    """A new message, with its flags. Only the sending queue gets the `local_message_id`."""

    type: ClassVar = "message"
    message: Message
    local_message_id: LocalId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMessageEvent(BaseEvent):
    """An edit, a move, both, or (`rendering_only`) a new rendering.

    The content of `message_id` changed if `orig_content` is set; all of `message_ids` moved if `orig_topic`
    or `new_channel_id` is set. `channel_id` is the one before, and `topic` is set only if it changed. `flags`
    are those of `message_id`.
    """

    type: ClassVar = "update_message"
    user_id: UserId | None
    rendering_only: NotUnlessSent
    message_id: MessageId
    message_ids: tuple[MessageId, ...]
    flags: frozenset[str]
    edit_timestamp: int
    channel_id: MaybeChannelKey
    new_channel_id: Annotated[ChannelId | None, Key("new_stream_id")]
    propagate_mode: Literal["change_one", "change_later", "change_all"] | None
    orig_topic: Annotated[str | None, Key("orig_subject")]
    topic: Annotated[str | None, Key("subject")]
    topic_links: tuple[TopicLink, ...] | None
    orig_content: str | None
    orig_rendered_content: str | None
    content: str | None
    rendered_content: str | None
    is_me_message: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteMessageEvent(BaseEvent):
    """Messages were deleted, or are not accessible to the user any more."""

    type: ClassVar = "delete_message"
    message_ids: tuple[MessageId, ...]
    message_type: MessageType
    channel_id: MaybeChannelKey
    topic: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMessageFlagsAddEvent(BaseEvent):
    """A flag of the user was set; `all` comes with `read` only and means every message."""

    type: ClassVar = "update_message_flags"
    op: ClassVar = "add"
    flag: str
    message_ids: Annotated[tuple[MessageId, ...], Key("messages")]
    all: NotUnlessSent


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadDetails:
    """The conversation of a message that became unread. `user_ids` leaves out the user."""

    type: MessageType
    mentioned: NotUnlessSent
    user_ids: frozenset[UserId] | None
    channel_id: MaybeChannelKey
    topic: str | None
    unmuted_channel: Annotated[bool | None, Key("unmuted_stream_msg")]


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateMessageFlagsRemoveEvent(BaseEvent):
    """A flag of the user was removed; the details come with `read` only."""

    type: ClassVar = "update_message_flags"
    op: ClassVar = "remove"
    flag: str
    message_ids: Annotated[tuple[MessageId, ...], Key("messages")]
    message_details: Mapping[MessageId, UnreadDetails] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionAddEvent(BaseEvent):
    """A reaction was added."""

    type: ClassVar = "reaction"
    op: ClassVar = "add"
    message_id: MessageId
    user_id: Annotated[UserId, Key("user_id", "user.user_id")]
    emoji_name: str
    emoji_code: str
    reaction_type: ReactionType


@dataclass(frozen=True, slots=True, kw_only=True)
class ReactionRemoveEvent(BaseEvent):
    """A reaction was removed."""

    type: ClassVar = "reaction"
    op: ClassVar = "remove"
    message_id: MessageId
    user_id: Annotated[UserId, Key("user_id", "user.user_id")]
    emoji_name: str
    emoji_code: str
    reaction_type: ReactionType


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmessageEvent(BaseEvent):
    """An action on a widget: a vote in a poll, a ticked task… `content` is the widget's JSON text."""

    type: ClassVar = "submessage"
    message_id: MessageId
    sender_id: UserId
    submessage_id: SubmessageId
    msg_type: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingUser:
    """A participant of a conversation with a typing notice."""

    user_id: UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingStartEvent(BaseEvent):
    """A user began or continues to type: in a conversation of `recipients` (all of them), or in a topic."""

    type: ClassVar = "typing"
    op: ClassVar = "start"
    sender_id: Annotated[UserId, Key("sender.user_id")]
    recipients: tuple[TypingUser, ...] | None
    channel_id: MaybeChannelKey
    topic: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingStopEvent(BaseEvent):
    """A user stopped typing."""

    type: ClassVar = "typing"
    op: ClassVar = "stop"
    sender_id: Annotated[UserId, Key("sender.user_id")]
    recipients: tuple[TypingUser, ...] | None
    channel_id: MaybeChannelKey
    topic: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingEditMessageStartEvent(BaseEvent):
    """A user began or continues to edit a message."""

    type: ClassVar = "typing_edit_message"
    op: ClassVar = "start"
    sender_id: UserId
    message_id: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class TypingEditMessageStopEvent(BaseEvent):
    """A user stopped editing a message."""

    type: ClassVar = "typing_edit_message"
    op: ClassVar = "stop"
    sender_id: UserId
    message_id: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentAddEvent(BaseEvent):
    """An upload of the user was used in a message; with the bytes used of the organization's quota."""

    type: ClassVar = "attachment"
    op: ClassVar = "add"
    attachment: Attachment
    upload_space_used: Annotated[int, DefaultWhenMissing(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentUpdateEvent(BaseEvent):
    """The messages that refer to an upload have changed."""

    type: ClassVar = "attachment"
    op: ClassVar = "update"
    attachment: Attachment
    upload_space_used: Annotated[int, DefaultWhenMissing(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentRemoveEvent(BaseEvent):
    """An upload was deleted."""

    type: ClassVar = "attachment"
    op: ClassVar = "remove"
    attachment_id: Annotated[AttachmentId, Key("attachment.id")]
    upload_space_used: Annotated[int, DefaultWhenMissing(0)]


MessageEvents: TypeAlias = (
    MessageEvent
    | UpdateMessageEvent
    | DeleteMessageEvent
    | UpdateMessageFlagsAddEvent
    | UpdateMessageFlagsRemoveEvent
    | ReactionAddEvent
    | ReactionRemoveEvent
    | SubmessageEvent
    | TypingStartEvent
    | TypingStopEvent
    | TypingEditMessageStartEvent
    | TypingEditMessageStopEvent
    | AttachmentAddEvent
    | AttachmentUpdateEvent
    | AttachmentRemoveEvent
)
