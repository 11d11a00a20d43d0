"""Invitations as the API's JSON. Reads only."""

from typing import NotRequired

from typing_extensions import TypedDict

from server_lite.store.invites import InviteRow


class InviteObject(TypedDict):
    """An invitation; times in UNIX seconds. `email` where it is for one person, else many can come."""

    id: int
    invited_by_user_id: int
    invited: int
    expiry_date: int | None
    invited_as: int
    notify_referrer_on_join: bool
    is_multiuse: bool
    email: NotRequired[str]
    link_url: NotRequired[str]


def invite_object(invite: InviteRow, link: str | None) -> InviteObject:
    """The Invite object; `link` None where it is not to be shown."""
    terms = invite.terms
    shown: InviteObject = {
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
