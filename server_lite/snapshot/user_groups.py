"""Initial state: user groups and their members. Reads only."""

from typing import Any, Final

from server_lite.objects.user_groups import group_objects
from server_lite.snapshot.base import Asked, Section
from server_lite.store.connection import Db


def groups(db: Db, asked: Asked) -> dict[str, Any]:
    """All groups; closed ones for clients that can tell them apart. Strangers see those of roles, empty."""
    closed = asked.shape.include_deactivated_groups
    groups = group_objects(db, deactivated=closed)
    if asked.is_stranger:
        groups = [{**group, "members": []} for group in groups if group["is_system_group"]]
    return {"realm_user_groups": groups}


SECTIONS: Final[dict[str, Section]] = {"realm_user_groups": groups}
