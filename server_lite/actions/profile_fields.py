"""Creates and changes profile fields and their values. Checks no permissions: callers did."""

from collections.abc import Sequence
from typing import Final

import orjson

from server_lite.access.channel_audience import everybody
from server_lite.access.mentions import Names
from server_lite.access.users import ids_who_can_access, ids_who_can_access_each
from server_lite.events.organization import ProfileFieldsChanged
from server_lite.events.users import UserUpdated
from server_lite.markup.render import render
from server_lite.objects.profile_fields import field_objects, profile_value
from server_lite.store import profile_fields
from server_lite.store.database import Tx
from server_lite.store.profile_fields import FieldForm, FieldRow, FieldType, ValueRow
from server_lite.store.users import UserRow

SLICE: Final = 100
"""Values deleted at once: everybody is told of each."""
FORMATTED: Final = frozenset({FieldType.SHORT_TEXT, FieldType.LONG_TEXT})


def create(tx: Tx, kind: int, form: FieldForm) -> int:
    """Create a field after all others; returns its ID."""
    field_id = profile_fields.insert(tx, kind, form)
    _tell(tx)
    return field_id


def update(tx: Tx, field: FieldRow, form: FieldForm) -> None:
    """Replace the field, after `clear_other_choices`."""
    profile_fields.update(tx, field.id, form)
    _tell(tx)


def clear_other_choices(tx: Tx, field: FieldRow, form: FieldForm) -> bool:
    """Delete some values that are no choice in the new form of a field; returns whether there are more."""
    if field.type != FieldType.SELECT or form.field_data == field.field_data:
        return False
    choices = orjson.loads(form.field_data)
    rows = profile_fields.values_beyond(tx, field.id, choices, most=SLICE + 1)
    _clear(tx, rows[:SLICE])
    return len(rows) > SLICE


def delete(tx: Tx, field: FieldRow) -> bool:
    """Delete a slice of the field's values, and the field with the last ones; returns whether it is gone."""
    rows = profile_fields.values_of_field(tx, field.id, most=SLICE + 1)
    _clear(tx, rows[:SLICE])
    if len(rows) > SLICE:
        return False
    profile_fields.delete(tx, field.id)
    _tell(tx)
    return True


def reorder(tx: Tx, order: Sequence[int]) -> None:
    """Reorder the fields."""
    profile_fields.reorder(tx, order)
    _tell(tx)


def _tell(tx: Tx) -> None:
    tx.emit(ProfileFieldsChanged(fields=field_objects(tx)), to=everybody(tx))


def set_value(tx: Tx, user: UserRow, field: FieldRow, value: str) -> None:
    """Set a user's value of a field; '' deletes it."""
    if not value:
        clear_value(tx, user, field)
        return
    rendered = render(value, Names(tx, user)).html if field.type in FORMATTED else None
    row = ValueRow(user.id, field.id, value, rendered)
    profile_fields.set_value(tx, row)
    _emit_value(tx, user, {"id": field.id, **profile_value(row)})


def clear_value(tx: Tx, user: UserRow, field: FieldRow) -> None:
    """Delete a user's value of a field."""
    if profile_fields.delete_value(tx, user.id, field.id):
        _emit_value(tx, user, {"id": field.id, "value": None})


def _clear(tx: Tx, rows: Sequence[ValueRow]) -> None:
    """Delete the values of many users."""
    audiences = ids_who_can_access_each(tx, [row.user_id for row in rows])
    for row in rows:
        profile_fields.delete_value(tx, row.user_id, row.field_id)
        value = {"id": row.field_id, "value": None}
        person = {"user_id": row.user_id, "custom_profile_field": value}
        for part in audiences[row.user_id]:
            tx.emit(UserUpdated(person=person), to=part)


def _emit_value(tx: Tx, user: UserRow, value: dict[str, object]) -> None:
    person = {"user_id": user.id, "custom_profile_field": value}
    tx.emit(UserUpdated(person=person), to=ids_who_can_access(tx, user))
