"""Whom a message concerns more than others: mentions, wildcards, alert words, as flags. Reads only."""

from collections import defaultdict
from collections.abc import Collection

from server_lite.markup.rendered import Rendered
from server_lite.store import flags, messages
from server_lite.store.connection import Db


def flags_for(
    db: Db,
    rendered: Rendered,
    plain: str,
    *,
    recipients: Collection[int],
    sender_id: int,
    topic_id: int | None,
) -> dict[int, set[str]]:
    """Flags that a text gives to those of its recipients whom it concerns."""
    found: defaultdict[int, set[str]] = defaultdict(set)
    for user_id in rendered.user_ids:
        found[user_id].add("mentioned")
    if rendered.mentions_channel:
        for user_id in recipients:
            found[user_id].add(flags.CHANNEL_WILDCARD)
    if rendered.mentions_topic and topic_id is not None:
        for user_id in messages.participants_in_topic(db, topic_id) | {sender_id}:
            found[user_id].add(flags.TOPIC_WILDCARD)
    return {user_id: found[user_id] for user_id in found.keys() & set(recipients)}
