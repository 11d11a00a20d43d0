"""Adds and deactivates custom emoji. Checks no permissions: callers did."""

from server_lite.access.channel_audience import everybody
from server_lite.events.organization import EmojiAdded, EmojiEdited
from server_lite.objects.organization import emoji_map, emoji_object
from server_lite.store import custom_emoji
from server_lite.store.custom_emoji import EmojiRow
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def add(tx: Tx, author: UserRow, *, name: str, extension: str, image: bytes) -> EmojiRow:
    """Add an emoji; the event goes to all users. Name and image were validated."""
    emoji_id = custom_emoji.insert(
        tx, name=name, author_id=author.id, extension=extension, image=image
    )
    emoji = custom_emoji.by_id(tx, emoji_id)
    assert emoji is not None
    event = EmojiAdded(emoji=emoji_object(emoji), everything=emoji_map(tx))
    tx.emit(event, to=everybody(tx))
    return emoji


def deactivate(tx: Tx, emoji: EmojiRow) -> None:
    """Deactivate the emoji; messages and reactions that use it keep it."""
    custom_emoji.deactivate(tx, emoji.id)
    event = EmojiEdited(
        emoji_id=str(emoji.id), data={"deactivated": True}, everything=emoji_map(tx)
    )
    tx.emit(event, to=everybody(tx))
