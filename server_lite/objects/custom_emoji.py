"""The organization's own emoji as the API's JSON. Reads only."""

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.store import custom_emoji
from server_lite.store.connection import Db
from server_lite.store.custom_emoji import EmojiRow


class EmojiObject(TypedDict):
    """An emoji of the organization; `author_id` is null when nobody is known to have added it."""

    id: str
    name: str
    source_url: str
    still_url: str | None
    deactivated: bool
    author_id: UserId | None


def image_url(emoji: EmojiRow) -> str:
    """Where the image is on this server."""
    return f"/user_avatars/1/emoji/images/{emoji.id}.{emoji.extension}"


def emoji_object(emoji: EmojiRow) -> EmojiObject:
    """The RealmEmoji object. Images are not made still: an animated one has no other form."""
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "source_url": image_url(emoji),
        "still_url": None,
        "deactivated": emoji.deactivated,
        "author_id": emoji.author_id,
    }


def emoji_map(db: Db) -> dict[str, EmojiObject]:
    """All emoji by id, those that were taken away too."""
    return {str(emoji.id): emoji_object(emoji) for emoji in custom_emoji.everything(db)}
