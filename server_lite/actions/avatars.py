"""Stores avatars, assigns them to users and removes them. Checks no permissions: callers did."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from server_lite.access.avatars import new_path
from server_lite.access.users import ids_who_can_access
from server_lite.actions.uploads import UNFINISHED
from server_lite.events.users import UserUpdated
from server_lite.image_header import Image
from server_lite.objects.users import avatar_fields
from server_lite.store import avatars, users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def begin(tx: Tx, image: Image, size: int) -> int:
    """Start storing an avatar, slice by slice; unused until `give` assigns it. Returns its ID."""
    return avatars.begin(
        tx, path=new_path(image), content_type=image.content_type, size=size, now=tx.now
    )


def give(tx: Tx, user: UserRow, avatar_id: int) -> UserRow:
    """Complete an avatar whose slices are all stored and make it the user's, replacing the previous one."""
    return _set(tx, user, avatars.complete(tx, avatar_id))


def take_away(tx: Tx, user: UserRow) -> UserRow:
    """Remove the user's avatar, so that clients show the one the server draws."""
    return user if user.avatar is None else _set(tx, user, None)


def _set(tx: Tx, user: UserRow, path: str | None) -> UserRow:
    if user.avatar is not None:
        avatars.delete(tx, user.avatar)
    changed: Mapping[str, Any] = {"avatar": path, "avatar_version": user.avatar_version + 1}
    for column, value in changed.items():
        users.set_value(tx, user.id, column, value)
    after = replace(user, **changed)
    person = {"user_id": user.id, "avatar_version": after.avatar_version, **avatar_fields(after)}
    tx.emit(UserUpdated(person=person), to=ids_who_can_access(tx, user))
    return after


def sweep(tx: Tx) -> bool:
    """Delete an avatar that was started and never assigned; returns whether there was one."""
    return avatars.delete_next_incomplete(tx, tx.now - UNFINISHED)
