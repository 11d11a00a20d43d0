"""One person's own settings and lists as the API's JSON. Reads only."""

from collections.abc import Mapping
from typing import Any, Final

from server_lite.store import muted_users
from server_lite.store.connection import Db
from server_lite.store.personal_settings import (
    EMOJISETS,
    NOTIFICATION_SOUNDS,
    with_defaults,
)
from server_lite.store.users import UserRow

CHOICES: Final[Mapping[str, Any]] = {
    "available_notification_sounds": list(NOTIFICATION_SOUNDS),
    "emojiset_choices": [{"key": key, "text": text} for key, text in EMOJISETS],
}
"""What the settings with a list of values can be."""


def muted_user_objects(db: Db, user_id: int) -> list[dict[str, int]]:
    """`[{id, timestamp}]` of everybody whom this person has muted."""
    return [{"id": muted, "timestamp": at} for muted, at in muted_users.of(db, user_id)]


def settings_object(user: UserRow) -> dict[str, Any]:
    """`user_settings`: all personal settings, and the lists to choose from."""
    return {**with_defaults(user.settings), "timezone": user.timezone, **CHOICES}
