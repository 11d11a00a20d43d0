"""Sends events to restricted guests when users become visible or invisible to them.

Only organizations that restrict guests are concerned; elsewhere nothing here costs anything.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from server_lite.access.users import accessible_user_ids, sees_address
from server_lite.actions.group_members import emit_visible_people
from server_lite.events.users import (
    MembersAdded,
    MembersRemoved,
    StatusChanged,
    UserAdded,
    UserRemoved,
)
from server_lite.ids import UserId
from server_lite.objects.personal import status_object
from server_lite.objects.profile_fields import profile_data
from server_lite.objects.users import hidden_user_object, user_object
from server_lite.store import realm, statuses, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.user_groups import SystemGroup
from server_lite.store.users import Role, UserRow

VisibleUsers = Mapping[UserId, frozenset[UserId]]
"""IDs of the users visible to each viewer, by the viewer's ID."""


P = ParamSpec("P")
R = TypeVar("R")


def tracks_visibility(change: Callable[Concatenate[Tx, P], R]) -> Callable[Concatenate[Tx, P], R]:
    """Decorate an action so that `tracking_visibility` surrounds it."""

    @wraps(change)
    def tracked_change(tx: Tx, /, *args: P.args, **kwargs: P.kwargs) -> R:
        with tracking_visibility(tx):
            return change(tx, *args, **kwargs)

    return tracked_change


@contextmanager
def tracking_visibility(tx: Tx) -> Iterator[None]:
    """Send restricted guests the users who became visible or invisible to them within the block."""
    if realm.permission(tx, "can_access_all_users_group") == SystemGroup.EVERYONE:
        yield
        return
    before = users_visible_to_guests(tx)
    yield
    emit_visibility_changes(tx, before)


def users_visible_to_guests(db: Db) -> VisibleUsers:
    """Return IDs of the users visible to each active guest."""
    guests = [user for user in users.everyone(db) if user.role == Role.GUEST and user.is_active]
    return {guest.id: visible_user_ids(db, guest) for guest in guests}


def visible_user_ids(db: Db, viewer: UserRow) -> frozenset[UserId]:
    """Return IDs of the users visible to the viewer."""
    accessible_ids = accessible_user_ids(db, viewer)
    return users.all_ids(db) if accessible_ids is None else accessible_ids


def emit_visibility_changes(tx: Tx, before: VisibleUsers) -> None:
    """Send each viewer the users who became visible or invisible since `before`."""
    domain = realm.domain(tx)
    for viewer in users.by_ids(tx, before.keys()):
        now = visible_user_ids(tx, viewer)
        gained, lost = now - before[viewer.id], before[viewer.id] - now
        for user in users.by_ids(tx, gained):
            sees = sees_address(viewer, user)
            profile = profile_data(tx, user.id)
            person = user_object(user, domain=domain, sees_address=sees, profile_data=profile)
            tx.emit(UserAdded(person=person), to=[viewer.id])
            if status := status_object(statuses.of(tx, user.id), user):
                tx.emit(StatusChanged(user_id=user.id, changed=status), to=[viewer.id])
        emit_visible_people(tx, viewer, MembersAdded, gained)
        emit_visible_people(tx, viewer, MembersRemoved, lost)
        for user in users.by_ids(tx, lost):
            placeholder = hidden_user_object(user, domain=domain)
            tx.emit(UserRemoved(user_id=user.id, placeholder=placeholder), to=[viewer.id])
