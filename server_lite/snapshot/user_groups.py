"""Snapshot: user groups and their members. Reads only."""

from typing import Final

import orjson
from orjson import Fragment

from server_lite.access.users import accessible_user_ids
from server_lite.objects.user_groups import group_objects
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store.connection import Db


def groups(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return all groups, deactivated ones only for clients that know them.

    Visitors get system groups without members; restricted guests get only visible members.
    """
    closed = request.shape.include_deactivated_groups
    accessible_ids = accessible_user_ids(db, request.user)
    if request.is_anonymous:
        groups = group_objects(db, deactivated=closed)
        roles = [{**group, "members": []} for group in groups if group["is_system_group"]]
        return {"realm_user_groups": roles}
    accessible_ids = accessible_user_ids(db, request.user)
    if accessible_ids is None:
        return {"realm_user_groups": db.cached(_encoded, deactivated=closed)}
    groups = group_objects(db, deactivated=closed)
    for group in groups:
        group["members"] = [one for one in group["members"] if one in accessible_ids]
    return {"realm_user_groups": groups}


def _encoded(db: Db, *, deactivated: bool) -> Fragment:
    return Fragment(orjson.dumps(group_objects(db, deactivated=deactivated)))


SECTIONS: Final[dict[str, Section]] = {"realm_user_groups": groups}
