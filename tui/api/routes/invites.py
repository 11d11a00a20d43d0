"""Invitations by mail, and reusable links. No state, no retries."""

from collections.abc import Mapping, Sequence

from tui.api.connection import Connection
from tui.api.form import nullable
from tui.api.model import ChannelId, InviteId, UserGroupId
from tui.api.organization import Invite
from tui.api.wire import Unset


async def fetch(connection: Connection) -> tuple[Invite, ...]:
    """GET /invites: return the user's own, for administrators all."""
    answer = await connection.get("/invites", {})
    return answer.read("invites", tuple[Invite, ...])


async def send(
    connection: Connection,
    *,
    emails: Sequence[str],
    invite_as: int,
    channel_ids: Sequence[ChannelId],
    group_ids: Sequence[UserGroupId],
    expires_in_minutes: int | Unset | None,
    default_channels: bool | None,
    notify: bool | None,
    welcome: str | None,
) -> Mapping[str, str | None]:
    """POST /invites; expires None never. ApiRefused code INVITATION_FAILED: see `data`.

    Return the link of each address, from a server that sends no mail. Groups since level 322,
    `default_channels` of the time of joining since 261, `notify` the inviter then since 267, `welcome`,
    the text of the welcome message, since 416.
    """
    answer = await connection.post(
        "/invites",
        {
            "invitee_emails": ",".join(emails),
            "invite_as": invite_as,
            "stream_ids": channel_ids,
            "group_ids": group_ids or None,
            "invite_expires_in_minutes": nullable(expires_in_minutes),
            "include_realm_default_subscriptions": default_channels,
            "notify_referrer_on_join": notify,
            "welcome_message_custom_text": welcome,
        },
    )
    return answer.read_or("invite_links", dict[str, str | None], {})


async def create_link(
    connection: Connection,
    *,
    invite_as: int,
    channel_ids: Sequence[ChannelId],
    group_ids: Sequence[UserGroupId],
    expires_in_minutes: int | Unset | None,
    default_channels: bool | None,
    welcome: str | None,
) -> str:
    """POST /invites/multiuse: return a reusable invitation link; expires None never."""
    answer = await connection.post(
        "/invites/multiuse",
        {
            "invite_as": invite_as,
            "stream_ids": channel_ids,
            "group_ids": group_ids or None,
            "invite_expires_in_minutes": nullable(expires_in_minutes),
            "include_realm_default_subscriptions": default_channels,
            "welcome_message_custom_text": welcome,
        },
    )
    return answer.read("invite_link", str)


async def revoke(connection: Connection, *, invite_id: InviteId) -> None:
    """DELETE /invites/{id}. Code BAD_REQUEST: it does not exist."""
    await connection.delete(f"/invites/{invite_id}", {})


async def revoke_link(connection: Connection, *, invite_id: InviteId) -> None:
    """DELETE /invites/multiuse/{id}. Code BAD_REQUEST: it does not exist, or is revoked already."""
    await connection.delete(f"/invites/multiuse/{invite_id}", {})


async def resend(connection: Connection, *, invite_id: InviteId) -> str | None:
    """POST /invites/{id}/resend: return its link, from a server that sends no mail. Code BAD_REQUEST: it does
    not exist.
    """
    answer = await connection.post(f"/invites/{invite_id}/resend", {})
    return answer.read_or("invite_link", str, "") or None
