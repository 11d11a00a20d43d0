"""The page of an invitation, beside the API: who is invited, and coming. No state, no retries."""

from typing import Annotated

from tui.api.connection import Connection
from tui.api.routes.credentials import ApiKey
from tui.api.wire import DefaultWhenMissing
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenInvitation:
    """What may be known before one joins; `email` is fixed where it is for one person only."""

    realm_name: str
    invited_as: int
    email: str | None
    password_min_length: Annotated[int, DefaultWhenMissing(0)]
    """Characters; 0 if the page does not say."""


async def look(connection: Connection, *, token: str) -> OpenInvitation:
    """What the page says. Only this project's server tells programs; others have one for browsers."""
    answer = await connection.get_page(f"/join/{token}")
    return answer.whole(OpenInvitation)


async def join(
    connection: Connection, *, token: str, full_name: str, email: str, password: str
) -> ApiKey:
    """Make the account, with a key that signs it in.

    ApiRefused: one of the three is no good, which `data["var_name"]` names, or the invitation ended.
    """
    answer = await connection.post_page(
        f"/join/{token}", {"full_name": full_name, "email": email, "password": password}
    )
    return answer.whole(ApiKey)
