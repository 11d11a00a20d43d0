"""Events about channels and topics as the API's JSON: their fields, for the description. Holds types only."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.objects.channels import ChannelFolderObject, ChannelObject, UserTopicObject
from server_lite.objects.events.base import EventBase
from server_lite.objects.subscriptions import SubscriptionObject
from server_lite.store.user_groups import GroupSetting


class SubscriptionAddEvent(EventBase):
    """The person was subscribed; `subscribers` are told if they were asked for."""

    type: Literal["subscription"]
    op: Literal["add"]
    subscriptions: list[SubscriptionObject]


class LeftChannel(TypedDict):
    """A channel that the person is no longer subscribed to."""

    stream_id: int
    name: str


class SubscriptionRemoveEvent(EventBase):
    """The person was unsubscribed."""

    type: Literal["subscription"]
    op: Literal["remove"]
    subscriptions: list[LeftChannel]


class SubscriptionUpdateEvent(EventBase):
    """One of the person's own settings of a channel."""

    type: Literal["subscription"]
    op: Literal["update"]
    stream_id: int
    property: str
    value: bool | str | None


class SubscriptionPeerEvent(EventBase):
    """Others were subscribed to channels, or unsubscribed."""

    type: Literal["subscription"]
    op: Literal["peer_add", "peer_remove"]
    stream_ids: list[int]
    user_ids: list[UserId]


class ChannelCreateEvent(EventBase):
    """There are new channels, or the person may see them now."""

    type: Literal["stream"]
    op: Literal["create"]
    streams: list[ChannelObject]


class ChannelId(TypedDict):
    """A channel that is gone."""

    stream_id: int


class ChannelDeleteEvent(EventBase):
    """Channels are gone, or the person may no longer see them. `streams` says the same as the ids."""

    type: Literal["stream"]
    op: Literal["delete"]
    stream_ids: list[int]
    streams: list[ChannelId]


class ChannelUpdateEvent(EventBase):
    """One property of a channel; `name` is the name before.

    `rendered_description` comes with `description`, the other two with `invite_only`.
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
    """There is a new folder of channels."""

    type: Literal["channel_folder"]
    op: Literal["add"]
    channel_folder: ChannelFolderObject


class ChannelFolderChange(TypedDict, total=False):
    """What changed."""

    name: str
    description: str
    rendered_description: str
    is_archived: bool


class ChannelFolderUpdateEvent(EventBase):
    """A folder was changed."""

    type: Literal["channel_folder"]
    op: Literal["update"]
    channel_folder_id: int
    data: ChannelFolderChange


class ChannelFolderReorderEvent(EventBase):
    """IDs of all folders in their new order."""

    type: Literal["channel_folder"]
    op: Literal["reorder"]
    order: list[int]


class DefaultChannelsEvent(EventBase):
    """IDs of all channels that new people are subscribed to."""

    type: Literal["default_streams"]
    default_streams: list[int]


class UserTopicEvent(EventBase, UserTopicObject):
    """How the person follows a topic; 0 is nothing special."""

    type: Literal["user_topic"]


class MutedTopicsEvent(EventBase):
    """All muted topics as channel, topic and UNIX seconds, for clients from before `user_topic`."""

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
