"""User groups: list. Thin."""

from typing_extensions import TypedDict

from server_lite.access.roles import check_not_guest
from server_lite.objects.user_groups import UserGroupObject, group_objects
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


class UserGroups(TypedDict):
    """User groups by ID."""

    user_groups: list[UserGroupObject]


def listing(db: Db, user: UserRow, *, include_deactivated_groups: bool = False) -> UserGroups:
    """Get all user groups, system groups included."""
    check_not_guest(user)
    groups = group_objects(db, deactivated=include_deactivated_groups)
    return {"user_groups": groups}
