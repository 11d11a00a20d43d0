"""Rows of users and bots. SQL only: `access` decides who may see or change them."""

import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import IntEnum
from itertools import chain
from string import ascii_lowercase, ascii_uppercase
from typing import Final, NamedTuple

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db, Row, SqlValue
from server_lite.store.rows import Rows, insert_row

NOTIFICATION_BOT: Final = UserId(1)
"""The account that sends the server's own messages; every database has it."""


class Role(IntEnum):
    """Roles, numbered as in the API: lower numbers have more permissions."""

    OWNER = 100
    ADMINISTRATOR = 200
    MODERATOR = 300
    MEMBER = 400
    GUEST = 600


@dataclass(frozen=True, slots=True)
class UserRow:
    """A row of `user`; times in UNIX seconds."""

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
        """Whether the account belongs to the server: listed apart from users and their bots."""
        return self.id == NOTIFICATION_BOT

    @property
    def is_guest(self) -> bool:
        return self.role == Role.GUEST

    @property
    def is_admin(self) -> bool:
        """Whether the user is an administrator or owner."""
        return self.role <= Role.ADMINISTRATOR

    @property
    def is_owner(self) -> bool:
        return self.role == Role.OWNER

    @property
    def is_moderator(self) -> bool:
        """Whether the user is a moderator or above."""
        return self.role <= Role.MODERATOR


_ROWS: Final = Rows(UserRow, "user", keeps=True)


def by_id(db: Db, user_id: UserId) -> UserRow | None:
    """Return the user or bot, active or not."""
    return _ROWS.one(db, "WHERE id = ?", user_id)


def by_email(db: Db, email: str) -> UserRow | None:
    """Return the user or bot with this real email address, ignoring case."""
    return _ROWS.one(db, "WHERE lower(email) = lower(?)", email)


def by_ids(db: Db, ids: Collection[UserId]) -> list[UserRow]:
    """Return the existing ones of these users, by ID."""
    if len(ids) > _MANY:  # most of these are kept: to make them anew takes 5 ms for a thousand
        wanted = frozenset(ids)
        return [user for user in everyone(db) if user.id in wanted]
    return _ROWS.among(db, "id", ids)


def by_emails(db: Db, emails: Collection[str]) -> dict[str, UserRow]:
    """Return the existing ones of the users with these real email addresses, ignoring case, by the address as given."""
    text = orjson.dumps(sorted(set(emails))).decode()
    ids = db.column(
        "SELECT user.id FROM json_each(?) CROSS JOIN user ON lower(email) = lower(value)", text
    )
    known = {_lower(user.email): user for user in by_ids(db, ids)}
    return {email: known[_lower(email)] for email in emails if _lower(email) in known}


def everyone(db: Db) -> Sequence[UserRow]:
    """Return all users by ID, deactivated ones included."""
    return db.cached(_everyone)


def _everyone(db: Db) -> tuple[UserRow, ...]:
    return tuple(user for _, user in _all(db))


def _all(db: Db) -> list[tuple[Row, UserRow]]:
    """Read all users. Who did not change is the same object as before, whatever was made of it."""
    latest = db.memo(_all)
    pairs = latest["users"] = _ROWS.again(db, latest.get("users", ()), "ORDER BY id")
    return pairs  # not what is there now: other threads read other snapshots


def all_ids(db: Db) -> frozenset[UserId]:
    """Return IDs of all users, deactivated ones included: sooner than `everyone` when a user changed."""
    return db.cached(_all_ids)


def _all_ids(db: Db) -> frozenset[UserId]:
    return _ids_in(db, lambda _: True)


def named(db: Db, full_name: str) -> Sequence[UserRow]:
    """Return users with this name, ignoring the case of ASCII letters; active ones first, then by ID."""
    return db.cached(_by_name).get(_lower(full_name), ())


def _by_name(db: Db) -> Mapping[str, Sequence[UserRow]]:
    by_name: dict[str, list[UserRow]] = {}
    people = everyone(db)
    for is_active in (True, False):
        for user in people:
            if user.is_active == is_active:
                by_name.setdefault(_lower(user.full_name), []).append(user)
    return by_name


def _lower(name: str) -> str:
    # `lower` would change other letters, too, and takes a seventh of the time.
    return name.lower() if name.isascii() else name.translate(_LOWER)


_LOWER: Final = str.maketrans(ascii_uppercase, ascii_lowercase)


def first_owner(db: Db) -> UserRow | None:
    """Return the active owner who joined first."""
    return _ROWS.one(db, "WHERE role = ? AND is_active ORDER BY id", Role.OWNER)


def active_ids(db: Db) -> frozenset[UserId]:
    """Return IDs of all active users, bots and guests included."""
    return db.cached(_active_ids)


def _active_ids(db: Db) -> frozenset[UserId]:
    return _ids_in(db, lambda state: state.is_active)


def active_ids_up_to(db: Db, role: Role) -> frozenset[UserId]:
    """Return IDs of active users with this role or a higher one."""
    return db.cached(_active_ids_up_to, role)


def _active_ids_up_to(db: Db, role: Role) -> frozenset[UserId]:
    return _ids_in(db, lambda state: state.is_active and state.role <= role)


def guest_ids(db: Db) -> frozenset[UserId]:
    """Return IDs of all active guests."""
    return db.cached(_guest_ids)


def _guest_ids(db: Db) -> frozenset[UserId]:
    return _ids_in(db, lambda state: state.is_active and state.role == Role.GUEST)


