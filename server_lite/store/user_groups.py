"""Rows of user groups, members and subgroups. SQL only; derives system groups from roles, no permissions."""

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store import group_members, settings, users
from server_lite.store.connection import Db
from server_lite.store.rows import Rows, insert_row
from server_lite.store.users import Role, UserRow

GroupSetting = int | dict[str, list[int]]
"""The holders of a permission: a user group's ID, or `{direct_members, direct_subgroups}`."""

DAY: Final = 24 * 3600


def groups_in(value: GroupSetting) -> Collection[int]:
    """Return the groups that a group setting refers to directly."""
    return (value,) if isinstance(value, int) else value["direct_subgroups"]


class SystemGroup(IntEnum):
    """IDs of the system groups, which every organization has."""

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
"""Each system group's direct subgroup, the next higher role."""

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
    """A row of `user_group`; the date in UNIX seconds."""

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
    """Return the group, active or not."""
    return _ROWS.one(db, "WHERE id = ?", group_id)


def by_ids(db: Db, ids: Collection[int]) -> list[GroupRow]:
    """Return the existing ones of these groups, by ID."""
    return _ROWS.among(db, "id", ids)


def by_name(db: Db, name: str) -> GroupRow | None:
    """Return the group with this name, ignoring case."""
    return _ROWS.one(db, "WHERE lower(name) = lower(?)", name)


def every(db: Db) -> list[GroupRow]:
    """Return all groups by ID, deactivated ones included."""
    return _ROWS.all(db, "ORDER BY id")


def deactivated_ids(db: Db) -> frozenset[int]:
    """Return IDs of all deactivated groups."""
    return frozenset(db.column("SELECT id FROM user_group WHERE deactivated"))


# Members


class WaitingPeriod(NamedTuple):
    """The days until a new member is a full member, and the time as of which membership is computed.

    `as_of` advances only when events are sent, so that no member becomes a full one unannounced.
    """

    days: int
    as_of: float
    """UNIX seconds."""


def is_full_member(user: UserRow, waiting: WaitingPeriod) -> bool:
    """Whether the user is a full member by age; moderators and above always are."""
    if user.role != Role.MEMBER:
        return user.is_moderator
    return waiting.days == 0 or waiting.as_of - user.date_joined >= waiting.days * DAY


def system_groups_of(user: UserRow, waiting: WaitingPeriod) -> frozenset[int]:
    """Return all system groups of an active user, direct and containing ones."""
    groups = {group for group, role in _LOWEST.items() if user.role <= role}
    if is_full_member(user, waiting):
        groups.add(SystemGroup.FULL_MEMBERS)
    return frozenset(groups)


_DIRECT: Final[dict[int, int]] = {
    Role.OWNER: SystemGroup.OWNERS,
    Role.ADMINISTRATOR: SystemGroup.ADMINISTRATORS,
    Role.MODERATOR: SystemGroup.MODERATORS,
    Role.MEMBER: SystemGroup.MEMBERS,
    Role.GUEST: SystemGroup.EVERYONE,
}


def direct_system_groups(user: UserRow, waiting: WaitingPeriod) -> list[int]:
    """Return the system groups that list an active user directly.

    A member is in `members` and, after the waiting period, in `fullmembers` as well: clients look in both.
    """
    groups = [_DIRECT[user.role]]
    if user.role == Role.MEMBER and is_full_member(user, waiting):
        groups.append(SystemGroup.FULL_MEMBERS)
    return groups


def waiting(db: Db) -> WaitingPeriod:
    """Return the waiting period of new members."""
    days = settings.value(db, "waiting_period_threshold", 0)
    return WaitingPeriod(days, settings.value(db, _AS_OF, 0.0))


def full_member_ids(db: Db, waiting: WaitingPeriod) -> frozenset[UserId]:
    """Return IDs of the active users who are full members."""
    if waiting.days == 0:
        return users.active_ids_up_to(db, Role.MEMBER)
    return db.cached(_full_member_ids, waiting)


def _full_member_ids(db: Db, waiting: WaitingPeriod) -> frozenset[UserId]:
    members = db.value(
        "SELECT json_group_array(id) FROM user WHERE is_active AND role = ? AND ? - date_joined >= ?",
        *(Role.MEMBER, waiting.as_of, waiting.days * DAY),
    )
    return users.active_ids_up_to(db, Role.MODERATOR).union(orjson.loads(members))


def system_group_members(db: Db, groups: Collection[int]) -> frozenset[UserId]:
    """Return IDs of the active users whom any of these groups, with all that they contain, has by role."""
    roles = [_LOWEST[group] for group in groups if group in _LOWEST]
    lowest = max(roles, default=Role.OWNER)
    if SystemGroup.FULL_MEMBERS in groups and lowest < Role.MEMBER:
        by_role = full_member_ids(db, waiting(db))
    else:
        by_role = users.active_ids_up_to(db, lowest) if roles else frozenset()
    return by_role - {users.NOTIFICATION_BOT}


def set_waiting(db: Db, waiting: WaitingPeriod) -> None:
    """Store the waiting period."""
    settings.store(db, "waiting_period_threshold", waiting.days)
    settings.store(db, _AS_OF, waiting.as_of)


