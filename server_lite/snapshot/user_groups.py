"""Initial state: user groups and their members. Reads only."""

from typing import Any, Final

from server_lite.objects.user_groups import group_objects
from server_lite.snapshot.base import Asked, Section
from server_lite.store.connection import Db


def groups(db: Db, asked: Asked) -> dict[str, Any]:
    """All groups; closed ones for clients that can tell them apart."""
    closed = asked.shape.include_deactivated_groups
    return {"realm_user_groups": group_objects(db, deactivated=closed)}


SECTIONS: Final[dict[str, Section]] = {"realm_user_groups": groups}