def bot_ids(db: Db) -> frozenset[UserId]:
    """Return IDs of all bots, deactivated ones included."""
    return db.cached(_bot_ids)


def _bot_ids(db: Db) -> frozenset[UserId]:
    return _ids_in(db, lambda state: state.is_bot)


def deactivated_ids(db: Db) -> frozenset[UserId]:
    """Return IDs of all deactivated users."""
    return db.cached(_deactivated_ids)


def _deactivated_ids(db: Db) -> frozenset[UserId]:
    return _ids_in(db, lambda state: not state.is_active)


class _State(NamedTuple):
    """What sets of users are made by."""

    is_active: bool
    role: int
    is_bot: bool


def _ids_in(db: Db, is_wanted: Callable[[_State], bool]) -> frozenset[UserId]:
    """Return IDs of the users in these states: the same object as before, if they are the same users.

    All sets are made of one query: after a change of a user, most requests need several of them.
    """
    lists = tuple(ids for *state, ids in db.rows(_BY_STATE) if is_wanted(_State(*state)))
    latest = db.memo(_ids_in)
    ids = latest.get(lists)
    if ids is None:
        if len(latest) >= _SETS:
            latest.clear()
        ids = latest[lists] = frozenset(chain.from_iterable(map(orjson.loads, lists)))
    return ids


_BY_STATE: Final = (
    "SELECT is_active, role, bot_type IS NOT NULL, json_group_array(id) FROM user"
    " GROUP BY is_active, role, bot_type"
)
_MANY: Final = 1_000
"""Users from which on those who are wanted are taken from all, who are kept."""
_SETS: Final = 20
"""Limit of sets of users that are kept, by their lists."""


def all_bots(db: Db) -> list[UserRow]:
    """Return all bots by ID, deactivated ones included."""
    return _ROWS.all(db, "WHERE bot_type IS NOT NULL ORDER BY id")


def password_of(db: Db, user_id: UserId) -> str | None:
    """Return the argon2id hash; None if the user cannot sign in by password."""
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
    """Insert a user; returns their ID."""
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
    """Store a password hash."""
    db.run("UPDATE user SET password = ? WHERE id = ?", password, user_id)


def set_settings(db: Db, user_id: UserId, settings: dict[str, int | str | None]) -> None:
    """Store the personal settings that differ from the defaults."""
    db.run("UPDATE user SET settings = ? WHERE id = ?", orjson.dumps(settings).decode(), user_id)


def set_value(db: Db, user_id: UserId, column: str, value: SqlValue) -> None:
    """Store one column; its name is one of ours, never a client's."""
    db.run(f"UPDATE user SET {column} = ? WHERE id = ?", value, user_id)


def bots_of(db: Db, owner_id: UserId) -> list[UserRow]:
    """Return bots owned by this user, deactivated ones included."""
    return _ROWS.all(db, "WHERE bot_owner_id = ? ORDER BY id", owner_id)


def bot_ids_of(db: Db, owner_id: UserId) -> frozenset[UserId]:
    """Return IDs of bots owned by this user, deactivated ones included."""
    return frozenset(db.column("SELECT id FROM user WHERE bot_owner_id = ?", owner_id))


def active_bots_of(db: Db, owner_id: UserId, *, most: int = -1) -> list[UserRow]:
    """Return active bots owned by this user: all, or at most this many."""
    return _ROWS.all(db, "WHERE bot_owner_id = ? AND is_active ORDER BY id LIMIT ?", owner_id, most)


def count_owners(db: Db) -> int:
    """Return the number of active owners."""
    number: int = db.value(
        "SELECT count(*) FROM user WHERE role = ? AND is_active AND bot_type IS NULL", Role.OWNER
    )
    return number


def count_people(db: Db) -> int:
    """Return the number of active users without bots."""
    number: int = db.value("SELECT count(*) FROM user WHERE bot_type IS NULL AND is_active")
    return number


def name_key(name: str) -> str:
    """Return a key that is equal for names that look the same: case, spaces, forms of a character, invisible ones.

    Letters of other scripts that look alike stay different.
    """
    if name.isascii():  # as most are
        return " ".join(name.lower().split())
    visible = "".join(c for c in name if unicodedata.category(c) not in _INVISIBLE)
    return " ".join(unicodedata.normalize("NFKC", visible).casefold().split())


_INVISIBLE: Final = frozenset({"Cf", "Cn"})


def is_name_taken(db: Db, name: str, except_id: int, *, with_bots: bool = False) -> bool:
    """Whether another active user has this name, or one that looks the same; `with_bots`: or a bot."""
    key = name_key(name)
    among = "" if with_bots else " AND bot_type IS NULL"
    rows = db.rows(f"SELECT full_name FROM user WHERE is_active{among} AND id != ?", except_id)
    return any(name_key(taken) == key for (taken,) in rows)


def administrators_and(db: Db, user_id: UserId) -> list[UserId]:
    """Return IDs of all active administrators, and of this user if active."""
    return db.column(
        "SELECT id FROM user WHERE is_active AND (role <= ? OR id = ?)",
        Role.ADMINISTRATOR,
        user_id,
    )


def bots_and_active_since(db: Db, moment: float) -> frozenset[UserId]:
    """Return IDs of bots, and of users who had a client open or sent a message after a time."""
    return frozenset(
        db.column(
            "SELECT id FROM user WHERE bot_type IS NOT NULL OR id IN (SELECT user_id FROM presence"
            " WHERE last_connected > ?1) OR EXISTS (SELECT 1 FROM message"
            " WHERE sender_id = user.id AND timestamp > ?1)",
            moment,
        )
    )
