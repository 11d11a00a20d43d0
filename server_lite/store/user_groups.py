"""Rows of user groups, their members and subgroups. SQL only; roles become members here, rights elsewhere."""

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store import settings
from server_lite.store.connection import Db, placeholders
from server_lite.store.rows import Rows, insert_row
from server_lite.store.users import Role, UserRow

GroupSetting = int | dict[str, list[int]]
"""Who holds a permission: a user group's id, or `{direct_members, direct_subgroups}`."""

DAY: Final = 24 * 3600


class SystemGroup(IntEnum):
    """Ids of the groups that every organization has."""

    OWNERS = 1
    ADMINISTRATORS = 2
    MODERATORS = 3
    FULL_MEMBERS = 4
    MEMBERS = 5
    EVERYONE = 6
    INTERNET = 7
    NOBODY = 8


NAMES: Final[Mapping[str, SystemGroup]] = {
    "role:owners": SystemGroup.OWNERS,
    "role:administrators": SystemGroup.ADMINISTRATORS,
    "role:moderators": SystemGroup.MODERATORS,
    "role:fullmembers": SystemGroup.FULL_MEMBERS,
    "role:members": SystemGroup.MEMBERS,
    "role:everyone": SystemGroup.EVERYONE,
    "role:internet": SystemGroup.INTERNET,
    "role:nobody": SystemGroup.NOBODY,
}

SUBGROUP: Final[Mapping[int, int]] = {
    SystemGroup.ADMINISTRATORS: SystemGroup.OWNERS,
    SystemGroup.MODERATORS: SystemGroup.ADMINISTRATORS,
    SystemGroup.FULL_MEMBERS: SystemGroup.MODERATORS,
    SystemGroup.MEMBERS: SystemGroup.FULL_MEMBERS,
    SystemGroup.EVERYONE: SystemGroup.MEMBERS,
    SystemGroup.INTERNET: SystemGroup.EVERYONE,
}
"""Each of them contains the next mightier one."""

_LOWEST: Final[Mapping[int, Role]] = {
    SystemGroup.OWNERS: Role.OWNER,
    SystemGroup.ADMINISTRATORS: Role.ADMINISTRATOR,
    SystemGroup.MODERATORS: Role.MODERATOR,
    SystemGroup.MEMBERS: Role.MEMBER,
    SystemGroup.EVERYONE: Role.GUEST,
    SystemGroup.INTERNET: Role.GUEST,
}


@dataclass(frozen=True, slots=True)
class GroupRow:
    """One row of `user_group`; the date in UNIX seconds."""

    id: int
    name: str
    description: str
    is_system: bool
    deactivated: bool
    creator_id: UserId | None
    date_created: float | None
    settings: dict[str, GroupSetting]
    """Only the permissions that differ from the defaults."""


_ROWS: Final = Rows(GroupRow, "user_group")


def by_id(db: Db, group_id: int) -> GroupRow | None:
    """The group, active or not."""
    return _ROWS.one(db, "WHERE id = ?", group_id)


def by_ids(db: Db, ids: Collection[int]) -> list[GroupRow]:
    """Those of the groups that exist, by id."""
    return _ROWS.among(db, "id", ids, "ORDER BY id")


def by_name(db: Db, name: str) -> GroupRow | None:
    """The same, by name without regard to case."""
    return _ROWS.one(db, "WHERE lower(name) = lower(?)", name)


def every(db: Db) -> list[GroupRow]:
    """All groups, deactivated ones included, by id."""
    return _ROWS.all(db, "ORDER BY id")


# Members


class WaitingPeriod(NamedTuple):
    """How long a new member waits to be a full one, and the time of which that is said.

    Nobody becomes a full member unheard: the time moves on when everybody is told.
    """

    days: int
    as_of: float
    """UNIX seconds."""


def is_full_member(user: UserRow, waiting: WaitingPeriod) -> bool:
    """Whether a member has been here long enough; moderators and above always were."""
    if user.role != Role.MEMBER:
        return user.is_moderator
    return waiting.days == 0 or waiting.as_of - user.date_joined >= waiting.days * DAY


