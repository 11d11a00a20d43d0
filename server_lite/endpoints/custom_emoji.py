"""Custom emoji: list, add, deactivate. Thin; a web page serves the images."""

from typing_extensions import TypedDict

from server_lite.access.emoji import access_emoji, check_new_emoji, extension_of
from server_lite.actions import custom_emoji as actions
from server_lite.api.answers import Done
from server_lite.api.params import Picture
from server_lite.errors import ApiError
from server_lite.objects.organization import EmojiObject, emoji_map
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


class CustomEmoji(TypedDict):
    """All custom emoji, by ID."""

    emoji: dict[str, EmojiObject]


def listing(db: Db, user: UserRow) -> CustomEmoji:
    """Get all custom emoji by ID, deactivated ones included."""
    return {"emoji": emoji_map(db)}


def add(tx: Tx, user: UserRow, emoji_name: str, *, file: Picture | None) -> Done:
    """Add a custom emoji: a name and one image."""
    name = check_new_emoji(tx, user, emoji_name.strip().lower().replace(" ", "_"))
    if file is None:
        raise ApiError("You must upload exactly one file.")
    actions.add(tx, user, name=name, extension=extension_of(file.data), image=file.data)
    return {}


def deactivate(tx: Tx, user: UserRow, emoji_name: str) -> Done:
    """Deactivate a custom emoji."""
    actions.deactivate(tx, access_emoji(tx, user, emoji_name))
    return {}
