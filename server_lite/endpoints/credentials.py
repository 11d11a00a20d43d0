"""API keys: fetch by password or token, on development servers by name alone. Thin."""

from typing import Annotated, NotRequired

from typing_extensions import TypedDict

from server_lite.actions import credentials
from server_lite.actions.credentials import SignedIn
from server_lite.api import json_web_tokens
from server_lite.api.decoding import MaxLength
from server_lite.api.json_web_tokens import LONGEST
from server_lite.api.params import RequestInfo
from server_lite.config import MAX_PASSWORD
from server_lite.context import Context
from server_lite.endpoints.password_check import user_with_password
from server_lite.errors import ApiError, AuthenticationFailed, Deactivated
from server_lite.objects.users import UserObject, user_object
from server_lite.store import failed_sign_ins, jwt_replays, realm, users
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

REFUSED = "Your username or password is incorrect"


class SignedInByToken(SignedIn):
    """An API key, with the user's own account if requested."""

    user: NotRequired[UserObject]


class Account(TypedDict):
    """An account that may sign in without a password."""

    email: str
    realm_url: str


class Accounts(TypedDict):
    """Accounts of administrators, and all others."""

    direct_admins: list[Account]
    direct_users: list[Account]


class NewKey(TypedDict):
    """The user's new API key."""

    api_key: str


async def fetch_api_key(
    context: Context,
    *,
    username: Annotated[str, MaxLength(254)],
    password: Annotated[str, MaxLength(MAX_PASSWORD)],
    request: RequestInfo,
) -> SignedIn:
    """Get a new API key with email address and password; failed attempts are slowed down."""
    user = await user_with_password(context, request, username, password)
    if user is None:
        raise AuthenticationFailed(REFUSED)
    if not user.is_active:
        raise Deactivated("Account is deactivated")

    def run(tx: Tx) -> SignedIn:
        failed_sign_ins.forget(tx, request.address, username)
        return credentials.sign_in(tx, user, request.client)

    return await context.write(run)


async def jwt_fetch_api_key(
    context: Context,
    *,
    token: Annotated[str, MaxLength(LONGEST)],
    include_profile: bool = False,
    request: RequestInfo,
) -> SignedInByToken:
    """Get a new API key with a JWT signed by a trusted program."""
    key = context.settings.jwt_key
    if key is None:
        raise ApiError("JWT authentication is not enabled for this organization")
    voucher = json_web_tokens.read(token, key, context.settings.jwt_audience)
    user = context.read(lambda db: users.by_email(db, voucher.email))
    if user is None or user.is_bot:
        raise AuthenticationFailed(REFUSED)
    if not user.is_active:
        raise Deactivated("Account is deactivated")

    def run(tx: Tx) -> SignedInByToken:
        if voucher.expires is not None and not jwt_replays.use(tx, voucher.digest, voucher.expires):
            raise AuthenticationFailed("This JSON web token was used already")
        signed = credentials.sign_in(tx, user, request.client)
        answer: SignedInByToken = {
            "api_key": signed["api_key"],
            "email": signed["email"],
            "user_id": signed["user_id"],
        }
        if include_profile:
            person = users.by_id(tx, user.id) or user
            domain = realm.domain(tx)
            answer["user"] = user_object(person, domain=domain, sees_address=True)
        return answer

    return await context.write(run)


async def dev_list_users(context: Context, *, request: RequestInfo) -> Accounts:
    """List users who can sign in without a password; only on servers started with --dev."""
    if not context.settings.dev:
        raise ApiError("Endpoint not available in production.")
    people = [user for user in context.read(users.everyone) if user.is_active and not user.is_bot]
    shown: Accounts = {"direct_admins": [], "direct_users": []}
    for user in people:
        account: Account = {"email": user.email, "realm_url": request.base_url}
        shown["direct_admins" if user.is_admin else "direct_users"].append(account)
    return shown


async def dev_fetch_api_key(context: Context, *, username: str, request: RequestInfo) -> SignedIn:
    """Get an API key without a password; only on servers started with --dev."""
    if not context.settings.dev:
        raise ApiError("Endpoint not available in production.")
    user = context.read(lambda db: users.by_email(db, username))
    if user is None or not user.is_active:
        raise AuthenticationFailed("Invalid username")
    return await context.write(lambda tx: credentials.sign_in(tx, user, request.client))


async def regenerate(context: Context, user: UserRow, *, request: RequestInfo) -> NewKey:
    """Regenerate the user's API key; all earlier keys stop working, and open polls with them are closed."""

    def run(tx: Tx) -> str:
        context.queues.send_home(tx, user.id)
        return credentials.regenerate(tx, user, request.client)

    return {"api_key": await context.write(run)}
