"""Video calls with the organization's provider. Raises ApiError."""

import secrets
from collections.abc import Mapping
from typing import Final

from tui.api.routes import calls as routes
from tui.content.sanitize import sanitize_line
from tui.errors import ApiRefused, ConfigError, NotAServer
from tui.store.realm import Realm
from tui.sync.machine import Sync

BIG_BLUE_BUTTON: Final = "big_blue_button"
JITSI: Final = "jitsi_meet"
PROVIDERS: Final[Mapping[int, str]] = {
    1: JITSI,
    3: "zoom",
    4: BIG_BLUE_BUTTON,
    5: "zoom_server_to_server",
    6: "constructor_groups",
    7: "nextcloud_talk",
    8: "webex",
}
"""The organization's `video_chat_provider` -> its name, where the server does not list providers."""
PATHS: Final[Mapping[str, str]] = {
    JITSI: "jitsi",
    "zoom_server_to_server": "zoom",
    "constructor_groups": "constructorgroups",
}
"""Providers whose path in the API differs from their name."""


async def create(sync: Sync, name: str) -> str:
    """Create a call; return its URL. `name` is the meeting's title, where the provider has titles.

    ApiRefused with an `authorize_url` in its data: the user has to connect an account first.
    """
    realm = sync.store.realm
    provider = _provider(realm)
    if provider is None:
        raise ConfigError(
            "Video calls are turned off in this organization. An administrator can choose a provider."
        )
    if provider == BIG_BLUE_BUTTON:
        url = await routes.create_big_blue_button(
            sync.connection, meeting_name=name, voice_only=False
        )
        return url if "://" in url else f"{sync.connection.base_url.text}{url}"
    path = PATHS.get(provider, provider)
    try:
        return await routes.create(sync.connection, provider=path)
    except (ApiRefused, NotAServer) as error:
        rooms = realm.settings.jitsi_server_url or realm.jitsi_server_url
        if provider == JITSI and error.status == 404 and rooms:
            # Full servers leave this to clients: a room exists once someone opens it.
            return f"{rooms.rstrip('/')}/{secrets.token_hex(16)}"
        if error.status == 404:
            raise ConfigError(
                f"The server cannot start calls with {_called(realm, provider)} from here:"
                " start one in a browser and paste its link."
            ) from error
        if isinstance(error, NotAServer):
            raise
        if error.code.endswith("_ACCESS_TOKEN") and "authorize_url" not in error.data:
            # Full servers say only that no account is connected: this is their page for it.
            page = f"{sync.connection.base_url.text}/calls/{path}/register"
            raise ApiRefused(
                error.route,
                error.msg,
                code=error.code,
                status=error.status,
                data={**error.data, "authorize_url": page},
            ) from error
        raise


def _provider(realm: Realm) -> str | None:
    """Return the name of the chosen provider, as the server lists it; None without one."""
    chosen = realm.settings.video_chat_provider or 0
    listed = {each.id: name for name, each in realm.video_providers.items()}
    return {**PROVIDERS, **listed}.get(chosen) if chosen else None


def _called(realm: Realm, provider: str) -> str:
    listed = realm.video_providers.get(provider)
    return provider if listed is None else sanitize_line(listed.name)
