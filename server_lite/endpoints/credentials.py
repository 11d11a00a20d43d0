"""Getting an API key: by password, and on development servers by name alone. Thin."""

from server_lite.actions import credentials
from server_lite.context import Context
from server_lite.errors import ApiError, AuthenticationFailed
from server_lite.params import Answer, RequestInfo
from server_lite.store import users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

REFUSED = "Your username or password is incorrect"


async def fetch_api_key(
    context: Context, *, username: str, password: str, request: RequestInfo
) -> Answer:
    """A new API key for whoever knows the password."""
    user = context.read(lambda db: users.by_email(db, username))
    hashed = None if user is None else context.read(lambda db: users.password_of(db, user.id))
    right = await credentials.verify(context.settings.passwords, hashed, password)
    if user is None or not right:
        raise AuthenticationFailed(REFUSED)
    if not user.is_active:
        raise AuthenticationFailed("Your account has been deactivated")
    return await context.write(lambda tx: credentials.sign_in(tx, user, request.client))


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
