"""Who receives a new message in a channel. Reads only.

This depends on who is subscribed, who is active and who mutes whom: it is the same for the next message of
the same sender, until one of these changes.
"""

from typing import NamedTuple

from server_lite.access.users import ids_who_cannot_access
from server_lite.ids import ChannelId, UserId
from server_lite.store import muted_users, subscriptions, users
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


class MessageAudience(NamedTuple):
    """The users whom a message concerns."""

    recipients: frozenset[UserId]
    """Active subscribers, or active participants of the conversation."""
    everyone: frozenset[UserId]
    """The recipients and the sender."""
    unaware: frozenset[UserId]
    """Those of them to whom the sender is invisible."""
    muting: frozenset[UserId]
    """Those of them who muted the sender."""


def audience_of(db: Db, sender: UserRow, recipients: frozenset[UserId]) -> MessageAudience:
    """Return the audience of a message of this sender to these recipients."""
    everyone = recipients if sender.id in recipients else recipients | {sender.id}
    return MessageAudience(
        recipients,
        everyone,
        ids_who_cannot_access(db, sender, everyone),
        everyone & muted_users.muted_by(db, sender.id),
    )


def audience_in_channel(db: Db, sender: UserRow, channel_id: ChannelId) -> MessageAudience:
    """Return the audience of a message of this sender in a channel."""
    return db.cached(_in_channel, sender.id, channel_id)


def _in_channel(db: Db, sender_id: UserId, channel_id: ChannelId) -> MessageAudience:
    sender = users.by_id(db, sender_id)
    assert sender is not None
    return audience_of(db, sender, db.cached(_subscribers, channel_id))


def _subscribers(db: Db, channel_id: ChannelId) -> frozenset[UserId]:
    """Return one set for all senders."""
    return frozenset(subscriptions.subscriber_ids(db, channel_id))
