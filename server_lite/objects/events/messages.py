"""Events about messages: their fields, for the API description. Contains types only."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.events.base import EventBase
from server_lite.objects.messages import MessageBase, TopicLink
from server_lite.objects.uploads import AttachmentObject


class NewMessage(MessageBase):
    """A message as sent in events: the user's flags are beside it."""

    subject: str
    content: str
    content_type: Literal["text/html", "text/x-markdown"]


class MessageEvent(EventBase):
    """A message was sent; `local_message_id` is included for the queue that sent it."""

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
    """Messages were deleted: `message_ids` with `bulk_message_deletion`, one `message_id` without."""

    type: Literal["delete_message"]
    message_type: Literal["private", "stream"]
    message_ids: NotRequired[list[int]]
    message_id: NotRequired[int]
    stream_id: NotRequired[int]
    topic: NotRequired[str]


class FlagAddEvent(EventBase):
    """A flag was set; `all` means all messages, with empty `messages`."""

    type: Literal["update_message_flags"]
    op: Literal["add"]
    operation: Literal["add"]
    flag: str
    messages: list[int]
    all: bool


class MessageDetail(TypedDict):
    """The place of a message that became unread; `user_ids` are the others in a direct conversation."""

    type: Literal["private", "stream"]
    mentioned: NotRequired[bool]
    user_ids: NotRequired[list[UserId]]
    stream_id: NotRequired[int]
    topic: NotRequired[str]
    unmuted_stream_msg: NotRequired[bool]


class FlagRemoveEvent(EventBase):
    """A flag was cleared; with `message_details` by message ID if the flag is `read`."""

    type: Literal["update_message_flags"]
    op: Literal["remove"]
    operation: Literal["remove"]
    flag: str
    messages: list[int]
    all: Literal[False]
    message_details: NotRequired[dict[str, MessageDetail]]


class ReactingUser(TypedDict):
    """The reacting user, for clients that do not look up `user_id`."""

    user_id: UserId
    email: str
    full_name: str


class ReactionEvent(EventBase):
    """A reaction was added or removed."""

    type: Literal["reaction"]
    op: Literal["add", "remove"]
    message_id: int
    emoji_name: str
    emoji_code: str
    reaction_type: str
    user_id: UserId
    user: NotRequired[ReactingUser]


class SubmessageEvent(EventBase):
    """A submessage was added to a poll or to-do list; `content` is JSON text."""

    type: Literal["submessage"]
    msg_type: str
    content: str
    message_id: int
    sender_id: UserId
    submessage_id: int


class TypingUser(TypedDict):
    """The typing user, or a recipient of the notification."""

    user_id: UserId
    email: str


class DirectTypingEvent(EventBase):
    """A user starts or stops typing in a direct conversation; `recipients` include the sender."""

    type: Literal["typing"]
    op: Literal["start", "stop"]
    message_type: Literal["direct"]
    sender: TypingUser
    recipients: list[TypingUser]


class ChannelTypingEvent(EventBase):
    """A user starts or stops typing in a topic."""

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
    """A user starts or stops editing a message."""

    type: Literal["typing_edit_message"]
    op: Literal["start", "stop"]
    sender_id: UserId
    message_id: int
    recipient: DirectRecipient | TopicRecipient


class AttachmentEvent(EventBase):
    """A file was uploaded, or the messages that link it changed; sizes in bytes."""

    type: Literal["attachment"]
    op: Literal["add", "update"]
    attachment: AttachmentObject
    upload_space_used: int


class AttachmentId(TypedDict):
    """A deleted file."""

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
