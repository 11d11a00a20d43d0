"""The page to which a video call provider redirects: asks for the user's confirmation, then connects it.

The provider's `state` names the requesting account. It is shown before anything is connected, so that
nobody connects their own account at the provider to another user's here. No API here.
"""

import html

from server_lite.actions import calls as actions
from server_lite.api.request import Request, Send
from server_lite.config import CallProvider
from server_lite.context import Context
from server_lite.errors import ApiError, NotFound
from server_lite.store import sealing, users
from server_lite.store.users import UserRow
from server_lite.video_calls import oauth_state, provider_client
from server_lite.video_calls.oauth_state import State
from server_lite.video_calls.provider_client import TokenRefused
from server_lite.web.layout import page, show


async def serve_call_page(context: Context, request: Request, send: Send) -> None:
    """Serve GET, then POST, /calls/{provider}/complete with `code` and `state`."""
    provider = context.settings.call_provider
    if provider is None or request.path != f"/calls/{provider.name}/complete":
        raise NotFound("There is nothing here.")
    if request.verb == "GET":
        given = request.query()
        user, _ = _asked(context, provider, given)
        body = _question(provider, user, given)
    else:
        given, _ = await request.form(body_bytes=context.settings.limits.body_bytes)
        user, state = _asked(context, provider, given)
        await _connect(context, provider, user, given["code"], state)
        body = f"<p>{_title(provider)} is connected. You can close this page.</p>"
    await show(request, send, 200, page("Calls", body))


def _asked(
    context: Context, provider: CallProvider, given: dict[str, str]
) -> tuple[UserRow, State]:
    """Return the requesting user and state; raises ApiError if it is invalid, or the provider refused."""
    state = oauth_state.verify(context.secret, given.get("state", ""), context.database.clock())
    if state is None or state.provider != provider.name:
        raise ApiError("This link is no longer valid. Start again in the app.")
    if not given.get("code"):
        raise ApiError(f"{_title(provider)} refused the connection.")
    user = users.by_id(context.database.reader, state.user_id)
    if user is None or not user.is_active:
        raise ApiError("This account is deactivated.")
    return user, state


async def _connect(
    context: Context, provider: CallProvider, user: UserRow, code: str, state: State
) -> None:
    now = context.database.clock()
    try:
        token = await provider_client.exchange(provider, code, state.redirect_uri, now)
    except TokenRefused as error:
        raise ApiError(f"{_title(provider)} refused the connection.") from error
    sealed = sealing.seal(context.file_secret(), token.dump(), actions.PURPOSE)
    await context.write(lambda tx: actions.keep(tx, user, provider.name, sealed))


def _title(provider: CallProvider) -> str:
    return provider.name.capitalize()


def _question(provider: CallProvider, user: UserRow, given: dict[str, str]) -> str:
    fields = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(given[name])}">'
        for name in ("code", "state")
    )
    name, email = html.escape(user.full_name), html.escape(user.email)
    return (
        f"<p>Allow {name} ({email}) to create {_title(provider)} calls with your account there?</p>"
        f'<form method="post">{fields}<button>Connect</button></form>'
    )
