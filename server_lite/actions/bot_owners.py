"""Telling people which bots they look after when that changes. Changes nothing itself."""

from server_lite.access.bots import bots_of
from server_lite.events.organization import BotAdded, BotDeleted
from server_lite.objects.bots import bot_object
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def emit_bot_access_changes(tx: Tx, before: UserRow, after: UserRow) -> None:
    """Somebody's role changed: tell which bots they look after now, and which no longer."""
    had = {bot.id for bot in bots_of(tx, before)}
    has = {bot.id: bot for bot in bots_of(tx, after)}
    for bot_id in sorted(had - has.keys()):
        tx.emit(BotDeleted(user_id=bot_id), to=[after.id])
    for bot_id in sorted(has.keys() - had):
        tx.emit(BotAdded(bot=bot_object(tx, has[bot_id])), to=[after.id])
