"""Events about channels, subscriptions, folders and topics, as frozen types. Pure."""

from typing import Annotated, ClassVar, TypeAlias

from tui.api.events.base import BaseEvent
from tui.api.model import (
    AnonymousGroup,
    Channel,
    ChannelFolder,
    ChannelFolderId,
    ChannelId,
    ChannelKey,
    DefaultChannelGroup,
    Subscription,
    UserId,
)
from tui.api.wire import Key
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionAddEvent(BaseEvent):
    """The user was subscribed to channels."""

    type: ClassVar = "subscription"
    op: ClassVar = "add"
    subscriptions: tuple[Subscription, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RemovedSubscription:
    """A channel that the user left."""

    channel_id: ChannelKey


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionRemoveEvent(BaseEvent):
    """The user left channels, or was removed from them."""

    type: ClassVar = "subscription"
    op: ClassVar = "remove"
    subscriptions: tuple[RemovedSubscription, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionUpdateEvent(BaseEvent):
    """A field of `Subscription` changed; muting also sends the opposite as property `in_home_view`."""

    type: ClassVar = "subscription"
    op: ClassVar = "update"
    channel_id: ChannelKey
    property: str
    value: bool | int | str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionPeerAddEvent(BaseEvent):
    """Others subscribed: each of `user_ids` to each of the channels."""

    type: ClassVar = "subscription"
    op: ClassVar = "peer_add"
    channel_ids: Annotated[tuple[ChannelId, ...], Key("stream_ids")]
    user_ids: tuple[UserId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubscriptionPeerRemoveEvent(BaseEvent):
    """Others unsubscribed: each of `user_ids` from each of the channels."""

    type: ClassVar = "subscription"
    op: ClassVar = "peer_remove"
    channel_ids: Annotated[tuple[ChannelId, ...], Key("stream_ids")]
    user_ids: tuple[UserId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamCreateEvent(BaseEvent):
    """Channels became visible to the user."""

    type: ClassVar = "stream"
    op: ClassVar = "create"
    channels: Annotated[tuple[Channel, ...], Key("streams")]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDeleteEvent(BaseEvent):
    """Channels were deleted, or are not visible to the user any more."""

    type: ClassVar = "stream"
    op: ClassVar = "delete"
    channel_ids: Annotated[tuple[ChannelId, ...], Key("stream_ids")]


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamUpdateEvent(BaseEvent):
    """One field of `Channel` changed; the others depend on it, and are set only where they changed."""

    type: ClassVar = "stream"
    op: ClassVar = "update"
    channel_id: ChannelKey
    property: str
    value: bool | int | str | AnonymousGroup | None
    rendered_description: str | None
    history_public_to_subscribers: bool | None
    is_web_public: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFolderAddEvent(BaseEvent):
    """A folder was created."""

    type: ClassVar = "channel_folder"
    op: ClassVar = "add"
    channel_folder: ChannelFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFolderChange:
    """The changed fields of a folder; None is unchanged."""

    name: str | None
    description: str | None
    rendered_description: str | None
    is_archived: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFolderUpdateEvent(BaseEvent):
    """A folder was changed."""

    type: ClassVar = "channel_folder"
    op: ClassVar = "update"
    channel_folder_id: ChannelFolderId
    data: ChannelFolderChange


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFolderReorderEvent(BaseEvent):
    """All folders in their new order."""

    type: ClassVar = "channel_folder"
    op: ClassVar = "reorder"
    order: tuple[ChannelFolderId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultStreamsEvent(BaseEvent):
    """All default channels for new users."""

    type: ClassVar = "default_streams"
    channel_ids: Annotated[frozenset[ChannelId], Key("default_streams")]


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultStreamGroupsEvent(BaseEvent):
    """All sets of channels that new users may choose."""

    type: ClassVar = "default_stream_groups"
    groups: Annotated[tuple[DefaultChannelGroup, ...], Key("default_stream_groups")]


@dataclass(frozen=True, slots=True, kw_only=True)
class UserTopicEvent(BaseEvent):
    """The user's visibility policy of one topic; 0 removes it."""

    type: ClassVar = "user_topic"
    channel_id: ChannelKey
    topic: Annotated[str, Key("topic_name")]
    last_updated: int
    visibility_policy: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MutedTopicsEvent(BaseEvent):
    """The older form of `UserTopicEvent`, sent beside it: ignored."""

    type: ClassVar = "muted_topics"


ChannelEvents: TypeAlias = (
    SubscriptionAddEvent
    | SubscriptionRemoveEvent
    | SubscriptionUpdateEvent
    | SubscriptionPeerAddEvent
    | SubscriptionPeerRemoveEvent
    | StreamCreateEvent
    | StreamDeleteEvent
    | StreamUpdateEvent
    | ChannelFolderAddEvent
    | ChannelFolderUpdateEvent
    | ChannelFolderReorderEvent
    | DefaultStreamsEvent
    | DefaultStreamGroupsEvent
    | UserTopicEvent
    | MutedTopicsEvent
)
