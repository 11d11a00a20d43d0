"""Rows of people and bots. SQL only: who may see or change them is decided in `access`."""

from collections.abc import Collection, Mapping, Sequence
from enum import IntEnum
from string import ascii_lowercase, ascii_uppercase
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db, SqlValue
from server_lite.store.rows import Rows, insert_row

NOTIFICATION_BOT: Final = UserId(1)
"""The account in whose name the server itself speaks; every file has it."""


class Role(IntEnum):
    """Roles as the API numbers them: the smaller, the mightier."""

    OWNER = 100
    ADMINISTRATOR = 200
    MODERATOR = 300
    MEMBER = 400
    GUEST = 600


@dataclass(frozen=True, slots=True)
class UserRow:
    """One row of `user`; times in UNIX seconds."""

    id: UserId
    email: str
    full_name: str
    role: int
    is_active: bool
    bot_type: int | None
    bot_owner_id: UserId | None
    date_joined: float
    first_sign_in: float | None
    timezone: str
    avatar: str | None
    avatar_version: int
    is_imported_stub: bool
    settings: dict[str, int | str | None]

    @property
    def is_bot(self) -> bool:
        return self.bot_type is not None

    @property
    def is_system_bot(self) -> bool:
        """Belongs to the server and to no organization: listed apart from people and their bots."""
        return self.id == NOTIFICATION_BOT

    @property
    def is_guest(self) -> bool:
        return self.role == Role.GUEST

    @property
    def is_admin(self) -> bool:
        """Owners are administrators too."""
        return self.role <= Role.ADMINISTRATOR

    @property
    def is_owner(self) -> bool:
        return self.role == Role.OWNER

    @property
    def is_moderator(self) -> bool:
        """Moderators and everyone above."""
        return self.role <= Role.MODERATOR


_ROWS: Final = Rows(UserRow, "user", keeps=True)


def by_id(db: Db, user_id: UserId) -> UserRow | None:
    """The person or bot, active or not."""
    return _ROWS.one(db, "WHERE id = ?", user_id)


def by_email(db: Db, email: str) -> UserRow | None:
    """The same, by the real address, without regard to case."""
    return _ROWS.one(db, "WHERE lower(email) = lower(?)", email)


def by_ids(db: Db, ids: Collection[UserId]) -> list[UserRow]:
    """Those of the accounts that exist, by id."""
    return _ROWS.among(db, "id", ids, "ORDER BY id")


def everyone(db: Db) -> Sequence[UserRow]:
    """All accounts, deactivated ones included, by id."""
    return db.cached(_everyone)


def _everyone(db: Db) -> tuple[UserRow, ...]:
    return tuple(_ROWS.all(db, "ORDER BY id"))


def named(db: Db, full_name: str) -> Sequence[UserRow]:
    """The accounts of this name, without regard to the case of ASCII letters; active ones first, then by id."""
    return db.cached(_by_name).get(full_name.translate(_LOWER), ())


def _by_name(db: Db) -> Mapping[str, Sequence[UserRow]]:
    by_name: dict[str, list[UserRow]] = {}
    for user in sorted(everyone(db), key=lambda user: not user.is_active):
        by_name.setdefault(user.full_name.translate(_LOWER), []).append(user)
    return by_name


_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


def first_owner(db: Db) -> UserRow | None:
    """The active owner who has been here the longest."""
    return _ROWS.one(db, "WHERE role = ? AND is_active ORDER BY id", Role.OWNER)


def active_ids(db: Db) -> frozenset[UserId]:
    """Ids of all active accounts, bots and guests included."""
    return db.cached(_active_ids)


def _active_ids(db: Db) -> frozenset[UserId]:
    return frozenset(db.column("SELECT id FROM user WHERE is_active"))


def active_ids_up_to(db: Db, role: Role) -> frozenset[UserId]:
    """Those of them who have this role or a mightier one."""
    return db.cached(_active_ids_up_to, role)


def _active_ids_up_to(db: Db, role: Role) -> frozenset[UserId]:
    return frozenset(db.column("SELECT id FROM user WHERE is_active AND role <= ?", role))


def bot_ids(db: Db) -> frozenset[UserId]:
    """Ids of all bots, closed ones included."""
    return frozenset(db.column("SELECT id FROM user WHERE bot_type IS NOT NULL"))


def all_bots(db: Db) -> list[UserRow]:
    """All bots, closed ones included, by id."""
    return _ROWS.all(db, "WHERE bot_type IS NOT NULL ORDER BY id")


def password_of(db: Db, user_id: UserId) -> str | None:
    """The argon2id hash; None when the account cannot sign in by password."""
    password: str | None = db.value("SELECT password FROM user WHERE id = ?", user_id)
    return password


def insert(
    db: Db,
    *,
    email: str,
    full_name: str,
    role: int,
    now: float,
    password: str | None,
    bot_type: int | None = None,
    bot_owner_id: UserId | None = None,
) -> UserId:
    """A new account; returns its id."""
    user_id = insert_row(
        db,
        "user",
        email=email,
        full_name=full_name,
        role=role,
        bot_type=bot_type,
        bot_owner_id=bot_owner_id,
        date_joined=now,
        password=password,
    )
    return UserId(user_id)


def set_password(db: Db, user_id: UserId, password: str | None) -> None:
    """Store a new hash."""
    db.run("UPDATE user SET password = ? WHERE id = ?", password, user_id)


def set_settings(db: Db, user_id: UserId, settings: dict[str, int | str | None]) -> None:
    """Store the personal settings that differ from the defaults."""
    db.run("UPDATE user SET settings = ? WHERE id = ?", orjson.dumps(settings).decode(), user_id)


def set_value(db: Db, user_id: UserId, column: str, value: SqlValue) -> None:
    """Store one column; its name is one of ours, never a client's."""
    db.run(f"UPDATE user SET {column} = ? WHERE id = ?", value, user_id)


def bots_of(db: Db, owner_id: UserId) -> list[UserRow]:
    """Bots that belong to this person, closed ones included."""
    return _ROWS.all(db, "WHERE bot_owner_id = ? ORDER BY id", owner_id)


def count_owners(db: Db) -> int:
    """How many active people are owners."""
    number: int = db.value(
        "SELECT count(*) FROM user WHERE role = ? AND is_active AND bot_type IS NULL", Role.OWNER
    )
    return number


def count_people(db: Db) -> int:
    """How many active people there are."""
    number: int = db.value("SELECT count(*) FROM user WHERE bot_type IS NULL AND is_active")
    return number


def is_name_taken(db: Db, name: str, except_id: int) -> bool:
    """Whether another active person has this name, without regard to case."""
    name_key = name.casefold()
    rows = db.rows(
        "SELECT full_name FROM user WHERE is_active AND bot_type IS NULL AND id != ?", except_id
    )
    return any(taken.casefold() == name_key for (taken,) in rows)


def administrators_and(db: Db, user_id: UserId) -> list[UserId]:
    """Ids of all active administrators, and of this person if active."""
    return db.column(
        "SELECT id FROM user WHERE is_active AND (role <= ? OR id = ?)",
        Role.ADMINISTRATOR,
        user_id,
    )


def bots_and_active_since(db: Db, moment: float) -> frozenset[UserId]:
    """Ids of bots, and of everybody who had a client open or said something after a moment."""
    return frozenset(
        db.column(
            "SELECT id FROM user WHERE bot_type IS NOT NULL OR id IN (SELECT user_id FROM presence"
            " WHERE last_connected > ?1) OR EXISTS (SELECT 1 FROM message"
            " WHERE sender_id = user.id AND timestamp > ?1)",
            moment,
        )
    )
