"""Users' accounts, and the user's own. Raises ApiError; the store changes by events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tui.api.model import ChannelId, ProfileFieldId, ReactionType, UserId
from tui.api.routes import muted_users, settings, statuses
from tui.api.routes import users as routes
from tui.sync.machine import Sync

ProfileData: TypeAlias = Mapping[ProfileFieldId, str | Sequence[UserId]]
"""Values of custom profile fields; "" deletes a value."""


async def create(sync: Sync, *, full_name: str, email: str, password: str) -> UserId:
    """Create an account with a first password; return its ID."""
    return await routes.create(sync.connection, email=email, password=password, full_name=full_name)


async def set_role(sync: Sync, user_id: UserId, role: int) -> None:
    """Change a user's role."""
    await routes.update(sync.connection, user_id=user_id, role=role)


async def change(
    sync: Sync,
    user_id: UserId,
    *,
    full_name: str | None = None,
    email: str | None = None,
    profile_data: ProfileData | None = None,
) -> None:
    """Change a user's name, email or profile fields; None keeps a value."""
    await routes.update(
        sync.connection,
        user_id=user_id,
        full_name=full_name,
        new_email=email,
        profile_data=profile_data,
    )


async def set_status(sync: Sync, user_id: UserId, text: str) -> None:
    """Set or clear the status of another user."""
    await statuses.update_for(
        sync.connection,
        user_id=user_id,
        status_text=text,
        emoji_name=None if text else "",
        emoji_code=None,
        reaction_type=None,
    )


async def set_active(sync: Sync, user_id: UserId, *, active: bool) -> None:
    """Reactivate or deactivate a user."""
    await (routes.reactivate if active else routes.deactivate)(sync.connection, user_id=user_id)


async def channels_of(sync: Sync, user_id: UserId) -> frozenset[ChannelId]:
    """Return the channels that a user is subscribed to, of those that are visible."""
    return await routes.list_channels(sync.connection, user_id=user_id)


async def change_own(sync: Sync, changes: Mapping[str, str]) -> None:
    """Change the user's own `full_name`, `email`, `timezone`, or `old_password` and `new_password`."""
    await settings.update(sync.connection, changes=changes)


async def set_own_profile(sync: Sync, data: ProfileData) -> None:
    """Set the user's own custom profile fields."""
    values = {each: value for each, value in data.items() if value}
    if values:
        await routes.set_profile_data(sync.connection, data=values)
    if gone := [each for each, value in data.items() if not value]:
        await routes.remove_profile_data(sync.connection, field_ids=gone)


async def deactivate_own(sync: Sync) -> None:
    """Deactivate the user's own account."""
    await routes.deactivate_own(sync.connection)


async def set_muted(sync: Sync, user_id: UserId, *, muted: bool) -> None:
    """Mute or unmute a user."""
    await (muted_users.mute if muted else muted_users.unmute)(sync.connection, user_id=user_id)


async def set_own_status(
    sync: Sync,
    *,
    text: str,
    emoji_name: str = "",
    emoji_code: str = "",
    reaction_type: ReactionType | None = None,
) -> None:
    """Set the user's own status; both empty clears it."""
    await statuses.update(
        sync.connection,
        status_text=text,
        emoji_name=emoji_name,
        emoji_code=emoji_code if emoji_name else None,
        reaction_type=reaction_type if emoji_name else None,
    )
