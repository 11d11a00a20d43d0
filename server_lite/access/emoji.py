"""Existing emoji, and permissions to add and deactivate custom ones. Reads only."""

import re
from typing import Final

from server_lite.access.user_groups import is_in_group_setting
from server_lite.errors import ApiError, NoSuchObject
from server_lite.image_header import Image, image_of
from server_lite.markup import emoji
from server_lite.store import custom_emoji, realm
from server_lite.store.connection import Db
from server_lite.store.custom_emoji import EmojiRow
from server_lite.store.users import UserRow

UNICODE: Final = "unicode_emoji"
CUSTOM: Final = "realm_emoji"
EXTRA: Final = "service_extra_emoji"
TYPES: Final = {
    UNICODE: UNICODE,
    CUSTOM: CUSTOM,
    EXTRA: EXTRA,
    "zulip_extra_emoji": EXTRA,  # name in Zulip's clients
}
"""The emoji type by its spellings in requests."""

MAX_NAME: Final = 100
MAX_EMOJI: Final = 1000
MAX_BYTES: Final = 1024 * 1024
MAX_PIXELS: Final = 90_000_000
"""Limit for images that clients decode automatically, to bound their memory."""

_NAME: Final = re.compile(r"[0-9a-z](?:[0-9a-z._-]*[0-9a-z])?")


class BadImage(ApiError):
    """Raised for files that are not images of a displayable format."""

    code = "BAD_IMAGE"


def known_emoji(db: Db, name: str, code: str | None, type: str | None) -> tuple[str, str, str]:
    """Return (type, code, name) of an existing emoji; custom ones take precedence over others."""
    if type in (None, CUSTOM) and (row := _custom(db, name, code, asked=type is not None)):
        return CUSTOM, str(row.id), row.name
    if type in (None, EXTRA) and name == emoji.EXTRA_NAME and code in (None, name):
        return EXTRA, name, name
    if type in (None, UNICODE):
        code_of_name = emoji.name_to_code().get(name)
        if code_of_name is not None and code in (None, code_of_name):
            return UNICODE, code_of_name, name
        if code is not None and code in emoji.code_to_names():
            raise ApiError("Invalid emoji name.")
    if code is not None:
        raise ApiError("Invalid emoji code")
    raise ApiError(f"Emoji '{name}' does not exist")


def _custom(db: Db, name: str, code: str | None, *, asked: bool) -> EmojiRow | None:
    """Return the custom emoji; raises only if that type was explicitly `asked` for."""
    if code is None:
        return custom_emoji.active(db, name)
    number = int(code) if code.isascii() and code.isdecimal() and len(code) < 19 else 0
    row = custom_emoji.by_id(db, number)
    if row is None or not asked:
        return row if row and row.name == name and not row.deactivated else None
    if row.deactivated:
        raise ApiError("This custom emoji has been deactivated.")
    if row.name != name:
        raise ApiError("Invalid custom emoji name.")
    return row


def is_emoji_name(name: str) -> bool:
    """Whether the name is valid for an emoji."""
    return len(name) <= MAX_NAME and _NAME.fullmatch(name) is not None


def check_new_emoji(db: Db, user: UserRow, name: str) -> str:
    """Return the name under which the user may add an emoji."""
    if user.is_guest or not is_in_group_setting(
        db, user, realm.permission(db, "can_add_custom_emoji_group")
    ):
        raise ApiError("Insufficient permission")
    if len(name) > MAX_NAME:
        raise ApiError(f"emoji_name is too long (limit: {MAX_NAME} characters)")
    if not is_emoji_name(name):
        raise ApiError("Invalid characters in emoji name")
    if custom_emoji.active(db, name) is not None:
        raise ApiError("A custom emoji with this name already exists.")
    if (name in emoji.name_to_code() or name == emoji.EXTRA_NAME) and not user.is_admin:
        raise ApiError("Only administrators can override default emoji.")
    if len(custom_emoji.everything(db)) >= MAX_EMOJI:
        raise ApiError(f"An organization can have at most {MAX_EMOJI} custom emoji.")
    return name


def extension_of(image: bytes) -> str:
    """Return the image's file extension, by its first bytes and not by its name; raises BadImage."""
    if len(image) > MAX_BYTES:
        raise ApiError("Uploaded file is larger than the allowed limit of 1 MiB")
    return image_shown(image).extension


def image_shown(data: bytes) -> Image:
    """Return the image in a file, by its first bytes and not by its name; raises BadImage."""
    image = image_of(data)
    if image is None:
        raise BadImage("Could not decode image; did you upload an image file?")
    if image.width * image.height > MAX_PIXELS:
        raise BadImage("Image size exceeds limit.")
    return image


def access_emoji(db: Db, user: UserRow, name: str) -> EmojiRow:
    """Return an emoji that the user may deactivate: their own, or any for administrators."""
    row = custom_emoji.active(db, name)
    if row is None:
        raise NoSuchObject(f"Emoji '{name}' does not exist")
    if not user.is_admin and row.author_id != user.id:
        raise ApiError("Must be an organization administrator or emoji author")
    return row