def system_groups_of(user: UserRow, waiting: WaitingPeriod) -> frozenset[int]:
    """Every system group that an active person is in, directly or not."""
    groups = {group for group, role in _LOWEST.items() if user.role <= role}
    if is_full_member(user, waiting):
        groups.add(SystemGroup.FULL_MEMBERS)
    return frozenset(groups)


def direct_system_groups(user: UserRow, waiting: WaitingPeriod) -> list[int]:
    """The system groups that list an active person themselves.

    A member is in `members` and, after the waiting period, in `fullmembers` as well: that is where
    clients look for both.
    """
    direct: dict[int, int] = {
        Role.OWNER: SystemGroup.OWNERS,
        Role.ADMINISTRATOR: SystemGroup.ADMINISTRATORS,
        Role.MODERATOR: SystemGroup.MODERATORS,
        Role.MEMBER: SystemGroup.MEMBERS,
        Role.GUEST: SystemGroup.EVERYONE,
    }
    groups = [direct[user.role]]
    if user.role == Role.MEMBER and is_full_member(user, waiting):
        groups.append(SystemGroup.FULL_MEMBERS)
    return groups


def waiting(db: Db) -> WaitingPeriod:
    """How long new members wait."""
    days = settings.value(db, "waiting_period_threshold", 0)
    return WaitingPeriod(days, settings.value(db, _AS_OF, 0.0))


def set_waiting(db: Db, waiting: WaitingPeriod) -> None:
    """Change how long they wait, or the time of which that is said."""
    settings.store(db, "waiting_period_threshold", waiting.days)
    settings.store(db, _AS_OF, waiting.as_of)


def somebody_waited(db: Db, waiting: WaitingPeriod, now: float) -> bool:
    """Whether a member's waiting ended since the time of which is said who is full."""
    joined = waiting.as_of - waiting.days * DAY, now - waiting.days * DAY
    row = db.value(
        "SELECT 1 FROM user WHERE role = ? AND is_active AND date_joined > ? AND date_joined <= ?"
        " LIMIT 1",
        Role.MEMBER,
        *joined,
    )
    return waiting.days > 0 and row is not None


_AS_OF: Final = "full_members_as_of"


FEW: Final = 20
"""Groups of which members are looked up group by group."""


def direct_members(db: Db) -> dict[int, list[UserId]]:
    """Group id -> ids of the active people whom a group of the organization's own making lists."""
    members: dict[int, list[UserId]] = {}
    for group_id, user_id in db.rows(
        "SELECT group_id, user_id FROM user_group_member JOIN user ON user.id = user_id"
        " WHERE is_active ORDER BY group_id, user_id"
    ):
        members.setdefault(group_id, []).append(user_id)
    return members


def members_listed(db: Db, group_ids: Collection[int]) -> list[UserId]:
    """Ids of the active people whom one of these groups lists, ascending."""
    sorted_ids = sorted(group_ids)
    # Of few groups all members are read. Of many that would be everybody, many times: each person's groups are fewer.
    is_listed = (
        "id IN (SELECT user_id FROM user_group_member WHERE group_id IN ({}))"
        if len(sorted_ids) <= FEW
        else "EXISTS (SELECT 1 FROM user_group_member WHERE user_id = user.id AND +group_id IN ({}))"
    ).format(placeholders(sorted_ids))
    return db.column(
        f"SELECT id FROM user WHERE is_active AND {is_listed} ORDER BY id", *sorted_ids
    )


def direct_subgroups(db: Db) -> Mapping[int, Sequence[int]]:
    """Group id -> ids of the groups it contains."""
    return db.cached(_direct_subgroups)


def _direct_subgroups(db: Db) -> Mapping[int, Sequence[int]]:
    subgroups: dict[int, list[int]] = {group: [sub] for group, sub in SUBGROUP.items()}
    for group_id, subgroup_id in db.rows(
        "SELECT group_id, subgroup_id FROM user_group_subgroup ORDER BY group_id, subgroup_id"
    ):
        subgroups.setdefault(group_id, []).append(subgroup_id)
    return subgroups


