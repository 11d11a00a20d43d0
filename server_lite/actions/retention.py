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
        ids += _expired(tx, "channel_id IS NULL", inherited, AT_ONCE)
    for channel in channels.where(tx, "1" if inherited > 0 else "message_retention_days > 0"):
        days = (
            inherited if channel.message_retention_days is None else channel.message_retention_days
        )
        if days > 0 and len(ids) < AT_ONCE:
            ids += _expired(tx, f"channel_id = {channel.id}", days, AT_ONCE - len(ids))
    if not ids:
        return 0
    part = first_to_delete(tx, ids)
    delete_messages(tx, messages.by_ids(tx, part))
    return len(part) or AT_ONCE


def _expired(tx: Tx, where: str, days: int, limit: int) -> list[MessageId]:
    kept = messages.first_since(tx, tx.now - days * DAY)
    return messages.ids_where(tx, where, below=kept, limit=limit)