def somebody_waited(db: Db, waiting: WaitingPeriod, now: float) -> bool:
    """Whether a member's waiting period has ended since `as_of`."""
    joined = waiting.as_of - waiting.days * DAY, now - waiting.days * DAY
    row = db.value(
        "SELECT 1 FROM user WHERE role = ? AND is_active AND date_joined > ? AND date_joined <= ?"
        " LIMIT 1",
        Role.MEMBER,
        *joined,
    )
    return waiting.days > 0 and row is not None


_AS_OF: Final = "full_members_as_of"


def direct_members(db: Db) -> dict[int, list[UserId]]:
    """Return group ID -> active direct members, for custom groups."""
    members: dict[int, list[UserId]] = {}
    for group_id, user_id in db.rows(
        "SELECT group_id, user_id FROM user_group_member JOIN user ON user.id = user_id"
        " WHERE is_active ORDER BY group_id, user_id"
    ):
        members.setdefault(group_id, []).append(user_id)
    return members


def members_listed(db: Db, group_id: int) -> list[UserId]:
    """Return active direct members of a custom group, ascending."""
    return db.column(
        "SELECT user_id FROM user_group_member CROSS JOIN user ON user.id = user_id AND is_active"
        " WHERE group_id = ? ORDER BY user_id",
        group_id,
    )


def direct_subgroups(db: Db) -> Mapping[int, Sequence[int]]:
    """Return group ID -> IDs of direct subgroups."""
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
    """Return custom groups that list this user directly."""
    return db.column("SELECT group_id FROM user_group_member WHERE user_id = ?", user_id)


def listing_each(db: Db, user_ids: Collection[UserId]) -> dict[UserId, list[int]]:
    """Return the custom groups that list these users directly, by user; users in none are left out."""
    rows = db.rows(
        "SELECT user_id, json_group_array(group_id) FROM json_each(?)"
        " CROSS JOIN user_group_member ON user_id = value GROUP BY user_id",
        orjson.dumps(sorted(user_ids)).decode(),
    )
    return {user_id: orjson.loads(group_ids) for user_id, group_ids in rows}


def containing(db: Db, group_ids: frozenset[int]) -> frozenset[int]:
    """Return these groups and all groups that contain any of them."""
    return _reached(db.cached(_direct_supergroups), group_ids)


def contained(db: Db, group_ids: frozenset[int]) -> frozenset[int]:
    """Return these groups and all groups contained in any of them."""
    return _reached(direct_subgroups(db), group_ids)


def _reached(steps: Mapping[int, Sequence[int]], group_ids: frozenset[int]) -> frozenset[int]:
    reached_ids, left = set(group_ids), [*group_ids]
    while left:  # one by one: sets of those that are next are slow where each group has one in it
        for other in steps.get(left.pop(), ()):
            if other not in reached_ids:
                reached_ids.add(other)
                left.append(other)
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
    """Insert a group; returns its ID."""
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
    """Store a group's name."""
    db.run("UPDATE user_group SET name = ? WHERE id = ?", name, group_id)


def set_description(db: Db, group_id: int, description: str) -> None:
    """Store a group's description."""
    db.run("UPDATE user_group SET description = ? WHERE id = ?", description, group_id)


def set_deactivated(db: Db, group_id: int, deactivated: bool) -> None:
    """Deactivate or reactivate a group."""
    db.run("UPDATE user_group SET deactivated = ? WHERE id = ?", deactivated, group_id)


def set_settings(db: Db, group_id: int, group_settings: Mapping[str, GroupSetting]) -> None:
    """Store the permissions that differ from the defaults."""
    text = orjson.dumps(group_settings).decode()
    db.run("UPDATE user_group SET settings = ? WHERE id = ?", text, group_id)


def add_members(db: Db, group_id: int, user_ids: list[UserId]) -> None:
    """Add members; existing ones are unaffected."""
    before = group_members.generation(db)
    db.many(
        "INSERT OR IGNORE INTO user_group_member (group_id, user_id) VALUES (?, ?)",
        [(group_id, user_id) for user_id in user_ids],
    )
    group_members.note_members(db, before, group_id, user_ids, joined=True)


def remove_members(db: Db, group_id: int, user_ids: list[UserId]) -> None:
    """Remove members."""
    before = group_members.generation(db)
    db.many(
        "DELETE FROM user_group_member WHERE group_id = ? AND user_id = ?",
        [(group_id, user_id) for user_id in user_ids],
    )
    group_members.note_members(db, before, group_id, user_ids, joined=False)


def add_subgroups(db: Db, group_id: int, subgroup_ids: list[int]) -> None:
    """Add subgroups."""
    before = group_members.subgroup_generation(db)
    db.many(
        "INSERT OR IGNORE INTO user_group_subgroup (group_id, subgroup_id) VALUES (?, ?)",
        [(group_id, subgroup_id) for subgroup_id in subgroup_ids],
    )
    group_members.note_subgroups(db, before, group_id)


def remove_subgroups(db: Db, group_id: int, subgroup_ids: list[int]) -> None:
    """Remove subgroups."""
    before = group_members.subgroup_generation(db)
    db.many(
        "DELETE FROM user_group_subgroup WHERE group_id = ? AND subgroup_id = ?",
        [(group_id, subgroup_id) for subgroup_id in subgroup_ids],
    )
    group_members.note_subgroups(db, before, group_id)
