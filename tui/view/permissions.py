"""What the person may do in the organisation, so that nothing else is offered. Pure; the server decides."""

from __future__ import annotations

from tui.api.model import GroupSetting, Role
from tui.store import Store


def role(store: Store) -> int:
    """The person's role; a lower number may do more. Unknown people may do least."""
    user = store.users.get(store.self_id)
    return Role.GUEST if user is None else user.role


def is_administrator(store: Store) -> bool:
    """Whether the person runs the organisation: its owners and administrators."""
    return role(store) <= Role.ADMINISTRATOR


def is_owner(store: Store) -> bool:
    """Whether the person owns the organisation."""
    return role(store) <= Role.OWNER


def is_member(store: Store) -> bool:
    """Whether the person is of the organisation, and no guest in it."""
    return role(store) <= Role.MEMBER


def is_in(store: Store, setting: GroupSetting | None) -> bool:
    """Whether the person is of those that a group setting names; of an older server: an administrator."""
    if setting is None:
        return is_administrator(store)
    return store.groups.includes(setting, store.self_id)
