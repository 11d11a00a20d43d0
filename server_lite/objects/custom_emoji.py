"""The organisation's own emoji as the API's JSON. Reads only."""

from typing import Any

from server_lite.store import custom_emoji
from server_lite.store.connection import Db
from server_lite.store.custom_emoji import EmojiRow


def image_url(emoji: EmojiRow) -> str:
    """Where the image is on this server."""
    return f"/user_avatars/1/emoji/images/{emoji.id}.{emoji.extension}"


def emoji_object(emoji: EmojiRow) -> dict[str, Any]:
    """The RealmEmoji object. Images are not made still: an animated one has no other form."""
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "source_url": image_url(emoji),
        "still_url": None,
        "deactivated": emoji.deactivated,
        "author_id": emoji.author_id,
    }


def emoji_map(db: Db) -> dict[str, dict[str, Any]]:
    """All emoji by id, those that were taken away too."""
    return {str(emoji.id): emoji_object(emoji) for emoji in custom_emoji.everything(db)}
