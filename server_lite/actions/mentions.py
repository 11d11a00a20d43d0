"""Derives flags from a message's text: mentions, wildcards, alert words. Reads only."""

from collections.abc import Collection
from collections.abc import Set as AbstractSet

from server_lite.access.message_changes import permitted
from server_lite.access.user_groups import is_in_group_setting, members_of
from server_lite.errors import ApiError, ChannelWildcard, TopicWildcard
from server_lite.ids import TopicId, UserId
from server_lite.markup.rendered import Rendered
from server_lite.store import alert_words, flags, messages, user_groups
from server_lite.store.connection import Db
from server_lite.store.user_groups import GroupSetting, SystemGroup
from server_lite.store.users import UserRow

MANY = 15
"""Mentioning more users than this at once requires a permission."""


def check_mentions(
    db: Db,
    sender: UserRow,
    rendered: Rendered,
    *,
    recipients: Collection[UserId],
    topic_id: TopicId | None,
) -> None:
    """Refuse mentions that the sender may not use in this channel."""
    if rendered.group_ids:
        _check_groups(db, sender, rendered.group_ids)
    if topic_id is None or sender.is_system_bot:
        return
    if rendered.mentions_channel and len(recipients) > MANY and not _may_mention_many(db, sender):
        raise ChannelWildcard
    if rendered.mentions_topic and not _may_mention_many(db, sender):
        there = messages.participants_in_topic(db, topic_id).intersection(recipients)
        if len(there) > MANY:
            raise TopicWildcard


def _check_groups(db: Db, sender: UserRow, group_ids: Collection[int]) -> None:
    """Refuse groups the sender may not mention; equal settings, as most are, are evaluated once."""
    allowed_before: list[GroupSetting] = []
    for group in user_groups.by_ids(db, group_ids):
        allowed = group.settings.get("can_mention_group", int(SystemGroup.EVERYONE))
        if allowed in allowed_before:
            continue
        if not is_in_group_setting(db, sender, allowed):
            raise ApiError(f"You are not allowed to mention user group '{group.name}'.")
        allowed_before.append(allowed)


def _may_mention_many(db: Db, sender: UserRow) -> bool:
    return permitted(db, sender, "can_mention_many_users_group")


def flags_for(
    db: Db,
    rendered: Rendered,
    plain: str,
    *,
    recipients: AbstractSet[UserId],
    sender_id: UserId,
    topic_id: TopicId | None,
) -> dict[str, AbstractSet[UserId]]:
    """Return the flags that a text gives to recipients: flag -> users, none of them empty."""
    mentioned = rendered.user_ids
    if rendered.group_ids:
        mentioned |= _in_groups(db, rendered.group_ids)
    users_by_flag: dict[str, AbstractSet[UserId]] = {}
    if mentioned:
        users_by_flag[flags.MENTIONED] = mentioned & recipients
    if rendered.mentions_channel:
        users_by_flag[flags.CHANNEL_WILDCARD] = recipients
    if rendered.mentions_topic and topic_id is not None:
        participants = messages.participants_in_topic(db, topic_id) | {sender_id}
        users_by_flag[flags.TOPIC_WILDCARD] = participants & recipients
    alerted = _alerted(db, plain)
    if alerted:
        users_by_flag[flags.ALERT] = alerted & recipients
    if users_by_flag:  # of most texts there are none
        return {flag: users for flag, users in users_by_flag.items() if users}
    return users_by_flag


def _in_groups(db: Db, group_ids: Collection[int]) -> frozenset[UserId]:
    """Return the members of all these groups, nested ones too, in a single query."""
    return members_of(db, {"direct_members": [], "direct_subgroups": [*group_ids]})


def _alerted(db: Db, plain: str) -> set[UserId]:
    """Return users with an alert word in the text, as a whole word."""
    words = alert_words.words_by_run(db)
    if not words:
        return set()
    text = plain.casefold()
    alerting = [
        word
        for run in {"", *alert_words.RUN.findall(text)} & words.keys()
        for word in words[run]
        if _stands_alone(word, text)
    ]
    return alert_words.users_with(db, alerting) if alerting else set()


def _stands_alone(word: str, text: str) -> bool:
    start = text.find(word)
    while start >= 0:
        before, after = text[start - 1 : start], text[start + len(word) : start + len(word) + 1]
        if not before.isalnum() and not after.isalnum():
            return True
        start = text.find(word, start + 1)
    return False
