"""Follows or unmutes topics automatically when a user writes in them or is mentioned.

Checks no permissions. Only ever raises a topic's visibility.
"""

from collections.abc import Collection

from server_lite.actions.user_topics import set_policy, set_policy_of
from server_lite.ids import ChannelId, UserId
from server_lite.store import subscriptions, user_topics, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.personal_settings import Follow, setting
from server_lite.store.user_topics import Policy
from server_lite.store.users import UserRow

FOLLOW = "automatically_follow_topics_policy"
UNMUTE = "automatically_unmute_topics_in_muted_streams_policy"
FOLLOW_MENTIONS = "automatically_follow_topics_where_mentioned"


def after_sending(
    tx: Tx, sender: UserRow, channel: ChannelRow, topic: str, *, is_start: bool
) -> Policy | None:
    """Return the visibility policy that the topic gets for its sender; None if it stays unchanged."""
    policy = tx.cached(_wanted_after_sending, sender.id, channel.id, is_start)
    if policy is None or not _raise(tx, sender.id, channel, topic, policy):
        return None
    return policy


def _wanted_after_sending(
    db: Db, sender_id: UserId, channel_id: ChannelId, is_start: bool
) -> Policy | None:
    """Return the policy that the sender's settings ask for, whatever the topic has."""
    sender = users.by_id(db, sender_id)
    subscription = subscriptions.get(db, sender_id, channel_id)
    if sender is None or sender.is_bot or subscription is None or not subscription.active:
        return None
    if _applies(setting(sender, FOLLOW), is_start=is_start):
        return Policy.FOLLOWED
    if subscription.is_muted and _applies(setting(sender, UNMUTE), is_start=is_start):
        return Policy.UNMUTED
    return None


def _applies(policy: int, *, is_start: bool) -> bool:
    return policy in (Follow.PARTICIPATES, Follow.SENDS) or (policy == Follow.STARTS and is_start)


def after_mentions(tx: Tx, user_ids: Collection[UserId], channel: ChannelRow, topic: str) -> None:
    """Let users who were mentioned by name follow the topic, unless they muted it."""
    if not user_ids:
        return
    following = [
        user.id
        for user in users.by_ids(tx, [*user_ids])
        if not user.is_bot and setting(user, FOLLOW_MENTIONS)
    ]
    if not following:
        return
    rows = {one: user_topics.get(tx, one, channel.id, topic) for one in following}
    to_follow = [
        one
        for one, row in rows.items()
        if row is None or row.policy not in (Policy.MUTED, Policy.FOLLOWED)
    ]
    set_policy_of(tx, to_follow, channel.id, topic, Policy.FOLLOWED)


def _raise(tx: Tx, user_id: UserId, channel: ChannelRow, topic: str, policy: Policy) -> bool:
    row = user_topics.get(tx, user_id, channel.id, topic)
    if row is not None and row.policy in (policy, Policy.FOLLOWED):
        return False
    set_policy(tx, user_id, channel.id, topic, policy)
    return True
