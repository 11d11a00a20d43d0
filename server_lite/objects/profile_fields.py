"""Profile fields, and users' values, as the API's JSON. Reads only."""

from typing import Final, NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.store import profile_fields
from server_lite.store.connection import Db
from server_lite.store.profile_fields import FieldRow, FieldType, ValueRow

TYPES: Final = {
    "SHORT_TEXT": {"id": FieldType.SHORT_TEXT.value, "name": "Short text"},
    "LONG_TEXT": {"id": FieldType.LONG_TEXT.value, "name": "Long text"},
    "SELECT": {"id": FieldType.SELECT.value, "name": "List of options"},
    "DATE": {"id": FieldType.DATE.value, "name": "Date picker"},
    "URL": {"id": FieldType.URL.value, "name": "Link"},
    "USER": {"id": FieldType.USER.value, "name": "Person picker"},
    "EXTERNAL_ACCOUNT": {"id": FieldType.EXTERNAL_ACCOUNT.value, "name": "External account"},
    "PRONOUNS": {"id": FieldType.PRONOUNS.value, "name": "Pronouns"},
}
"""All types of fields, by the name that clients know."""


class ProfileFieldObject(TypedDict):
    """A custom profile field; `field_data` is JSON, '' if it has none."""

    id: int
    type: int
    order: int
    name: str
    hint: str
    field_data: str
    required: bool
    editable_by_user: bool
    use_for_user_matching: bool
    display_in_profile_summary: NotRequired[bool]


class ProfileValue(TypedDict):
    """A user's value of a field, with its HTML if the field supports formatting."""

    value: str
    rendered_value: NotRequired[str]


ProfileData = dict[str, ProfileValue]
"""A user's values, by field ID."""


def field_objects(db: Db) -> list[ProfileFieldObject]:
    """Return all CustomProfileField objects in their order."""
    return [_field(field) for field in profile_fields.everything(db)]


def _field(field: FieldRow) -> ProfileFieldObject:
    result: ProfileFieldObject = {
        "id": field.id,
        "type": field.type,
        "order": field.position,
        "name": field.name,
        "hint": field.hint,
        "field_data": field.field_data,
        "required": field.required,
        "editable_by_user": field.editable_by_user,
        "use_for_user_matching": field.use_for_user_matching,
    }
    if field.display_in_summary:
        result["display_in_profile_summary"] = True
    return result


def profile_data(db: Db, user_id: UserId) -> ProfileData:
    """Return a user's values, by field ID."""
    return {str(row.field_id): profile_value(row) for row in profile_fields.values(db, user_id)}


def all_profile_data(db: Db) -> dict[UserId, ProfileData]:
    """Return the values of all users who have any, by user ID."""
    data_by_user: dict[UserId, ProfileData] = {}
    for row in profile_fields.values(db):
        data_by_user.setdefault(row.user_id, {})[str(row.field_id)] = profile_value(row)
    return data_by_user


def profile_value(row: ValueRow) -> ProfileValue:
    """Return one value, with its HTML if the field supports formatting."""
    result: ProfileValue = {"value": row.value}
    if row.rendered is not None:
        result["rendered_value"] = row.rendered
    return result
