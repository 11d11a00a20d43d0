"""Deletes messages that are older than the retention period of the organization or their channel."""

from typing import Final

from server_lite.actions.message_deletion import delete_messages, first_to_delete
from server_lite.ids import MessageId
from server_lite.store import channels, messages, realm
from server_lite.store.database import Tx

DAY: Final = 24 * 3600
AT_ONCE: Final = 50
"""Maximum of messages in one transaction: each may have files, flags and thousands of reactions."""


def forget_old_messages(tx: Tx) -> int:
    """Delete some expired messages, with the usual events; returns how many."""
    inherited: int = realm.setting(tx, "message_retention_days") or -1
    ids: list[MessageId] = []
    if inherited > 0:
        kept = messages.first_since(tx, tx.now - inherited * DAY)
        ids += messages.ids_where(tx, "channel_id IS NULL", below=kept, limit=AT_ONCE)
    for days, channel_ids in channels.ids_by_retention(tx, inherited):
        kept = messages.first_since(tx, tx.now - days * DAY)
        for channel_id in messages.channels_with_older(tx, channel_ids, kept, AT_ONCE):
            if len(ids) < AT_ONCE:
                there = f"channel_id = {channel_id}"
                ids += messages.ids_where(tx, there, below=kept, limit=AT_ONCE - len(ids))
    if not ids:
        return 0
    part = first_to_delete(tx, ids)
    delete_messages(tx, messages.by_ids(tx, part))
    return len(part) or AT_ONCE
