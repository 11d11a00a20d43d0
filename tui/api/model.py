"""The API's objects as frozen types: users, channels, messages, drafts… No I/O, no pydantic.

No field has a default, because a missing value has a meaning in the API: `DefaultWhenMissing` gives it, and a type
with None reads an absent key as None. Times are UNIX seconds unless noted. `stream` is `channel` here, `subject` `topic`.
"""

import enum
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Annotated, Final, Literal, NewType, TypeAlias

from tui.api.wire import DefaultWhenMissing, Key, Recurring, Synonyms
from tui.dataclass import dataclass

UserId = NewType("UserId", int)
ChannelId = NewType("ChannelId", int)
MessageId = NewType("MessageId", int)
Anchor: TypeAlias = MessageId | Literal["newest", "oldest", "first_unread"]
UserGroupId = NewType("UserGroupId", int)
DraftId = NewType("DraftId", int)
ScheduledMessageId = NewType("ScheduledMessageId", int)
ReminderId = NewType("ReminderId", int)
SavedSnippetId = NewType("SavedSnippetId", int)
SubmessageId = NewType("SubmessageId", int)
DeviceId = NewType("DeviceId", int)
AttachmentId = NewType("AttachmentId", int)
ChannelFolderId = NewType("ChannelFolderId", int)
LinkifierId = NewType("LinkifierId", int)
PlaygroundId = NewType("PlaygroundId", int)
ProfileFieldId = NewType("ProfileFieldId", int)
InviteId = NewType("InviteId", int)
EmojiId = NewType("EmojiId", str)
QueueId = NewType("QueueId", str)
LocalId = NewType("LocalId", str)
EventId = NewType("EventId", int)

ChannelKey: TypeAlias = Annotated[ChannelId, Key("stream_id")]
MaybeChannelKey: TypeAlias = Annotated[ChannelId | None, Key("stream_id")]
RecurringText: TypeAlias = Annotated[str, Recurring()]
NotUnlessSent: TypeAlias = Annotated[bool, DefaultWhenMissing(False)]

_ID: Final = re.compile("[0-9]{1,18}")


class Role(enum.IntEnum):
    """The values of `User.role`; lower numbers have more permissions."""

    OWNER = 100
    ADMINISTRATOR = 200
    MODERATOR = 300
    MEMBER = 400
    GUEST = 600


class VisibilityPolicy(enum.IntEnum):
    """A user's visibility policy of a topic; INHERIT is never stored, it removes the row."""

    INHERIT = 0
    MUTED = 1
    UNMUTED = 2
    FOLLOWED = 3


ReactionType: TypeAlias = Annotated[
    Literal["unicode_emoji", "realm_emoji", "service_extra_emoji"],
    Synonyms((("zulip_extra_emoji", "service_extra_emoji"),)),
]
MessageType: TypeAlias = Annotated[
    Literal["stream", "private"], Synonyms((("channel", "stream"), ("direct", "private")))
]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnonymousGroup:
    """A group without a name, made for one setting."""

    direct_members: frozenset[UserId]
    direct_subgroups: frozenset[UserGroupId]


GroupSetting: TypeAlias = UserGroupId | AnonymousGroup
"""The value of a permission: a named group, or users and groups listed for it."""


# People


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileValue:
    """One user's value of one custom profile field; `rendered_value` is HTML."""

    value: str | None
    rendered_value: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class User:
    """A person or a bot; `email` is for the API only, `delivery_email` receives mail."""

    user_id: UserId
    email: str
    delivery_email: str | None
    full_name: str
    date_joined: Annotated[str, DefaultWhenMissing("")]
    is_active: Annotated[bool, DefaultWhenMissing(True)]
    is_bot: NotUnlessSent
    bot_type: int | None
    bot_owner_id: UserId | None
    role: Annotated[int, DefaultWhenMissing(Role.MEMBER)]
    timezone: Annotated[str, DefaultWhenMissing("")]
    avatar_url: str | None
    avatar_version: Annotated[int, DefaultWhenMissing(0)]
    profile_data: Mapping[ProfileFieldId, ProfileValue] | None
    is_system_bot: NotUnlessSent
    is_imported_stub: NotUnlessSent
    is_deleted: NotUnlessSent

    @property
    def is_guest(self) -> bool:
        """Whether the user sees only the channels that they are subscribed to."""
        return self.role >= Role.GUEST

    @property
    def is_admin(self) -> bool:
        """Whether the user is an administrator or owner."""
        return self.role <= Role.ADMINISTRATOR


