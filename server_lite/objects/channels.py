"""Channels, folders and topics as the API's JSON objects. Checks no visibility. Reads only."""

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, NotRequired, TypeGuard, cast

import orjson
from typing_extensions import TypedDict

from server_lite.dataclass import dataclass
from server_lite.events.base import ClientCapabilities
from server_lite.ids import ChannelId, UserId
from server_lite.objects.encoded import kept, merged
from server_lite.store import channel_folders, channel_traffic, channels, subscriptions, user_topics
from server_lite.store.channel_folders import FolderRow
from server_lite.store.channel_permissions import value_of
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db, now
from server_lite.store.user_groups import SystemGroup
from server_lite.store.user_topics import UserTopicRow
from server_lite.store.users import UserRow

POST_POLICIES: Final = {
    SystemGroup.ADMINISTRATORS: 2,
    SystemGroup.FULL_MEMBERS: 3,
    SystemGroup.MODERATORS: 4,
}
"""The deprecated numbers of posting policies, by the system group that may post."""


class ChannelSettings(TypedDict):
    """A channel's settings, which change only by edits; `date_created` is in UNIX seconds.

    A permission is a group's ID, or users and groups.
    """

    stream_id: int
    name: str
    description: str
    rendered_description: str
    date_created: int
    creator_id: UserId | None
    invite_only: bool
    is_web_public: bool
    history_public_to_subscribers: bool
    is_archived: bool
    message_retention_days: int | None
    topics_policy: str
    folder_id: int | None
    first_message_id: int | None
    stream_post_policy: int
    is_announcement_only: bool
    can_add_subscribers_group: GroupSetting
    can_administer_channel_group: GroupSetting
    can_create_topic_group: GroupSetting
    can_delete_any_message_group: GroupSetting
    can_delete_own_message_group: GroupSetting
    can_move_messages_out_of_channel_group: GroupSetting
    can_move_messages_within_channel_group: GroupSetting
    can_remove_subscribers_group: GroupSetting
    can_resolve_topics_group: GroupSetting
    can_send_message_group: GroupSetting
    can_subscribe_group: GroupSetting


class ChannelFigures(TypedDict):
    """A channel's current traffic and number of subscribers."""

    is_recently_active: bool
    stream_weekly_traffic: int | None
    subscriber_count: int


