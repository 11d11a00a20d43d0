"""Invitations: sending, links, revoking. Raises ApiError; no Textual."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tui.api.model import ChannelId, UserGroupId
from tui.api.organization import Invite
from tui.api.routes import invites as routes
from tui.dataclass import dataclass
from tui.sync.machine import Sync


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of an invitation: role, channels, groups; `minutes` None for no expiration.

    None for `default_channels`, `notify` and `welcome` leaves the choice to the server.
    """

    role: int
    channel_ids: Sequence[ChannelId]
    group_ids: Sequence[UserGroupId]
    minutes: int | None
    default_channels: bool | None = None
    notify: bool | None = None
    welcome: str | None = None


async def fetch(sync: Sync) -> tuple[Invite, ...]:
    """Return the open invitations: the user's own, for administrators all."""
    return await routes.fetch(sync.connection)


async def invite(sync: Sync, emails: Sequence[str], terms: Terms) -> Mapping[str, str]:
    """Invite email addresses; return the links of those to which the server sends no mail."""
    links = await routes.send(
        sync.connection,
        emails=emails,
        invite_as=terms.role,
        channel_ids=terms.channel_ids,
        group_ids=terms.group_ids,
        expires_in_minutes=terms.minutes,
        default_channels=terms.default_channels,
        notify=terms.notify,
        welcome=terms.welcome,
    )
    return {email: link for email, link in links.items() if link is not None}


async def create_link(sync: Sync, terms: Terms) -> str:
    """Create a reusable invitation link; return it."""
    return await routes.create_link(
        sync.connection,
        invite_as=terms.role,
        channel_ids=terms.channel_ids,
        group_ids=terms.group_ids,
        expires_in_minutes=terms.minutes,
        default_channels=terms.default_channels,
        welcome=terms.welcome,
    )


async def resend(sync: Sync, invite: Invite) -> str | None:
    """Send an invitation again and restart its time; return its link if the server sends no mail."""
    return await routes.resend(sync.connection, invite_id=invite.id)


async def revoke(sync: Sync, invite: Invite) -> None:
    """Revoke an invitation."""
    revoked = routes.revoke_link if invite.is_multiuse else routes.revoke
    await revoked(sync.connection, invite_id=invite.id)
