"""Flags of messages for exports: the stored ones, and those that moves imply. Reads only."""

from collections.abc import Sequence

from server_lite.access.channel_audience import who_may_read
from server_lite.access.channels import reads_whole_history
from server_lite.access.messages import received_in
from server_lite.ids import ChannelId, MessageId, UserId
from server_lite.store import channels, earlier_channels, export_import
from server_lite.store.connection import Db
from server_lite.store.flags import HISTORICAL
from server_lite.store.messages import MessageRow


def flags_on(db: Db, rows: Sequence[MessageRow]) -> list[tuple[int, str, int]]:
    """Return (message ID, flag, user ID) of all flags on these messages but `read`, ascending."""
    ids = [row.id for row in rows]
    flags = set(export_import.flags_on(db, ids))
    channel_of = {row.id: row.channel_id for row in rows}
    for channel_id, moved in earlier_channels.of_messages(db, ids).items():
        for message_id in moved:
            new_channel_id = channel_of[message_id]
            assert new_channel_id is not None
            kept = _kept_by(db, message_id, channel_id, new_channel_id)
            flags.update((message_id, HISTORICAL, user_id) for user_id in kept)
    return sorted(flags)


def _kept_by(
    db: Db, message_id: MessageId, channel_id: ChannelId, new_channel_id: ChannelId
) -> frozenset[UserId]:
    """Return who received a message in its earlier channel and not in the new one, and may read it."""
    channel = channels.by_id(db, new_channel_id)
    if channel is None or not reads_whole_history(channel):
        return frozenset()
    received, receive = (
        frozenset[UserId]().union(*(people for people, _ in received_in(db, one, [message_id])))
        for one in (channel_id, new_channel_id)
    )
    return (received - receive) & who_may_read(db, channel)
