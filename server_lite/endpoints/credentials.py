"""Getting an API key: by password, and on development servers by name alone. Thin."""

from typing import Annotated

from server_lite.actions import credentials
from server_lite.config import MAX_PASSWORD
from server_lite.context import Context
from server_lite.errors import ApiError, AuthenticationFailed, Deactivated
from server_lite.params import Answer, MaxLength, RequestInfo
from server_lite.store import sign_ins, users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

REFUSED = "Your username or password is incorrect"


async def fetch_api_key(
    context: Context,
    *,
    username: Annotated[str, MaxLength(254)],
    password: Annotated[str, MaxLength(MAX_PASSWORD)],
    request: RequestInfo,
) -> Answer:
    """A new API key for whoever knows the password; guessing is slow."""
    limit = context.settings.limits.failed_logins_per_half_hour
    if limit is not None:
        await context.write(lambda tx: credentials.claim(tx, request.address, username, limit))
    user = context.read(lambda db: users.by_email(db, username.strip()))
    hashed = None if user is None else context.read(lambda db: users.password_of(db, user.id))
    right = await credentials.verify(context.settings.passwords, hashed, password)
    if user is None or not right:
        raise AuthenticationFailed(REFUSED)
    if not user.is_active:
        raise Deactivated("Account is deactivated")

    def run(tx: Tx) -> Answer:
        sign_ins.forget(tx, request.address, username)
        return credentials.sign_in(tx, user, request.client)

    return await context.write(run)


async def dev_fetch_api_key(context: Context, *, username: str, request: RequestInfo) -> Answer:
    """A key without a password; only where the server was started with --dev."""
    if not context.settings.dev:
        raise ApiError("Endpoint not available in production.")
    user = context.read(lambda db: users.by_email(db, username))
    if user is None or not user.is_active:
        raise AuthenticationFailed("Invalid username")
    return await context.write(lambda tx: credentials.sign_in(tx, user, request.client))


def regenerate(tx: Tx, user: UserRow, *, request: RequestInfo) -> Answer:
    """A new key; every other one of mine stops working."""
    return {"api_key": credentials.regenerate(tx, user, request.client)}
