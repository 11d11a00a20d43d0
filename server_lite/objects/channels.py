"""Channels as the API's JSON objects. Decides nothing about who may see them. Reads only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from server_lite.store import channel_traffic, subscriptions
from server_lite.store.channel_permissions import value_of, values_of
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db
from server_lite.store.user_groups import SystemGroup

POST_POLICIES: Final = {
    SystemGroup.ADMINISTRATORS: 2,
    SystemGroup.FULL_MEMBERS: 3,
    SystemGroup.MODERATORS: 4,
}
"""The deprecated numbers for who may post, by the system group that may."""


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
    now: float = db.value("SELECT unixepoch('subsec')")
    return ChannelFacts(
        subscriber_counts=subscriptions.subscriber_counts(db, ids),
        weekly_traffic=channel_traffic.weekly(db, ids, now),
        active=channel_traffic.recently_active(db, ids, now),
        now=now,
    )


def channel_objects(db: Db, rows: Sequence[ChannelRow]) -> list[dict[str, Any]]:
    """The Channel objects of these rows, in their order."""
    facts = facts_about(db, rows)
    return [channel_object(row, facts) for row in rows]


def channel_object(row: ChannelRow, facts: ChannelFacts) -> dict[str, Any]:
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
        **values_of(row),
    }


def post_policy(row: ChannelRow) -> int:
    """The deprecated number for who may post; 1 (anybody) for what it cannot express."""
    value = value_of(row, "can_send_message_group")
    return POST_POLICIES.get(SystemGroup(value), 1) if _is_system(value) else 1


def _is_system(value: GroupSetting) -> TypeGuard[int]:
    return isinstance(value, int) and value in SystemGroup.__members__.values()
