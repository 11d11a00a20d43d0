"""Initial state: my messages in numbers: the newest, the unread, the starred. Reads only."""

from typing import Any, Final

from server_lite.snapshot.base import Asked, Section
from server_lite.store.connection import Db


def unread(db: Db, asked: Asked) -> dict[str, Any]:
    """`unread_msgs`, for clients that want both messages and flags."""
    return {}


SECTIONS: Final[dict[str, Section]] = {}
