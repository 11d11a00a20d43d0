"""Follows or unmutes topics automatically, when a person writes in one or is mentioned.

Asks no permission. Only ever makes a topic louder.
"""

from collections.abc import Iterable

from server_lite.actions.user_topics import set_policy
from server_lite.ids import UserId
from server_lite.store import subscriptions, user_topics, users
from server_lite.store.channels import ChannelRow
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
    """What the topic becomes to its sender; None where nothing changes."""
    subscription = subscriptions.get(tx, sender.id, channel.id)
    if sender.is_bot or subscription is None or not subscription.active:
        return None
    if _applies(setting(sender, FOLLOW), is_start=is_start):
        wanted = Policy.FOLLOWED
    elif subscription.is_muted and _applies(setting(sender, UNMUTE), is_start=is_start):
        wanted = Policy.UNMUTED
    else:
        return None
    return wanted if _raise(tx, sender.id, channel, topic, wanted) else None


def _applies(policy: int, *, is_start: bool) -> bool:
    return policy in (Follow.PARTICIPATES, Follow.SENDS) or (policy == Follow.STARTS and is_start)


def after_mentions(tx: Tx, user_ids: Iterable[UserId], channel: ChannelRow, topic: str) -> None:
    """Who was mentioned by name follows the topic, unless they muted it."""
    for user_id in sorted(user_ids):
        user = users.by_id(tx, user_id)
        if user is None or user.is_bot or not setting(user, FOLLOW_MENTIONS):
            continue
        known = user_topics.get(tx, user_id, channel.id, topic)
        if known is None or known.policy != Policy.MUTED:
            _raise(tx, user_id, channel, topic, Policy.FOLLOWED)


def _raise(tx: Tx, user_id: UserId, channel: ChannelRow, topic: str, wanted: Policy) -> bool:
    known = user_topics.get(tx, user_id, channel.id, topic)
    if known is not None and known.policy in (wanted, Policy.FOLLOWED):
        return False
    set_policy(tx, user_id, channel.id, topic, wanted)
    return True
