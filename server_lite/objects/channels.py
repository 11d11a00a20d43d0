"""Channels as the API's JSON objects. Decides nothing about who may see them. Reads only."""

from collections.abc import Mapping, Sequence
from typing import Final, NotRequired, TypeGuard

from typing_extensions import TypedDict

from server_lite.dataclass import dataclass
from server_lite.store import channel_traffic, subscriptions
from server_lite.store.channel_permissions import value_of
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db, now
from server_lite.store.user_groups import SystemGroup

POST_POLICIES: Final = {
    SystemGroup.ADMINISTRATORS: 2,
    SystemGroup.FULL_MEMBERS: 3,
    SystemGroup.MODERATORS: 4,
}
"""The deprecated numbers for who may post, by the system group that may."""


class ChannelObject(TypedDict):
    """A channel as everybody sees it who may know of it; `date_created` is in UNIX seconds.

    Who may do what is a group's id, or people and groups.
    `is_default` (new people are subscribed to it) is told where it was asked.
    """

    stream_id: int
    name: str
    description: str
    rendered_description: str
    date_created: int
    creator_id: int | None
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
    is_recently_active: bool
    stream_weekly_traffic: int | None
    subscriber_count: int
    is_default: NotRequired[bool]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelFacts:
    """What the objects of some channels say beyond their rows, read at once."""

    subscriber_counts: Mapping[int, int]
    weekly_traffic: Mapping[int, int]
    active: frozenset[int]
    """Ids of channels where something was said lately."""
    now: float


def facts_about(db: Db, rows: Sequence[ChannelRow]) -> ChannelFacts:
    """Read what the objects of these channels need."""
    ids = [row.id for row in rows]
    moment = now(db)
    return ChannelFacts(
        subscriber_counts=subscriptions.subscriber_counts(db, ids),
        weekly_traffic=channel_traffic.weekly(db, ids, moment),
        active=channel_traffic.recently_active(db, ids, moment),
        now=moment,
    )


def channel_objects(db: Db, rows: Sequence[ChannelRow]) -> list[ChannelObject]:
    """The Channel objects of these rows, in their order."""
    facts = facts_about(db, rows)
    return [channel_object(row, facts) for row in rows]


def channel_object(row: ChannelRow, facts: ChannelFacts) -> ChannelObject:
    """The Channel object: everything but what is personal, and who is subscribed."""
    policy = post_policy(row)
    is_new = facts.now - row.date_created < channel_traffic.ENOUGH_SECONDS
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
        "is_recently_active": row.id in facts.active
        or facts.now - row.date_created < channel_traffic.RECENT_SECONDS,
        "stream_weekly_traffic": None if is_new else facts.weekly_traffic.get(row.id, 0),
        "subscriber_count": facts.subscriber_counts.get(row.id, 0),
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


def post_policy(row: ChannelRow) -> int:
    """The deprecated number for who may post; 1 (anybody) for what it cannot express."""
    value = value_of(row, "can_send_message_group")
    return POST_POLICIES.get(SystemGroup(value), 1) if _is_system(value) else 1


def _is_system(value: GroupSetting) -> TypeGuard[int]:
    return isinstance(value, int) and value in SystemGroup.__members__.values()
