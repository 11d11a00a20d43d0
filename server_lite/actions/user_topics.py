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
    tx: Tx,
    user_ids: Collection[UserId],
    channel_id: ChannelId,
    topic: str,
    policy: Policy,
    *,
    tells_muted: bool = True,
) -> None:
    """Set the policy for users with another one. `tells_muted`: False if another one is set right after it."""
    user_topics.store_for(tx, user_ids, channel_id, topic, policy, tx.now)
    if tells_muted:
        tx.emit(MutedTopicsChanged(), to=user_ids)
    changed = UserTopicChanged(
        channel_id=channel_id, topic=topic, last_updated=int(tx.now), policy=policy
    )
    tx.emit(changed, to=user_ids)
