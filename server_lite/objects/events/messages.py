"""Events about messages as the API's JSON: their fields, for the description. Holds types only."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.events.base import EventBase
from server_lite.objects.messages import MessageBase, TopicLink
from server_lite.objects.uploads import AttachmentObject


class NewMessage(MessageBase):
    """A message as it is told: the reader's flags stand beside it."""

    subject: str
    content: str
    content_type: Literal["text/html", "text/x-markdown"]


class MessageEvent(EventBase):
    """A message was sent; `local_message_id` is told to the queue that sent it."""

    type: Literal["message"]
    message: NewMessage
    flags: list[str]
    local_message_id: NotRequired[str]


class UpdateMessageEvent(EventBase):
    """A message was edited (`content`), or messages were moved (`orig_subject`), or both.

    `stream_id` is the channel before; `user_id` is null for a new rendering.
    """

    type: Literal["update_message"]
    user_id: UserId | None
    rendering_only: bool
    message_id: int
    message_ids: list[int]
    flags: list[str]
    edit_timestamp: int
    stream_name: NotRequired[str]
    stream_id: NotRequired[int]
    new_stream_id: NotRequired[int]
    propagate_mode: NotRequired[Literal["change_one", "change_later", "change_all"]]
    orig_subject: NotRequired[str]
    subject: NotRequired[str]
    topic_links: NotRequired[list[TopicLink]]
    orig_content: NotRequired[str]
    orig_rendered_content: NotRequired[str]
    content: NotRequired[str]
    rendered_content: NotRequired[str]
    is_me_message: NotRequired[bool]


class DeleteMessageEvent(EventBase):
    """Messages are gone: `message_ids` with `bulk_message_deletion`, one `message_id` without."""

    type: Literal["delete_message"]
    message_type: Literal["private", "stream"]
    message_ids: NotRequired[list[int]]
    message_id: NotRequired[int]
    stream_id: NotRequired[int]
    topic: NotRequired[str]


class FlagAddEvent(EventBase):
    """A flag was set; `all` means every message there is, `messages` is then empty."""

    type: Literal["update_message_flags"]
    op: Literal["add"]
    operation: Literal["add"]
    flag: str
    messages: list[int]
    all: bool


class MessageDetail(TypedDict):
    """Where a message that became unread is; `user_ids` are the others in a direct conversation."""

    type: Literal["private", "stream"]
    mentioned: NotRequired[bool]
    user_ids: NotRequired[list[UserId]]
    stream_id: NotRequired[int]
    topic: NotRequired[str]
    unmuted_stream_msg: NotRequired[bool]


class FlagRemoveEvent(EventBase):
    """A flag was cleared; `message_details` by message ID where the flag is `read`."""

    type: Literal["update_message_flags"]
    op: Literal["remove"]
    operation: Literal["remove"]
    flag: str
    messages: list[int]
    all: Literal[False]
    message_details: NotRequired[dict[str, MessageDetail]]


class ReactingUser(TypedDict):
    """Who reacted, for clients that do not look `user_id` up."""

    user_id: UserId
    email: str
    full_name: str


class ReactionEvent(EventBase):
    """A reaction was added to a message, or removed."""

    type: Literal["reaction"]
    op: Literal["add", "remove"]
    message_id: int
    emoji_name: str
    emoji_code: str
    reaction_type: str
    user_id: UserId
    user: NotRequired[ReactingUser]


class SubmessageEvent(EventBase):
    """A vote in a poll or a tick in a to-do list; `content` is JSON text."""

    type: Literal["submessage"]
    msg_type: str
    content: str
    message_id: int
    sender_id: UserId
    submessage_id: int


class TypingUser(TypedDict):
    """Somebody who types, or whom that is told."""

    user_id: UserId
    email: str


class DirectTypingEvent(EventBase):
    """Somebody types in a direct conversation; `recipients` hold the sender too."""

    type: Literal["typing"]
    op: Literal["start", "stop"]
    message_type: Literal["direct"]
    sender: TypingUser
    recipients: list[TypingUser]


class ChannelTypingEvent(EventBase):
    """Somebody types in a topic."""

    type: Literal["typing"]
    op: Literal["start", "stop"]
    message_type: Literal["stream"]
    sender: TypingUser
    stream_id: int
    topic: str


class DirectRecipient(TypedDict):
    """A direct conversation."""

    type: Literal["direct"]
    user_ids: list[UserId]


class TopicRecipient(TypedDict):
    """A topic of a channel."""

    type: Literal["channel"]
    channel_id: int
    topic: str


class TypingEditMessageEvent(EventBase):
    """Somebody edits a message."""

    type: Literal["typing_edit_message"]
    op: Literal["start", "stop"]
    sender_id: UserId
    message_id: int
    recipient: DirectRecipient | TopicRecipient


class AttachmentEvent(EventBase):
    """An uploaded file is new, or is linked in other messages; sizes in bytes."""

    type: Literal["attachment"]
    op: Literal["add", "update"]
    attachment: AttachmentObject
    upload_space_used: int


class AttachmentId(TypedDict):
    """A file that is gone."""

    id: int


class AttachmentRemoveEvent(EventBase):
    """An uploaded file was deleted."""

    type: Literal["attachment"]
    op: Literal["remove"]
    attachment: AttachmentId
    upload_space_used: int


MessageEvents = (
    MessageEvent
    | UpdateMessageEvent
    | DeleteMessageEvent
    | FlagAddEvent
    | FlagRemoveEvent
    | ReactionEvent
    | SubmessageEvent
    | DirectTypingEvent
    | ChannelTypingEvent
    | TypingEditMessageEvent
    | AttachmentEvent
    | AttachmentRemoveEvent
)
