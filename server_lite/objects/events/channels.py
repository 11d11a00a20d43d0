"""Events about channels and topics: their fields, for the API description. Contains types only."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.channels import ChannelFolderObject, ChannelObject, UserTopicObject
from server_lite.objects.events.base import EventBase
from server_lite.objects.subscriptions import SubscriptionObject
from server_lite.store.user_groups import GroupSetting


class SubscriptionAddEvent(EventBase):
    """The user was subscribed; `subscribers` are included if requested."""

    type: Literal["subscription"]
    op: Literal["add"]
    subscriptions: list[SubscriptionObject]


class LeftChannel(TypedDict):
    """A channel that the user is not subscribed to now."""

    stream_id: int
    name: str


class SubscriptionRemoveEvent(EventBase):
    """The user was unsubscribed."""

    type: Literal["subscription"]
    op: Literal["remove"]
    subscriptions: list[LeftChannel]


class SubscriptionUpdateEvent(EventBase):
    """A subscription setting of the user was changed."""

    type: Literal["subscription"]
    op: Literal["update"]
    stream_id: int
    property: str
    value: bool | str | None


class SubscriptionPeerEvent(EventBase):
    """Other users were subscribed or unsubscribed."""

    type: Literal["subscription"]
    op: Literal["peer_add", "peer_remove"]
    stream_ids: list[int]
    user_ids: list[UserId]


class ChannelCreateEvent(EventBase):
    """Channels were created, or became visible to the user."""

    type: Literal["stream"]
    op: Literal["create"]
    streams: list[ChannelObject]


class ChannelId(TypedDict):
    """A deleted channel."""

    stream_id: int


class ChannelDeleteEvent(EventBase):
    """Channels were deleted, or became invisible to the user. `streams` repeats the IDs."""

    type: Literal["stream"]
    op: Literal["delete"]
    stream_ids: list[int]
    streams: list[ChannelId]


class ChannelUpdateEvent(EventBase):
    """A property of a channel was changed; `name` is the name before.

    `rendered_description` accompanies `description`, the other two accompany `invite_only`.
    """

    type: Literal["stream"]
    op: Literal["update"]
    stream_id: int
    name: str
    property: str
    value: GroupSetting | bool | str | None
    rendered_description: NotRequired[str]
    history_public_to_subscribers: NotRequired[bool]
    is_web_public: NotRequired[bool]


class ChannelFolderAddEvent(EventBase):
    """A channel folder was created."""

    type: Literal["channel_folder"]
    op: Literal["add"]
    channel_folder: ChannelFolderObject


class ChannelFolderChange(TypedDict, total=False):
    """The changed values."""

    name: str
    description: str
    rendered_description: str
    is_archived: bool


class ChannelFolderUpdateEvent(EventBase):
    """A channel folder was changed."""

    type: Literal["channel_folder"]
    op: Literal["update"]
    channel_folder_id: int
    data: ChannelFolderChange


class ChannelFolderReorderEvent(EventBase):
    """Channel folders were reordered: IDs of all of them in their new order."""

    type: Literal["channel_folder"]
    op: Literal["reorder"]
    order: list[int]


class DefaultChannelsEvent(EventBase):
    """The default channels changed: IDs of all of them."""

    type: Literal["default_streams"]
    default_streams: list[int]


class UserTopicEvent(EventBase, UserTopicObject):
    """The user's policy for a topic was changed; 0 removes it."""

    type: Literal["user_topic"]


class MutedTopicsEvent(EventBase):
    """All muted topics as channel, topic and UNIX seconds, for clients without `user_topic`."""

    type: Literal["muted_topics"]
    muted_topics: list[list[str | int]]


ChannelEvents = (
    SubscriptionAddEvent
    | SubscriptionRemoveEvent
    | SubscriptionUpdateEvent
    | SubscriptionPeerEvent
    | ChannelCreateEvent
    | ChannelDeleteEvent
    | ChannelUpdateEvent
    | ChannelFolderAddEvent
    | ChannelFolderUpdateEvent
    | ChannelFolderReorderEvent
    | DefaultChannelsEvent
    | UserTopicEvent
    | MutedTopicsEvent
)
