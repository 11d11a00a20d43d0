"""Validates profile fields and their values. Reads only."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final, cast

import orjson

from server_lite.errors import ApiError, NoSuchObject
from server_lite.ids import UserId
from server_lite.store import profile_fields, users
from server_lite.store.connection import Db
from server_lite.store.profile_fields import EXTERNAL_ACCOUNTS, FieldForm, FieldRow, FieldType
from server_lite.store.users import UserRow
from server_lite.validation import ValidationError, validator

MAX_NAME: Final = 40
MAX_HINT: Final = 80
MAX_SHORT: Final = 50
MAX_LONG: Final = 500
MAX_URL: Final = 2048
MAX_DATA: Final = 20_000
MAX_FIELDS: Final = 100
IN_SUMMARY: Final = 2
USERNAME: Final = "%(username)s"

_URL: Final = re.compile(r"https?://[^\s/$.?#][^\s]*")


# Fields


def access_field(db: Db, field_id: int) -> FieldRow:
    """Return the field; all users may see all of them. Raises NoSuchObject."""
    field = profile_fields.by_id(db, field_id)
    if field is None:
        raise NoSuchObject(f"Field id {field_id} not found.")
    return field


def check_field(db: Db, kind: int, form: FieldForm, *, other_than: int = 0) -> None:
    """Raise unless the field is valid beside the others."""
    if kind not in list(FieldType):
        raise ApiError("Invalid field type.")
    if not form.name:
        raise ApiError("Label cannot be blank.")
    others = [field for field in profile_fields.everything(db) if field.id != other_than]
    if any(field.name.casefold() == form.name.casefold() for field in others):
        raise ApiError("A field with that label already exists.")
    if not other_than and len(others) >= MAX_FIELDS:
        raise ApiError(f"An organization can have at most {MAX_FIELDS} profile fields.")
    if form.display_in_summary:
        if kind == FieldType.USER:
            raise ApiError("Field type not supported for display in profile summary.")
        if sum(field.display_in_summary for field in others) >= IN_SUMMARY:
            raise ApiError("Only 2 custom profile fields can be displayed in the profile summary.")


def checked_data(kind: int, data: Mapping[str, object] | None) -> str:
    """Return a field's data as stored: its choices, or its external account type."""
    checked: Mapping[str, object]
    if kind == FieldType.SELECT:
        checked = _choices(data or {})
    elif kind == FieldType.EXTERNAL_ACCOUNT:
        checked = _account(data or {})
    else:
        return ""
    text = orjson.dumps(checked).decode()
    if len(text) > MAX_DATA:
        raise ApiError(f"field_data is too long (limit: {MAX_DATA} characters)")
    return text


def _choices(data: Mapping[str, object]) -> dict[str, dict[str, str]]:
    choices: dict[str, dict[str, str]] = {}
    for key, choice in data.items():
        if not key.strip():
            raise ApiError("'value' cannot be blank.")
        if not isinstance(choice, dict) or choice.keys() != {"text", "order"}:
            raise ApiError(f'field_data["{key}"] must have a text and an order')
        text, order = choice["text"], choice["order"]
        if not isinstance(text, str) or not text.strip():
            raise ApiError(f'field_data["{key}"]["text"] cannot be blank')
        if not isinstance(order, str) or not re.fullmatch(r"[0-9]{1,9}", order):
            raise ApiError(f'field_data["{key}"]["order"] is not a number')
        choices[key] = {"text": text.strip(), "order": order}
    if not choices:
        raise ApiError("Field must have at least one choice.")
    if len({choice["text"] for choice in choices.values()}) < len(choices):
        raise ApiError("Field must not have duplicate choices.")
    return choices


def _account(data: Mapping[str, object]) -> dict[str, str]:
    """Return an external account type: a known provider, or a custom URL pattern."""
    if data.get("subtype") in EXTERNAL_ACCOUNTS:
        return {"subtype": str(data["subtype"])}
    if data.get("subtype") != "custom":
        raise ApiError("Invalid external account type")
    pattern = data.get("url_pattern")
    if not isinstance(pattern, str) or len(pattern) > MAX_URL or not _URL.fullmatch(pattern):
        raise ApiError("Malformed URL pattern.")
    if pattern.count(USERNAME) != 1:
        raise ApiError("URL pattern must contain '%(username)s'.")
    return {"subtype": "custom", "url_pattern": pattern}


# Values


def check_may_say(editor: UserRow, field: FieldRow) -> None:
    """Raise unless the user may set the field's value."""
    if not field.editable_by_user and not editor.is_admin:
        raise ApiError(
            "You are not allowed to change this field. Contact an administrator to update it."
        )


def access_field_to_fill(db: Db, editor: UserRow, field_id: int) -> FieldRow:
    """Return a field whose value the user may set."""
    field = profile_fields.by_id(db, field_id)
    if field is None:
        raise ApiError(f"Field id {field_id} not found.")
    check_may_say(editor, field)
    return field


def checked_value(db: Db, field: FieldRow, value: str | list[UserId]) -> str:
    """Return the value as stored; raises ApiError naming the field. An empty value is none."""
    if field.type == FieldType.USER:
        return _people(db, field, value)
    if not isinstance(value, str):
        raise ApiError(f"{field.name} is not a string")
    if "\0" in value:
        raise ApiError(f"{field.name} must not contain null bytes")
    return _CHECKS[FieldType(field.type)](field, value) if value else ""


def _people(db: Db, field: FieldRow, value: str | list[UserId]) -> str:
    people = _listed(field, value) if isinstance(value, str) else value
    for user_id in people:
        user = users.by_id(db, user_id)
        if user is None or user.is_system_bot:
            raise ApiError(f"Invalid user ID: {user_id}")
        if not user.is_active:
            raise ApiError(f"User with ID {user_id} is deactivated")
        if user.is_bot:
            raise ApiError(f"User with ID {user_id} is a bot")
    return orjson.dumps(people).decode() if people else ""


def _listed(field: FieldRow, text: str) -> list[UserId]:
    try:
        return cast(list[UserId], validator(list[UserId]).validate_json(text or "[]", strict=True))
    except ValidationError as error:
        raise ApiError(f"{field.name} is not a list of user IDs") from error


def _text(longest: int) -> Callable[[FieldRow, str], str]:
    def check(field: FieldRow, value: str) -> str:
        if len(value) > longest:
            raise ApiError(f"{field.name} is too long (limit: {longest} characters)")
        return value

    return check


def _choice(field: FieldRow, value: str) -> str:
    if value not in orjson.loads(field.field_data):
        raise ApiError(f"'{value}' is not a valid choice for '{field.name}'.")
    return value


def _date(field: FieldRow, value: str) -> str:
    try:
        return date.fromisoformat(value).isoformat()
    except ValueError as error:
        raise ApiError(f"{field.name} is not a date") from error


def _url(field: FieldRow, value: str) -> str:
    if len(value) > MAX_URL or not _URL.fullmatch(value):
        raise ApiError(f"{field.name} is not a URL")
    return value


_CHECKS: Final[Mapping[FieldType, Callable[[FieldRow, str], str]]] = {
    FieldType.SHORT_TEXT: _text(MAX_SHORT),
    FieldType.LONG_TEXT: _text(MAX_LONG),
    FieldType.SELECT: _choice,
    FieldType.DATE: _date,
    FieldType.URL: _url,
    FieldType.EXTERNAL_ACCOUNT: _text(MAX_SHORT),
    FieldType.PRONOUNS: _text(MAX_SHORT),
}
