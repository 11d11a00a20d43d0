"""Coming by an invitation's link: what it is for, and an account made by it. Raises ConfigError."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tui.accounts import Account
from tui.api.base_url import BaseUrl, parse_base_url
from tui.api.routes import joining as routes
from tui.api.routes.joining import OpenInvitation
from tui.commands.sign_in import anonymous
from tui.errors import ConfigError, NotAServer

_LINK: Final = re.compile(r"(?P<site>.+)/join/(?P<token>[A-Za-z0-9_-]+)/?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A link that was looked at."""

    base_url: BaseUrl
    token: str
    says: OpenInvitation


async def look(link: str, *, allow_http: bool) -> Invitation:
    """What a link leads to."""
    parts = _LINK.fullmatch(link.strip())
    if parts is None:
        raise ConfigError("That is no invitation: its link has /join/ in it.")
    base_url = parse_base_url(parts["site"], allow_http=allow_http)
    async with anonymous(base_url) as connection:
        try:
            says = await routes.look(connection, token=parts["token"])
        except NotAServer:
            raise ConfigError(
                "This server takes newcomers in a browser only: open the link there, then run"
                f" chinwag login {base_url.text}."
            ) from None
    return Invitation(base_url=base_url, token=parts["token"], says=says)


async def join(invitation: Invitation, *, full_name: str, email: str, password: str) -> Account:
    """Make the account; it is signed in."""
    async with anonymous(invitation.base_url) as connection:
        found = await routes.join(
            connection,
            token=invitation.token,
            full_name=full_name,
            email=email,
            password=password,
        )
    return Account(site=invitation.base_url.text, email=found.email, key=found.api_key)
