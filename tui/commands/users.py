"""Looking after people's accounts, and one's own. Raises ApiError; the store changes by events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tui.api.model import ChannelId, ProfileFieldId, ReactionType, UserId
from tui.api.routes import muted_users, settings, statuses
from tui.api.routes import users as routes
from tui.sync.machine import Sync

ProfileData: TypeAlias = Mapping[ProfileFieldId, str | Sequence[UserId]]
"""What somebody says in the fields of profiles; "" is nothing any more."""


async def create(sync: Sync, *, full_name: str, email: str, password: str) -> UserId:
    """A new account, with a password that they change."""
    return await routes.create(sync.connection, email=email, password=password, full_name=full_name)


async def set_role(sync: Sync, user_id: UserId, role: int) -> None:
    """Let somebody do more, or less."""
    await routes.update(sync.connection, user_id=user_id, role=role)


async def change(
    sync: Sync,
    user_id: UserId,
    *,
    full_name: str | None = None,
    email: str | None = None,
    profile_data: ProfileData | None = None,
) -> None:
    """Change what somebody's profile says; what is None stays."""
    await routes.update(
        sync.connection,
        user_id=user_id,
        full_name=full_name,
        new_email=email,
        profile_data=profile_data,
    )


async def set_status(sync: Sync, user_id: UserId, text: str) -> None:
    """Say something in somebody's name, or clear it."""
    await statuses.update_for(
        sync.connection,
        user_id=user_id,
        status_text=text,
        emoji_name=None if text else "",
        emoji_code=None,
        reaction_type=None,
    )


async def set_active(sync: Sync, user_id: UserId, *, active: bool) -> None:
    """Open somebody's account again, or close it."""
    await (routes.reactivate if active else routes.deactivate)(sync.connection, user_id=user_id)


async def channels_of(sync: Sync, user_id: UserId) -> frozenset[ChannelId]:
    """The channels that somebody is in, of those one may see."""
    return await routes.list_channels(sync.connection, user_id=user_id)


async def change_own(sync: Sync, changes: Mapping[str, str]) -> None:
    """One's own `full_name`, `email`, `timezone`, or `old_password` and `new_password`."""
    await settings.update(sync.connection, changes=changes)


async def set_own_profile(sync: Sync, data: ProfileData) -> None:
    """What one says in the fields of profiles."""
    values = {each: value for each, value in data.items() if value}
    if values:
        await routes.set_profile_data(sync.connection, data=values)
    if gone := [each for each, value in data.items() if not value]:
        await routes.remove_profile_data(sync.connection, field_ids=gone)


async def deactivate_own(sync: Sync) -> None:
    """Close one's own account."""
    await routes.deactivate_own(sync.connection)


async def set_muted(sync: Sync, user_id: UserId, *, muted: bool) -> None:
    """Mute someone, or take that back."""
    await (muted_users.mute if muted else muted_users.unmute)(sync.connection, user_id=user_id)


async def set_own_status(
    sync: Sync,
    *,
    text: str,
    emoji_name: str = "",
    emoji_code: str = "",
    reaction_type: ReactionType | None = None,
) -> None:
    """Say what one is up to; both empty clears it."""
    await statuses.update(
        sync.connection,
        status_text=text,
        emoji_name=emoji_name,
        emoji_code=emoji_code if emoji_name else None,
        reaction_type=reaction_type if emoji_name else None,
    )
