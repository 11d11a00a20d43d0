"""Roles by name, and the roles that the user may give. Pure; the server decides."""

from __future__ import annotations

from typing import Final

from tui.api.model import Role, User
from tui.store import Store
from tui.view.permissions import is_administrator, is_owner

ROLES: Final = {
    Role.OWNER: "owner",
    Role.ADMINISTRATOR: "administrator",
    Role.MODERATOR: "moderator",
    Role.MEMBER: "member",
    Role.GUEST: "guest",
}
"""Roles with more permissions first."""

WORDS: Final = {
    Role.OWNER: "full control, including deactivating the organization",
    Role.ADMINISTRATOR: "manages people, channels and settings",
    Role.MODERATOR: "moderates conversations",
    Role.MEMBER: "the usual role",
    Role.GUEST: "sees only the channels they were added to",
}


def name(number: int) -> str:
    """Return a role's name; "" for an unknown number."""
    return ROLES[Role(number)] if number in list(Role) else ""


def may_change(store: Store, user: User) -> bool:
    """Whether the user may change a person's account; owners are changed by owners only."""
    if user.is_bot or not is_administrator(store):
        return False
    return user.role > Role.OWNER or is_owner(store)


def to_give(store: Store) -> list[Role]:
    """Return the roles that the user may give to others."""
    return [each for each in ROLES if each > Role.OWNER or is_owner(store)]


def to_invite_as(store: Store) -> list[Role]:
    """Return the roles that the user may invite people as; above members for administrators only."""
    return to_give(store) if is_administrator(store) else [Role.MEMBER, Role.GUEST]
