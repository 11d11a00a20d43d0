"""Joining by an invitation link: the invitation's details, and the new account. Raises ConfigError."""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from tui.accounts import Account
from tui.api.base_url import BaseUrl, parse_base_url
from tui.api.routes import joining as routes
from tui.api.routes import server
from tui.api.routes.joining import OpenInvitation
from tui.commands.sign_in import anonymous
from tui.dataclass import dataclass
from tui.errors import ApiRefused, ConfigError, NotAServer

Field: TypeAlias = Literal["full_name", "email", "password"]
FIELDS: Final[tuple[Field, ...]] = ("full_name", "email", "password")

_LINK: Final = re.compile(r"(?P<site>.{1,1000})/join/(?P<token>[A-Za-z0-9_-]+)/?(?:[?#].{0,1000})?")
_AROUND: Final = "'\"<>()“”‘’.,"
"""Characters that are copied around a link by mistake."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A link and its invitation, as the server describes it."""

    base_url: BaseUrl
    token: str
    says: OpenInvitation


class NotAccepted(ConfigError):
    """The server refuses an answer; `field` is the one to change, None if it does not say.

    `has_account`: there is an account with the email address.
    """

    def __init__(self, sentence: str, field: Field | None, *, has_account: bool = False) -> None:
        super().__init__(sentence)
        self.field = field
        self.has_account = has_account


async def look(link: str, *, allow_http: bool) -> Invitation:
    """Fetch the invitation of a link."""
    parts = _LINK.fullmatch("".join(link.split()).strip(_AROUND))
    if parts is None:
        raise ConfigError(
            "This is not an invitation link: it has no /join/ in it, as in"
            " https://chat.example.com/join/…"
        )
    base_url = parse_base_url(parts["site"], allow_http=allow_http)
    async with anonymous(base_url) as connection:
        await server.settings(connection)  # tells a wrong address from a wrong link
        try:
            says = await routes.look(connection, token=parts["token"])
        except (NotAServer, ApiRefused) as error:
            raise ConfigError(_refusal(base_url, error)) from error
    return Invitation(base_url=base_url, token=parts["token"], says=says)


def _refusal(base_url: BaseUrl, error: NotAServer | ApiRefused) -> str:
    if isinstance(error, ApiRefused) and error.msg:
        return f"{error.msg} Ask for a new link."
    return (
        "This server accepts invitations in a browser only: open the link there, then run"
        f" chinwag login {base_url.text}"
    )


async def join(invitation: Invitation, *, full_name: str, email: str, password: str) -> Account:
    """Create the account; it is signed in. Raises NotAccepted."""
    async with anonymous(invitation.base_url) as connection:
        try:
            answer = await routes.join(
                connection,
                token=invitation.token,
                full_name=full_name,
                email=email,
                password=password,
            )
        except ApiRefused as error:
            if error.status >= 429:
                raise
            named = error.data.get("var_name")
            field = next((each for each in FIELDS if each == named), None)
            has_account = error.data.get("is_in_use") is True
            raise NotAccepted(error.msg, field, has_account=has_account) from error
    return Account(site=invitation.base_url.text, email=answer.email, key=answer.api_key)
