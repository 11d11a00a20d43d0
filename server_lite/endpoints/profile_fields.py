"""Custom profile fields, changed by administrators, and users' values. Thin."""

from typing import Annotated, ClassVar

from typing_extensions import TypedDict

from server_lite.access.profile_fields import (
    MAX_FIELDS,
    MAX_HINT,
    MAX_NAME,
    access_field,
    access_field_to_fill,
    check_field,
    checked_data,
    checked_value,
)
from server_lite.access.roles import check_admin
from server_lite.access.users import check_person
from server_lite.actions import profile_fields as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import MaxItems, MaxLength, NotBlank
from server_lite.context import Context
from server_lite.dataclass import dataclass
from server_lite.errors import ApiError
from server_lite.ids import UserId
from server_lite.objects.profile_fields import ProfileFieldObject, field_objects
from server_lite.store import profile_fields
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.profile_fields import FieldForm
from server_lite.store.users import UserRow

Name = Annotated[str, MaxLength(MAX_NAME)]
Hint = Annotated[str, MaxLength(MAX_HINT)]


@dataclass(frozen=True, slots=True)
class FieldAnswer:
    """A user's value of one field."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    id: int
    value: str | list[UserId]


class ProfileFields(TypedDict):
    """All profile fields, in their order."""

    custom_fields: list[ProfileFieldObject]


class Created(TypedDict):
    """ID of the created field."""

    id: int


def listing(db: Db, user: UserRow) -> ProfileFields:
    """Get all profile fields, in their order."""
    return {"custom_fields": field_objects(db)}


def create(
    tx: Tx,
    user: UserRow,
    *,
    field_type: int,
    name: Name = "",
    hint: Hint = "",
    field_data: dict[str, object] | None = None,
    display_in_profile_summary: bool = False,
    required: bool = False,
    editable_by_user: bool = True,
    use_for_user_matching: bool = False,
) -> Created:
    """Create a profile field."""
    check_admin(user)
    form = FieldForm(
        name=name.strip(),
        hint=hint.strip(),
        field_data=checked_data(field_type, field_data),
        display_in_summary=display_in_profile_summary,
        required=required,
        editable_by_user=editable_by_user,
        use_for_user_matching=use_for_user_matching,
    )
    check_field(tx, field_type, form)
    return {"id": actions.create(tx, field_type, form)}


async def update(
    context: Context,
    user: UserRow,
    field_id: int,
    *,
    name: Annotated[str | None, NotBlank(), MaxLength(MAX_NAME)] = None,
    hint: Annotated[str | None, MaxLength(MAX_HINT)] = None,
    field_data: dict[str, object] | None = None,
    display_in_profile_summary: bool | None = None,
    required: bool | None = None,
    editable_by_user: bool | None = None,
    use_for_user_matching: bool | None = None,
) -> Done:
    """Update a profile field; either all given values change or none."""

    def step(tx: Tx) -> Done | None:
        check_admin(user)
        old = access_field(tx, field_id)
        data = old.field_data if field_data is None else checked_data(old.type, field_data)
        form = FieldForm(
            name=old.name if name is None else name.strip(),
            hint=old.hint if hint is None else hint.strip(),
            field_data=data,
            display_in_summary=_or(display_in_profile_summary, old.display_in_summary),
            required=_or(required, old.required),
            editable_by_user=_or(editable_by_user, old.editable_by_user),
            use_for_user_matching=_or(use_for_user_matching, old.use_for_user_matching),
        )
        check_field(tx, old.type, form, other_than=old.id)
        if actions.clear_other_choices(tx, old, form):
            return None
        actions.update(tx, old, form)
        return {}

    return await context.write_in_slices(step)


def _or(sent: bool | None, old: bool) -> bool:
    return old if sent is None else sent


async def delete(context: Context, user: UserRow, field_id: int) -> Done:
    """Delete a profile field and all its values."""

    def step(tx: Tx) -> Done | None:
        check_admin(user)
        return {} if actions.delete(tx, access_field(tx, field_id)) else None

    return await context.write_in_slices(step)


def reorder(tx: Tx, user: UserRow, *, order: list[int]) -> Done:
    """Reorder the profile fields; `order` must contain each of them once."""
    check_admin(user)
    if sorted(order) != sorted(field.id for field in profile_fields.everything(tx)):
        raise ApiError("Invalid order mapping.")
    actions.reorder(tx, order)
    return {}


def fill(tx: Tx, user: UserRow, *, data: list[FieldAnswer]) -> Done:
    """Set values of the user's own profile fields; either all or none."""
    check_person(user)
    fill_for(tx, user, user, data)
    return {}


def fill_for(tx: Tx, editor: UserRow, person: UserRow, data: list[FieldAnswer]) -> None:
    """Set values of a user's profile fields; raises ApiError for more values than there can be fields."""
    if len(data) > MAX_FIELDS:
        raise ApiError(f"There are at most {MAX_FIELDS} profile fields.")
    for one in data:
        field = access_field_to_fill(tx, editor, one.id)
        actions.set_value(tx, person, field, checked_value(tx, field, one.value))


def clear(tx: Tx, user: UserRow, *, data: Annotated[list[int], MaxItems(MAX_FIELDS)]) -> Done:
    """Remove values of the user's own profile fields."""
    check_person(user)
    for field_id in data:
        actions.clear_value(tx, user, access_field_to_fill(tx, user, field_id))
    return {}
