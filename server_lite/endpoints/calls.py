"""Video calls: create a room on the organization's Jitsi server, or a meeting at a provider. Thin."""

import secrets
from collections.abc import Mapping
from typing import Final

from typing_extensions import TypedDict

from server_lite.actions import calls as actions
from server_lite.api.params import RequestInfo
from server_lite.config import CallProvider
from server_lite.context import Context
from server_lite.errors import ApiError
from server_lite.store import realm, sealing, video_call_tokens
from server_lite.store.users import UserRow
from server_lite.video_calls import oauth_state, provider_client
from server_lite.video_calls.oauth_state import State
from server_lite.video_calls.provider_client import Token, TokenRefused

JITSI: Final = "jitsi"


class Call(TypedDict):
    """The URL of the call."""

    url: str


class NoToken(ApiError):
    """Raised when the user must authorize this server at the provider, at `authorize_url`."""


class NoZoomToken(NoToken):
    """`NoToken` for Zoom, with the error code that clients know."""

    code = "INVALID_ZOOM_ACCESS_TOKEN"


class NoWebexToken(NoToken):
    """`NoToken` for Webex, with the error code that clients know."""

    code = "INVALID_WEBEX_ACCESS_TOKEN"


_NO_TOKEN: Final[Mapping[str, type[NoToken]]] = {"zoom": NoZoomToken, "webex": NoWebexToken}


async def create(
    context: Context, user: UserRow, video_provider: str, *, request: RequestInfo
) -> Call:
    """Create a video call and return its URL."""
    if video_provider == JITSI:
        return {"url": _room(context)}
    provider = context.settings.call_provider
    if provider is None or provider.name != video_provider:
        raise ApiError("This video call provider is not configured on this server.")
    token = await _token(context, user, provider)
    if token is not None:
        try:
            return {"url": await provider_client.create(provider, token)}
        except TokenRefused:
            await context.write(lambda tx: actions.forget(tx, user, provider.name))
    raise _NO_TOKEN[provider.name](
        f"Invalid {provider.name.capitalize()} access token",
        authorize_url=_authorize_url(context, user, provider, request),
    )


def _room(context: Context) -> str:
    """Return the URL of a new Jitsi room with an unguessable name, since the name admits anyone."""
    base = context.read(lambda db: realm.setting(db, "jitsi_server_url"))
    if base is None:
        raise ApiError("This organization has no Jitsi server; its administrators can choose one.")
    return f"{base.rstrip('/')}/{secrets.token_hex(16)}"


async def _token(context: Context, user: UserRow, provider: CallProvider) -> Token | None:
    """Return the user's token, refreshed if necessary; None without a token that the provider accepts."""
    sealed = context.read(lambda db: video_call_tokens.sealed(db, user.id, provider.name))
    secret = context.file_secret()
    data = None if sealed is None else sealing.opened(secret, sealed, actions.PURPOSE)
    if data is None:
        return None
    token, now = Token.load(data), context.database.clock()
    if token.is_fresh(now):
        return token
    try:
        fresh = await provider_client.refresh(provider, token, now)
    except TokenRefused:
        await context.write(lambda tx: actions.forget(tx, user, provider.name))
        return None
    resealed = sealing.seal(secret, fresh.dump(), actions.PURPOSE)
    await context.write(lambda tx: actions.keep(tx, user, provider.name, resealed))
    return fresh


def _authorize_url(
    context: Context, user: UserRow, provider: CallProvider, request: RequestInfo
) -> str:
    redirect_uri = f"{request.base_url}/calls/{provider.name}/complete"
    state = State(
        user_id=user.id,
        provider=provider.name,
        redirect_uri=redirect_uri,
        until=context.database.clock() + oauth_state.SECONDS,
    )
    signed = oauth_state.sign(context.secret, state)
    return provider_client.authorize_url(provider, signed, redirect_uri)
