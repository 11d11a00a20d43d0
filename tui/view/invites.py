"""Invitations as lines of a list, and the expiration times to choose from. Pure."""

from __future__ import annotations

from typing import Final

from tui.api.base_url import is_loopback
from tui.api.organization import Invite
from tui.content import web
from tui.content.sanitize import sanitize_line
from tui.errors import ApiRefused
from tui.store import Store
from tui.view import names, roles
from tui.view.times import Times

DAY: Final = 24 * 60
LIFETIMES: Final = (
    (DAY, "1 day"),
    (3 * DAY, "3 days"),
    (10 * DAY, "10 days"),
    (30 * DAY, "30 days"),
    (None, "never"),
)
"""Minutes, and labels."""


def refusal(error: ApiRefused) -> str:
    """Return the sentence of a refusal with the addresses that it is about, and what is wrong with each."""
    refused = error.data.get("errors")
    about = [
        f"{each[0]}: {each[1]}"
        for each in (refused if isinstance(refused, list) else [])
        if isinstance(each, list) and len(each) > 1
    ]
    return sanitize_line(" ".join([str(error), *about]))


def label(invite: Invite) -> str:
    """Return the invited address, or that it is a reusable link."""
    return "reusable link" if invite.is_multiuse else sanitize_line(invite.email or "someone")


def detail(store: Store, invite: Invite, times: Times) -> str:
    """Return `as member · expires 3 Dec 2026, 14:05 · invited by Ann`."""
    ends = (
        "never expires"
        if invite.expiry_date is None
        else f"expires {times.moment(invite.expiry_date)}"
    )
    by = names.person(store, invite.invited_by_user_id)
    who = "by you" if invite.invited_by_user_id == store.self_id else f"by {by}"
    return " · ".join(each for each in (f"as {roles.name(invite.invited_as)}", ends, who) if each)


def command(link: str) -> str:
    """Return the command to join by a link, safe in any shell; "" for a link that would do more than that."""
    if not link.isascii() or not link.isprintable() or "'" in link or "\\" in link:
        return ""
    parts = web.split(link)
    open_line = parts.scheme == "http" and not is_loopback(parts.hostname or "")
    return f"chinwag join '{link}'" + " --http" * open_line
