"""Custom profile fields. No state, no retries."""

from collections.abc import Mapping, Sequence

from tui.api.connection import Connection
from tui.api.form import as_json
from tui.api.model import ProfileFieldId
from tui.api.organization import CustomProfileField


async def fetch(connection: Connection) -> tuple[CustomProfileField, ...]:
    """GET /realm/profile_fields: return them in order."""
    answer = await connection.get("/realm/profile_fields", {})
    return answer.read("custom_fields", tuple[CustomProfileField, ...])


async def create(
    connection: Connection,
    *,
    field_type: int,
    name: str,
    hint: str,
    field_data: Mapping[str, object] | None,
    display_in_profile_summary: bool | None = None,
    required: bool | None = None,
    editable_by_user: bool | None = None,
) -> ProfileFieldId:
    """POST /realm/profile_fields: types are 1 to 8, as in `CustomProfileField`."""
    answer = await connection.post(
        "/realm/profile_fields",
        {
            "field_type": field_type,
            "name": name,
            "hint": hint,
            "field_data": as_json(field_data),
            "display_in_profile_summary": display_in_profile_summary,
            "required": required,
            "editable_by_user": editable_by_user,
        },
    )
    return answer.read("id", ProfileFieldId)


async def update(
    connection: Connection,
    *,
    field_id: ProfileFieldId,
    name: str | None,
    hint: str | None,
    field_data: Mapping[str, object] | None,
    display_in_profile_summary: bool | None,
    required: bool | None,
    editable_by_user: bool | None,
) -> None:
    """PATCH /realm/profile_fields/{id}: None keeps a value. Status 404: deleted."""
    await connection.patch(
        f"/realm/profile_fields/{field_id}",
        {
            "name": name,
            "hint": hint,
            "field_data": as_json(field_data),
            "display_in_profile_summary": display_in_profile_summary,
            "required": required,
            "editable_by_user": editable_by_user,
        },
    )


async def delete(connection: Connection, *, field_id: ProfileFieldId) -> None:
    """DELETE /realm/profile_fields/{id}: also deletes everyone's values."""
    await connection.delete(f"/realm/profile_fields/{field_id}", {})


async def reorder(connection: Connection, *, field_ids: Sequence[ProfileFieldId]) -> None:
    """PATCH /realm/profile_fields: all of them in their new order."""
    await connection.patch("/realm/profile_fields", {"order": field_ids})