def _direct_supergroups(db: Db) -> Mapping[int, Sequence[int]]:
    supergroups: dict[int, list[int]] = {}
    for group_id, subgroups in direct_subgroups(db).items():
        for subgroup_id in subgroups:
            supergroups.setdefault(subgroup_id, []).append(group_id)
    return supergroups


def listed_in(db: Db, user_id: UserId) -> list[int]:
    """Groups of the organization's own making that list this person."""
    return db.column("SELECT group_id FROM user_group_member WHERE user_id = ?", user_id)


def containing(db: Db, group_ids: frozenset[int]) -> frozenset[int]:
    """These groups and all that contain one of them."""
    return _reached(db.cached(_direct_supergroups), group_ids)


def contained(db: Db, group_ids: frozenset[int]) -> frozenset[int]:
    """These groups and all that are in one of them."""
    return _reached(direct_subgroups(db), group_ids)


def _reached(steps: Mapping[int, Sequence[int]], group_ids: frozenset[int]) -> frozenset[int]:
    reached_ids, edge = set(group_ids), set(group_ids)
    while edge:
        edge = {other for group in edge for other in steps.get(group, ())} - reached_ids
        reached_ids |= edge
    return frozenset(reached_ids)


# Changes


def insert(
    db: Db,
    *,
    name: str,
    description: str,
    creator_id: UserId,
    now: float,
    group_settings: Mapping[str, GroupSetting],
) -> int:
    """A new group; returns its id."""
    return insert_row(
        db,
        "user_group",
        name=name,
        description=description,
        creator_id=creator_id,
        date_created=now,
        settings=orjson.dumps(group_settings).decode(),
    )


def set_name(db: Db, group_id: int, name: str) -> None:
    """Rename a group."""
    db.run("UPDATE user_group SET name = ? WHERE id = ?", name, group_id)


def set_description(db: Db, group_id: int, description: str) -> None:
    """Describe a group anew."""
    db.run("UPDATE user_group SET description = ? WHERE id = ?", description, group_id)


def set_deactivated(db: Db, group_id: int, deactivated: bool) -> None:
    """Close or reopen a group."""
    db.run("UPDATE user_group SET deactivated = ? WHERE id = ?", deactivated, group_id)


def set_settings(db: Db, group_id: int, group_settings: Mapping[str, GroupSetting]) -> None:
    """Store the permissions that differ from the defaults."""
    text = orjson.dumps(group_settings).decode()
    db.run("UPDATE user_group SET settings = ? WHERE id = ?", text, group_id)


def add_members(db: Db, group_id: int, user_ids: list[UserId]) -> None:
    """List these people; those who are listed stay so."""
    db.many(
        "INSERT OR IGNORE INTO user_group_member (group_id, user_id) VALUES (?, ?)",
        [(group_id, user_id) for user_id in user_ids],
    )


def remove_members(db: Db, group_id: int, user_ids: list[UserId]) -> None:
    """List these people no longer."""
    db.many(
        "DELETE FROM user_group_member WHERE group_id = ? AND user_id = ?",
        [(group_id, user_id) for user_id in user_ids],
    )


def add_subgroups(db: Db, group_id: int, subgroup_ids: list[int]) -> None:
    """Contain these groups."""
    db.many(
        "INSERT OR IGNORE INTO user_group_subgroup (group_id, subgroup_id) VALUES (?, ?)",
        [(group_id, subgroup_id) for subgroup_id in subgroup_ids],
    )


def remove_subgroups(db: Db, group_id: int, subgroup_ids: list[int]) -> None:
    """Contain these groups no longer."""
    db.many(
        "DELETE FROM user_group_subgroup WHERE group_id = ? AND subgroup_id = ?",
        [(group_id, subgroup_id) for subgroup_id in subgroup_ids],
    )
