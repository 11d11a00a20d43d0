"""Permissions to change avatars, and validation of image files. Reads only."""

import secrets

from server_lite.access.emoji import image_shown
from server_lite.access.uploads import REALM
from server_lite.errors import ApiError
from server_lite.image_header import Image
from server_lite.objects.realm import LIMITS
from server_lite.store import realm
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


def check_may_change(db: Db, user: UserRow) -> None:
    """Raise if the organization forbids avatar changes; administrators may still change theirs."""
    if realm.setting(db, "avatar_changes_disabled") and not user.is_admin:
        raise ApiError("Avatar changes are disabled in this organization.")


def check_picture(data: bytes) -> Image:
    """Return the image in a file, by its content and not by its name; raises BadImage, ApiError."""
    limit: int = LIMITS["max_avatar_file_size_mib"]
    if len(data) > limit * 1024 * 1024:
        raise ApiError(f"Uploaded file is larger than the allowed limit of {limit} MiB")
    return image_shown(data)


def new_path(image: Image) -> str:
    """Return an unguessable path: only viewers who were given the URL can open the avatar."""
    return f"{REALM}/{secrets.token_urlsafe(24)}.{image.extension}"