@dataclass(frozen=True, slots=True, kw_only=True)
class UserStatus:
    """A user's status. In an event None means unchanged, "" means cleared."""

    away: bool | None
    status_text: str | None
    emoji_name: str | None
    emoji_code: str | None
    reaction_type: Annotated[
        Literal["unicode_emoji", "realm_emoji", "service_extra_emoji", ""] | None,
        Synonyms((("zulip_extra_emoji", "service_extra_emoji"),)),
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Presence:
    """When a user's clients last reported activity, and when they last were merely open."""

    active_timestamp: Annotated[int, DefaultWhenMissing(0)]
    idle_timestamp: Annotated[int, DefaultWhenMissing(0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedUser:
    """A user whom the user has muted."""

    user_id: Annotated[UserId, Key("id")]
    timestamp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class UserGroup:
    """A user group, of users and groups; `members` are the direct ones."""

    id: UserGroupId
    name: str
    description: str
    members: frozenset[UserId]
    direct_subgroup_ids: Annotated[frozenset[UserGroupId], DefaultWhenMissing(frozenset())]
    is_system_group: NotUnlessSent
    deactivated: NotUnlessSent
    creator_id: UserId | None
    date_created: int | None
    can_add_members_group: GroupSetting | None
    can_join_group: GroupSetting | None
    can_leave_group: GroupSetting | None
    can_manage_group: GroupSetting | None
    can_mention_group: GroupSetting | None
    can_remove_members_group: GroupSetting | None


# Channels and topics


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """A channel as everyone sees it. `subscribers` is complete, `partial_subscribers` is not."""

    channel_id: ChannelKey
    name: str
    description: str
    rendered_description: str
    date_created: int | None
    creator_id: UserId | None
    invite_only: bool
    is_web_public: NotUnlessSent
    is_archived: NotUnlessSent
    is_announcement_only: NotUnlessSent
    stream_post_policy: int | None
    history_public_to_subscribers: Annotated[bool, DefaultWhenMissing(True)]
    message_retention_days: int | None
    first_message_id: MessageId | None
    folder_id: ChannelFolderId | None
    topics_policy: Annotated[str, DefaultWhenMissing("inherit")]
    is_recently_active: Annotated[bool, DefaultWhenMissing(True)]
    stream_weekly_traffic: int | None
    subscriber_count: int | None
    subscribers: AbstractSet[UserId] | None
    partial_subscribers: AbstractSet[UserId] | None
    can_add_subscribers_group: GroupSetting | None
    can_administer_channel_group: GroupSetting | None
    can_create_topic_group: GroupSetting | None
    can_delete_any_message_group: GroupSetting | None
    can_delete_own_message_group: GroupSetting | None
    can_move_messages_out_of_channel_group: GroupSetting | None
    can_move_messages_within_channel_group: GroupSetting | None
    can_remove_subscribers_group: GroupSetting | None
    can_resolve_topics_group: GroupSetting | None
    can_send_message_group: GroupSetting | None
    can_subscribe_group: GroupSetting | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription(Channel):
    """A channel with one subscriber's own settings; None follows their general setting."""

    color: str
    is_muted: NotUnlessSent
    pin_to_top: bool
    desktop_notifications: bool | None
    audible_notifications: bool | None
    push_notifications: bool | None
    email_notifications: bool | None
    wildcard_mentions_notify: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFolder:
    """A channel folder of the organization; lowest `order` first."""

    id: ChannelFolderId
    name: str
    description: str
    rendered_description: str
    order: Annotated[int, DefaultWhenMissing(0)]
    is_archived: bool
    creator_id: UserId | None
    date_created: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultChannelGroup:
    """A set of channels that new users may join together."""

    id: int
    name: str
    description: str
    channel_ids: Annotated[frozenset[ChannelId], Key("streams")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A topic of one channel, with the ID of its newest message."""

    name: str
    max_id: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTopic:
    """The user's policy of one topic; `visibility_policy` is a `VisibilityPolicy`."""

    channel_id: ChannelKey
    topic: Annotated[str, Key("topic_name")]
    last_updated: int
    visibility_policy: int


# Messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """One user's emoji on a message; the code with the type is its identity, not the name."""

    emoji_name: RecurringText
    emoji_code: RecurringText
    reaction_type: ReactionType
    user_id: Annotated[UserId, Key("user_id", "user.id")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Submessage:
    """A vote or another action on a message's widget; `content` is JSON text of that widget."""

    id: SubmessageId
    message_id: MessageId
    sender_id: UserId
    msg_type: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicLink:
    """A link that a linkifier made of words in a topic."""

    text: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """A participant of a direct conversation, as each of its messages lists them."""

    id: UserId
    email: RecurringText
    full_name: RecurringText


@dataclass(frozen=True, slots=True, kw_only=True)
class EditHistoryEntry:
    """One edit or move; a field is set only if that edit changed it."""

    user_id: UserId | None
    timestamp: int
    prev_content: str | None
    prev_rendered_content: str | None
    prev_channel_id: Annotated[ChannelId | None, Key("prev_stream")]
    channel_id: Annotated[ChannelId | None, Key("stream")]
    prev_topic: RecurringText | None
    topic: RecurringText | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message as one reader sees it. For a direct one `channel_id` is None and `topic` is "".

    `display_recipient` is the channel's name, or all participants with the reader among them.
    `content` is HTML or Markdown as `content_type` says. The `match_…` fields are HTML with the
    hits marked, and come with searches only.
    """

    id: MessageId
    type: MessageType
    sender_id: UserId
    sender_full_name: RecurringText
    sender_email: RecurringText
    display_recipient: RecurringText | tuple[Participant, ...]
    channel_id: MaybeChannelKey
    topic: Annotated[str, Key("subject"), Recurring()]
    topic_links: Annotated[tuple[TopicLink, ...], DefaultWhenMissing(())]
    content: str
    content_type: RecurringText
    timestamp: int
    client: RecurringText
    avatar_url: RecurringText | None
    is_me_message: bool
    reactions: tuple[Reaction, ...]
    submessages: Annotated[tuple[Submessage, ...], DefaultWhenMissing(())]
    flags: Annotated[frozenset[str], DefaultWhenMissing(frozenset())]
    edit_history: tuple[EditHistoryEntry, ...] | None
    last_edit_timestamp: int | None
    last_moved_timestamp: int | None
    match_content: str | None
    match_topic: Annotated[str | None, Key("match_subject")]

    @property
    def participant_ids(self) -> frozenset[UserId]:
        """All participants of a direct conversation, the reader too; empty in a channel."""
        if isinstance(self.display_recipient, str):
            return frozenset()
        return frozenset(person.id for person in self.display_recipient)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadDm:
    """Unread messages of a conversation with one other person, or of notes to self."""

    other_user_id: Annotated[UserId, Key("other_user_id", "sender_id")]
    unread_message_ids: tuple[MessageId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadTopic:
    """Unread messages of a topic, muted ones too."""

    channel_id: ChannelKey
    topic: str
    unread_message_ids: tuple[MessageId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadGroupDm:
    """Unread messages of a group conversation; the text lists all IDs, sorted, with commas."""

    user_ids_string: str
    unread_message_ids: tuple[MessageId, ...]

    @property
    def user_ids(self) -> frozenset[UserId]:
        """All participants, the reader too; invalid IDs are left out."""
        parts = self.user_ids_string.split(",")
        return frozenset(UserId(int(part)) for part in parts if _ID.fullmatch(part))


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadMessages:
    """The unread messages; `old_unreads_missing`: there are more than the server lists.

    `count` leaves out muted ones.
    """

    count: int
    dms: Annotated[tuple[UnreadDm, ...], Key("pms")]
    topics: Annotated[tuple[UnreadTopic, ...], Key("streams")]
    group_dms: Annotated[tuple[UnreadGroupDm, ...], Key("huddles")]
    mentions: frozenset[MessageId]
    old_unreads_missing: NotUnlessSent


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentDm:
    """A direct conversation with its newest message; `user_ids` leaves out the user."""

    user_ids: frozenset[UserId]
    max_message_id: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """An uploaded file; `create_time` is in milliseconds before level 443."""

    id: AttachmentId
    name: str
    path_id: str
    size: int
    create_time: int
    message_ids: Annotated[tuple[MessageId, ...], DefaultWhenMissing(())]


# Personal data


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft; `to` is one channel ID, or user IDs, or empty with type ""."""

    id: DraftId
    type: Annotated[
        Literal["", "stream", "private"], Synonyms((("channel", "stream"), ("direct", "private")))
    ]
    to: tuple[int, ...]
    topic: str
    content: str
    timestamp: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledMessage:
    """A scheduled message; `to` is one channel ID or the user IDs. `failed`: it could not be sent."""

    scheduled_message_id: ScheduledMessageId
    type: MessageType
    to: int | tuple[UserId, ...]
    topic: str | None
    content: str
    rendered_content: str
    scheduled_delivery_timestamp: int
    failed: NotUnlessSent


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """A reminder of a message, with a note, to arrive at a time."""

    reminder_id: ReminderId
    to: tuple[UserId, ...]
    content: str
    rendered_content: str
    scheduled_delivery_timestamp: int
    failed: NotUnlessSent
    reminder_target_message_id: MessageId


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedSnippet:
    """A saved snippet of Markdown."""

    id: SavedSnippetId
    title: str
    content: str
    date_created: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationView:
    """A view in the sidebar; `fragment` is its identity, built-in ones have no name."""

    fragment: str
    is_pinned: bool
    name: str | None
