"""Sends events about group members, to restricted guests only visible ones. Checks no permissions."""

from collections.abc import Collection

from server_lite.access.users import inaccessible_user_ids, restricted_viewers
from server_lite.events.users import (
    GroupAdded,
    GroupReactivated,
    MembersAdded,
    MembersRemoved,
)
from server_lite.ids import UserId
from server_lite.objects.user_groups import UserGroupObject, all_members
from server_lite.store import user_groups, users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

Members = type[MembersAdded] | type[MembersRemoved]
Whole = type[GroupAdded] | type[GroupReactivated]


def emit_members(
    tx: Tx, event: Members, group_id: int, user_ids: Collection[UserId], *, is_closed: bool
) -> None:
    """Send users joining or leaving a group to all users."""
    guests = restricted_viewers(tx)
    group_event = event(group_id=group_id, user_ids=sorted(user_ids), is_deactivated=is_closed)
    tx.emit(group_event, to=users.active_ids(tx) - {guest.id for guest in guests})
    for guest in guests:
        accessible_ids = frozenset(user_ids) - inaccessible_user_ids(tx, guest, user_ids)
        if accessible_ids:
            group_event = event(
                group_id=group_id, user_ids=sorted(accessible_ids), is_deactivated=is_closed
            )
            tx.emit(group_event, to=[guest.id])


def emit_group(tx: Tx, event: Whole, group: UserGroupObject) -> None:
    """Send a group with its members to all users."""
    guests = restricted_viewers(tx)
    tx.emit(event(group=group), to=users.active_ids(tx) - {guest.id for guest in guests})
    for guest in guests:
        tx.emit(event(group=seen_group(tx, guest, group)), to=[guest.id])


def seen_group(tx: Tx, viewer: UserRow, group: UserGroupObject) -> UserGroupObject:
    """Return the group, with only the members visible to the viewer."""
    hidden = inaccessible_user_ids(tx, viewer, group["members"])
    return {**group, "members": [one for one in group["members"] if one not in hidden]}


def emit_visible_people(tx: Tx, viewer: UserRow, event: Members, people: frozenset[UserId]) -> None:
    """Send the viewer the group memberships of users who became visible or invisible to them."""
    if not people:
        return
    closed = {group.id for group in user_groups.every(tx) if group.deactivated}
    for group_id, members in all_members(tx).items():
        if inside := sorted(people.intersection(members)):
            group_event = event(
                group_id=group_id, user_ids=inside, is_deactivated=group_id in closed
            )
            tx.emit(group_event, to=[viewer.id])
