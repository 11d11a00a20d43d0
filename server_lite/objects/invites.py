"""Invitations as the API's JSON. Reads only."""

from typing import Any

from server_lite.store.invites import InviteRow


def invite_object(invite: InviteRow, link: str | None) -> dict[str, Any]:
    """The Invite object; `link` None where it is not to be shown."""
    terms = invite.terms
    shown: dict[str, Any] = {
        "id": invite.id,
        "invited_by_user_id": invite.inviter_id,
        "invited": int(invite.created),
        "expiry_date": None if terms.expires is None else int(terms.expires),
        "invited_as": terms.role,
        "notify_referrer_on_join": terms.notify_inviter,
        "is_multiuse": invite.is_multiuse,
    }
    if invite.email is not None:
        shown["email"] = invite.email
    if link is not None:
        shown["link_url"] = link
    return shown
