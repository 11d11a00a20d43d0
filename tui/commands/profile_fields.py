"""Custom profile fields: creating, changing, ordering. Raises ApiError; no Textual."""

from collections.abc import Mapping, Sequence

from tui.api.model import ProfileFieldId
from tui.api.organization import CustomProfileField
from tui.api.routes import profile_fields as routes
from tui.commands.reorder import moved
from tui.sync.machine import Sync


async def fetch(sync: Sync) -> tuple[CustomProfileField, ...]:
    """Return the profile fields in order."""
    return await routes.fetch(sync.connection)


async def create(
    sync: Sync,
    *,
    field_type: int,
    name: str,
    hint: str,
    field_data: Mapping[str, object] | None,
    display_in_profile_summary: bool,
    required: bool,
    editable_by_user: bool,
) -> None:
    """Create a profile field, after the others."""
    await routes.create(
        sync.connection,
        field_type=field_type,
        name=name,
        hint=hint,
        field_data=field_data,
        display_in_profile_summary=display_in_profile_summary,
        required=required,
        editable_by_user=editable_by_user,
    )


async def change(
    sync: Sync,
    field_id: ProfileFieldId,
    *,
    name: str | None,
    hint: str | None,
    field_data: Mapping[str, object] | None,
    display_in_profile_summary: bool | None,
    required: bool | None,
    editable_by_user: bool | None,
) -> None:
    """Change a profile field; None keeps a value."""
    await routes.update(
        sync.connection,
        field_id=field_id,
        name=name,
        hint=hint,
        field_data=field_data,
        display_in_profile_summary=display_in_profile_summary,
        required=required,
        editable_by_user=editable_by_user,
    )


async def delete(sync: Sync, field_id: ProfileFieldId) -> None:
    """Delete a profile field and everybody's values."""
    await routes.delete(sync.connection, field_id=field_id)


async def move(sync: Sync, field_id: ProfileFieldId, by: int) -> None:
    """Move a profile field `by` places down, up if negative."""
    order: Sequence[ProfileFieldId] = [each.id for each in await fetch(sync)]
    await routes.reorder(sync.connection, field_ids=moved(order, field_id, by))
