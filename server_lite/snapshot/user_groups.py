"""Initial state: user groups and their members. Reads only."""

from typing import Final

from server_lite.access.users import strangers
from server_lite.objects.user_groups import group_objects
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store.connection import Db


def groups(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """All groups; closed ones for clients that can tell them apart. Strangers see those of roles, empty;
    guests who know some people only see those among the members.
    """
    closed = asked.shape.include_deactivated_groups
    groups = group_objects(db, deactivated=closed)
    if asked.is_stranger:
        groups = [{**group, "members": []} for group in groups if group["is_system_group"]]
    else:
        hidden = strangers(db, asked.user, {one for group in groups for one in group["members"]})
        for group in groups if hidden else ():
            group["members"] = [one for one in group["members"] if one not in hidden]
    return {"realm_user_groups": groups}


SECTIONS: Final[dict[str, Section]] = {"realm_user_groups": groups}
