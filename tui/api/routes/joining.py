"""The page of an invitation, outside of the API: its details, and joining. No state, no retries."""

from typing import Annotated

from tui.api.connection import Connection
from tui.api.routes.credentials import ApiKey
from tui.api.wire import DefaultWhenMissing
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenInvitation:
    """The invitation's public details; `email` is fixed for an invitation of one person."""

    realm_name: str
    invited_as: int
    email: str | None
    password_min_length: Annotated[int, DefaultWhenMissing(0)]
    """In characters; 0 if the page does not say."""


async def look(connection: Connection, *, token: str) -> OpenInvitation:
    """Fetch the invitation's details. Only this project's server has them as JSON; others have a page for
    browsers.
    """
    answer = await connection.get_page(f"/join/{token}")
    return answer.whole(OpenInvitation)


async def join(
    connection: Connection, *, token: str, full_name: str, email: str, password: str
) -> ApiKey:
    """Create the account; return an API key for it.

    ApiRefused: one of the three is invalid, which `data["var_name"]` names, or the invitation ended.
    """
    answer = await connection.post_page(
        f"/join/{token}", {"full_name": full_name, "email": email, "password": password}
    )
    return answer.whole(ApiKey)
