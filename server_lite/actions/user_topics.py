"""Mutes, unmutes and follows topics. Checks no permissions: callers did."""

from collections.abc import Collection

from server_lite.events.channels import MutedTopicsChanged, UserTopicChanged
from server_lite.ids import ChannelId, UserId
from server_lite.store import user_topics
from server_lite.store.database import Tx
from server_lite.store.user_topics import Policy


def set_policy(tx: Tx, user_id: UserId, channel_id: ChannelId, topic: str, policy: Policy) -> None:
    """Set the user's visibility policy for a topic; does nothing if it is already set."""
    row = user_topics.get(tx, user_id, channel_id, topic)
    if (Policy.NONE if row is None else row.policy) != policy:
        set_policy_of(tx, [user_id], channel_id, topic, policy)


def set_policy_of(
    tx: Tx, user_ids: Collection[UserId], channel_id: ChannelId, topic: str, policy: Policy
) -> None:
    """Set the policy for users with another one."""
    user_topics.store_for(tx, user_ids, channel_id, topic, policy, tx.now)
    tx.emit(MutedTopicsChanged(), to=user_ids)
    _emit_policy(tx, user_ids, channel_id, topic, policy)


def move_policy(
    tx: Tx,
    user_ids: Collection[UserId],
    old: tuple[ChannelId, str],
    new: tuple[ChannelId, str],
    policy: Policy,
) -> None:
    """Move the policy of users to another topic; both by channel and name."""
    user_topics.move(tx, user_ids, old, new, tx.now)
    _emit_policy(tx, user_ids, *old, Policy.NONE)
    tx.emit(MutedTopicsChanged(), to=user_ids)
    _emit_policy(tx, user_ids, *new, policy)


def _emit_policy(
    tx: Tx, user_ids: Collection[UserId], channel_id: ChannelId, topic: str, policy: Policy
) -> None:
    changed = UserTopicChanged(
        channel_id=channel_id, topic=topic, last_updated=int(tx.now), policy=policy
    )
    tx.emit(changed, to=user_ids)
