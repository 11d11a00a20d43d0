"""The organization's own emoji: listed, added, taken away. Thin; the images are served by a page."""

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
    """All of them, by id."""

    emoji: dict[str, EmojiObject]


def listing(db: Db, user: UserRow) -> CustomEmoji:
    """All emoji by id, those that were taken away too."""
    return {"emoji": emoji_map(db)}


def add(tx: Tx, user: UserRow, emoji_name: str, *, file: Picture | None) -> Done:
    """Add an emoji: a name, and one image."""
    name = check_new_emoji(tx, user, emoji_name.strip().lower().replace(" ", "_"))
    if file is None:
        raise ApiError("You must upload exactly one file.")
    actions.add(tx, user, name=name, extension=extension_of(file.data), image=file.data)
    return {}


def deactivate(tx: Tx, user: UserRow, emoji_name: str) -> Done:
    """Take an emoji away."""
    actions.deactivate(tx, access_emoji(tx, user, emoji_name))
    return {}