class ChannelObject(ChannelSettings, ChannelFigures):
    """A channel as shown to all users who may see it.

    `is_default` (new users are subscribed to it) is included if requested.
    """

    is_default: NotRequired[bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFacts:
    """Data for the objects of some channels beyond their rows, read in bulk."""

    subscriber_counts: Mapping[int, int]
    weekly_traffic: Mapping[int, int]
    active: AbstractSet[int]
    """Recently active channels, and perhaps others than these."""
    now: float


def facts_about(db: Db, rows: Sequence[ChannelRow]) -> ChannelFacts:
    """Read the data that the objects of these channels need."""
    ids = [row.id for row in rows]
    return _facts(db, ids, subscriptions.subscriber_counts(db, ids))


def _facts(db: Db, ids: Collection[int], subscriber_counts: Mapping[int, int]) -> ChannelFacts:
    moment = now(db)
    return ChannelFacts(
        subscriber_counts=subscriber_counts,
        weekly_traffic=channel_traffic.weekly(db, ids, moment),
        active=channel_traffic.recently_active(db, ids, moment),
        now=moment,
    )


def channel_objects(db: Db, rows: Sequence[ChannelRow]) -> list[ChannelObject]:
    """Return the Channel objects of these rows, in their order."""
    facts = facts_about(db, rows)
    return [channel_object(row, facts) for row in rows]


def channel_object(row: ChannelRow, facts: ChannelFacts) -> ChannelObject:
    """Return the Channel object: everything except personal fields and subscribers."""
    figures = channel_figures(row.id, row.date_created, facts)
    return cast(ChannelObject, {**channel_settings(row), **figures})


def channel_figures(
    channel_id: ChannelId, date_created: float, facts: ChannelFacts
) -> ChannelFigures:
    """Return the fields of the Channel object that change without an edit of the channel."""
    age = facts.now - date_created
    is_new = age < channel_traffic.ENOUGH_SECONDS
    return {
        "is_recently_active": channel_id in facts.active or age < channel_traffic.RECENT_SECONDS,
        "stream_weekly_traffic": None if is_new else facts.weekly_traffic.get(channel_id, 0),
        "subscriber_count": facts.subscriber_counts.get(channel_id, 0),
    }


def channel_settings(row: ChannelRow) -> ChannelSettings:
    """Return the fields of the Channel object that change only by edits."""
    policy = post_policy(row)
    return {
        "stream_id": row.id,
        "name": row.name,
        "description": row.description,
        "rendered_description": row.rendered_description,
        "date_created": int(row.date_created),
        "creator_id": row.creator_id,
        "invite_only": row.invite_only,
        "is_web_public": row.is_web_public,
        "history_public_to_subscribers": row.history_public_to_subscribers,
        "is_archived": row.is_archived,
        "message_retention_days": row.message_retention_days,
        "topics_policy": row.topics_policy,
        "folder_id": row.folder_id,
        "first_message_id": row.first_message_id,
        "stream_post_policy": policy,
        "is_announcement_only": policy == 2,
        "can_add_subscribers_group": value_of(row, "can_add_subscribers_group"),
        "can_administer_channel_group": value_of(row, "can_administer_channel_group"),
        "can_create_topic_group": value_of(row, "can_create_topic_group"),
        "can_delete_any_message_group": value_of(row, "can_delete_any_message_group"),
        "can_delete_own_message_group": value_of(row, "can_delete_own_message_group"),
        "can_move_messages_out_of_channel_group": value_of(
            row, "can_move_messages_out_of_channel_group"
        ),
        "can_move_messages_within_channel_group": value_of(
            row, "can_move_messages_within_channel_group"
        ),
        "can_remove_subscribers_group": value_of(row, "can_remove_subscribers_group"),
        "can_resolve_topics_group": value_of(row, "can_resolve_topics_group"),
        "can_send_message_group": value_of(row, "can_send_message_group"),
        "can_subscribe_group": value_of(row, "can_subscribe_group"),
    }


@dataclass(frozen=True, slots=True)
class EncodedChannel:
    """A channel as JSON, with the values that decide its visibility."""

    id: ChannelId
    is_archived: bool
    date_created: float
    settings: bytes


def encoded_objects(db: Db, ids: Collection[int], *, archived: bool) -> dict[ChannelId, bytes]:
    """Return the Channel objects of these channels as JSON, by name. `archived`: include archived ones."""
    every = db.cached(_encoded_channels)
    chosen = [one for one in every if one.id in ids and (archived or not one.is_archived)]
    facts = _facts(db, [one.id for one in chosen], subscriptions.all_subscriber_counts(db))
    known = db.memo(_with_figures, "channel")
    if len(known) > 2 * len(every):  # figures change, most of them once an hour
        known.clear()
    objects: dict[ChannelId, bytes] = {}
    for one in chosen:
        figures = channel_figures(one.id, one.date_created, facts)
        key = (one.id, *figures.values())
        encoded = known.get(key)
        if encoded is None:
            encoded = known[key] = _with_figures(one, figures)
        objects[one.id] = encoded
    return objects


def _with_figures(channel: EncodedChannel, figures: ChannelFigures) -> bytes:
    return merged(channel.settings, orjson.dumps(figures))


def _encoded_channels(db: Db) -> tuple[EncodedChannel, ...]:
    """Return all channels, ordered by name ignoring case."""
    rows = sorted(channels.where(db, "1"), key=lambda row: row.name.casefold())
    return tuple(
        EncodedChannel(row.id, row.is_archived, row.date_created, kept(channel_settings(row)))
        for row in rows
    )


def post_policy(row: ChannelRow) -> int:
    """Return the deprecated number of the posting policy; 1 (everyone) if it has no equivalent."""
    value = value_of(row, "can_send_message_group")
    return POST_POLICIES.get(SystemGroup(value), 1) if _is_system(value) else 1


def _is_system(value: GroupSetting) -> TypeGuard[int]:
    return isinstance(value, int) and value in SystemGroup.__members__.values()


class ChannelFolderObject(TypedDict):
    """A channel folder; `date_created` is in UNIX seconds."""

    id: int
    name: str
    description: str
    rendered_description: str
    date_created: int
    creator_id: UserId | None
    order: int
    is_archived: bool


def folder_object(row: FolderRow) -> ChannelFolderObject:
    """Return the ChannelFolder object."""
    return {
        "id": row.id,
        "name": row.name,
        "description": row.description,
        "rendered_description": row.rendered_description,
        "date_created": int(row.date_created),
        "creator_id": row.creator_id,
        "order": row.position,
        "is_archived": row.is_archived,
    }


def folder_objects(db: Db, *, include_archived: bool) -> list[ChannelFolderObject]:
    """Return all folders in their order."""
    return [
        folder_object(row)
        for row in channel_folders.everything(db)
        if include_archived or not row.is_archived
    ]


class UserTopicObject(TypedDict):
    """A topic that is muted, unmuted or followed; `last_updated` is in UNIX seconds."""

    stream_id: int
    topic_name: str
    last_updated: int
    visibility_policy: int


def user_topic_objects(db: Db, user: UserRow, shape: ClientCapabilities) -> list[UserTopicObject]:
    """Return all of a user's topics that are muted, unmuted or followed."""
    return [user_topic_object(row, shape) for row in user_topics.of_user(db, user.id)]


def user_topic_object(row: UserTopicRow, shape: ClientCapabilities) -> UserTopicObject:
    """Return the UserTopic object."""
    return {
        "stream_id": row.channel_id,
        "topic_name": shape.topic(row.name),
        "last_updated": int(row.last_updated),
        "visibility_policy": row.policy,
    }


def muted_topics(db: Db, user_id: UserId) -> list[list[str | int]]:
    """Return the topics that a user muted, for clients without `user_topic`.

    As `[channel name, topic, UNIX seconds]`.
    """
    rows = user_topics.muted_with_channels(db, user_id)
    return [[channel, topic, int(since)] for channel, topic, since in rows]
