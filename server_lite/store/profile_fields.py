"""Rows of custom profile fields and users' values. SQL only."""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Final

import orjson

from server_lite.dataclass import dataclass
from server_lite.ids import UserId
from server_lite.store.connection import Db, Row
from server_lite.store.rows import Rows


class FieldType(IntEnum):
    """Types of profile fields, numbered as in the API."""

    SHORT_TEXT = 1
    LONG_TEXT = 2
    SELECT = 3
    DATE = 4
    URL = 5
    USER = 6
    EXTERNAL_ACCOUNT = 7
    PRONOUNS = 8


EXTERNAL_ACCOUNTS: Final[Mapping[str, Mapping[str, str]]] = {
    "github": {
        "text": "GitHub",
        "url_pattern": "https://github.com/%(username)s",
        "name": "GitHub username",
        "hint": "",
    },
    "twitter": {
        "text": "Twitter",
        "url_pattern": "https://twitter.com/%(username)s",
        "name": "Twitter username",
        "hint": "",
    },
}
"""Providers of external accounts by a field's `subtype`; it determines the field's other values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldForm:
    """The editable values of a profile field."""

    name: str
    hint: str = ""
    field_data: str = ""
    """JSON, as in the API; '' for field types without data."""
    display_in_summary: bool = False
    required: bool = False
    editable_by_user: bool = True
    use_for_user_matching: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow(FieldForm):
    """A row of `profile_field`."""

    id: int
    type: int
    position: int


@dataclass(frozen=True, slots=True)
class ValueRow:
    """A row of `profile_value`."""

    user_id: UserId
    field_id: int
    value: str
    rendered: str | None


_ROWS: Final = Rows(FieldRow, "profile_field")
_VALUES: Final = Rows(ValueRow, "profile_value")


def everything(db: Db) -> list[FieldRow]:
    """Return all fields in their order."""
    return _ROWS.all(db, "ORDER BY position, id")


def by_id(db: Db, field_id: int) -> FieldRow | None:
    """Return one field."""
    return _ROWS.one(db, "WHERE id = ?", field_id)


def insert(db: Db, kind: int, form: FieldForm) -> int:
    """Insert a field after all others; returns its ID."""
    return db.insert(
        "INSERT INTO profile_field (type, position, name, hint, field_data, display_in_summary,"
        " required, editable_by_user, use_for_user_matching)"
        " VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM profile_field),"
        " ?, ?, ?, ?, ?, ?, ?)",
        kind,
        *_written(form),
    )


def update(db: Db, field_id: int, form: FieldForm) -> None:
    """Replace a field; its type and position stay."""
    db.run(
        "UPDATE profile_field SET name = ?, hint = ?, field_data = ?, display_in_summary = ?,"
        " required = ?, editable_by_user = ?, use_for_user_matching = ? WHERE id = ?",
        *_written(form),
        field_id,
    )


def _written(form: FieldForm) -> Row:
    return (
        form.name,
        form.hint,
        form.field_data,
        form.display_in_summary,
        form.required,
        form.editable_by_user,
        form.use_for_user_matching,
    )


def delete(db: Db, field_id: int) -> None:
    """Delete a field and all its values."""
    db.run("DELETE FROM profile_field WHERE id = ?", field_id)


def reorder(db: Db, order: Sequence[int]) -> None:
    """Store the order of all fields."""
    db.many(
        "UPDATE profile_field SET position = ? WHERE id = ?",
        [(position, field_id) for position, field_id in enumerate(order, start=1)],
    )


# Values


def values(db: Db, user_id: UserId | None = None) -> list[ValueRow]:
    """Return the values of one user, or of all."""
    if user_id is None:
        return _VALUES.all(db, "ORDER BY user_id, field_id")
    return _VALUES.all(db, "WHERE user_id = ? ORDER BY field_id", user_id)


def values_of_field(db: Db, field_id: int, *, most: int = -1) -> list[ValueRow]:
    """Return users' values of one field, at most as many if `most` is not negative."""
    return _VALUES.all(db, "WHERE field_id = ? ORDER BY user_id LIMIT ?", field_id, most)


def values_beyond(db: Db, field_id: int, choices: Iterable[str], *, most: int) -> list[ValueRow]:
    """Return users' values of a field that are none of these, at most as many."""
    return _VALUES.all(
        db,
        "WHERE field_id = ? AND value NOT IN (SELECT value FROM json_each(?)) ORDER BY user_id LIMIT ?",
        field_id,
        orjson.dumps([*choices]).decode(),
        most,
    )


def set_value(db: Db, row: ValueRow) -> None:
    """Store a user's value."""
    db.run(
        "INSERT OR REPLACE INTO profile_value (user_id, field_id, value, rendered)"
        " VALUES (?, ?, ?, ?)",
        row.user_id,
        row.field_id,
        row.value,
        row.rendered,
    )


def delete_value(db: Db, user_id: UserId, field_id: int) -> bool:
    """Delete a user's value; returns whether it existed."""
    sql = "DELETE FROM profile_value WHERE user_id = ? AND field_id = ?"
    return db.run(sql, user_id, field_id) > 0
