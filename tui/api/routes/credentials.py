"""Getting an API key to sign in with, and regenerating it. No state, no retries."""

from dataclasses import field

from tui.api.connection import Connection
from tui.api.model import UserId
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """An API key and its user; `email` is the address to use with it."""

    api_key: str = field(repr=False)
    email: str
    user_id: UserId | None


async def fetch_api_key(connection: Connection, *, username: str, password: str) -> ApiKey:
    """POST /fetch_api_key: sign in by password.

    ApiRefused codes: AUTHENTICATION_FAILED, PASSWORD_AUTH_DISABLED, USER_DEACTIVATED.
    """
    answer = await connection.post("/fetch_api_key", {"username": username, "password": password})
    return answer.whole(ApiKey)


async def dev_fetch_api_key(connection: Connection, *, username: str) -> ApiKey:
    """POST /dev_fetch_api_key: sign in by name alone, on development servers."""
    answer = await connection.post("/dev_fetch_api_key", {"username": username})
    return answer.whole(ApiKey)


@dataclass(frozen=True, slots=True, kw_only=True)
class DevUser:
    """A user who can sign in without a password; `realm_url` is the organization's URL."""

    email: str
    realm_url: str | None


async def list_dev_users(connection: Connection) -> tuple[DevUser, ...]:
    """GET /dev_list_users: administrators first. ApiRefused: it is no development server."""
    answer = await connection.get("/dev_list_users", {})
    return (
        *answer.read("direct_admins", tuple[DevUser, ...]),
        *answer.read("direct_users", tuple[DevUser, ...]),
    )


async def jwt_fetch_api_key(connection: Connection, *, token: str) -> ApiKey:
    """POST /jwt/fetch_api_key: sign in by a signed token. Code: AUTHENTICATION_FAILED."""
    answer = await connection.post("/jwt/fetch_api_key", {"token": token, "include_profile": True})
    return ApiKey(
        api_key=answer.read("api_key", str),
        email=answer.read("email", str),
        user_id=answer.read_or("user", _Profile, _Profile(user_id=None)).user_id,
    )


async def regenerate_api_key(connection: Connection) -> str:
    """POST /users/me/api_key/regenerate: return a new key; all earlier keys stop working."""
    answer = await connection.post("/users/me/api_key/regenerate", {})
    return answer.read("api_key", str)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Profile:
    user_id: UserId | None
