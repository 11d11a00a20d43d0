"""A place to meet by video, at whichever provider the organisation has chosen. Raises ApiError."""

import secrets
from collections.abc import Mapping
from typing import Final

from tui.api.routes import calls as routes
from tui.errors import ApiRefused, ConfigError
from tui.sync.machine import Sync

JITSI: Final = 1
BIG_BLUE_BUTTON: Final = 4
PROVIDERS: Final[Mapping[int, str]] = {
    JITSI: "jitsi",
    3: "zoom",
    5: "zoom",
    6: "constructorgroups",
    7: "nextcloud_talk",
}
"""The organisation's `video_chat_provider` -> what its path is called."""


async def create(sync: Sync, name: str) -> str:
    """The address to meet at; `name` is what the meeting is called, where it has a name.

    ApiRefused with an `authorize_url` in its data: the person has to connect an account first.
    """
    settings = sync.store.realm.settings
    provider = settings.video_chat_provider
    if provider == BIG_BLUE_BUTTON:
        url = await routes.create_big_blue_button(
            sync.connection, meeting_name=name, voice_only=False
        )
        return url if "://" in url else f"{sync.connection.base_url.text}{url}"
    path = PROVIDERS.get(provider or 0)
    if path is None:
        raise ConfigError("This organisation has no video calls: an administrator can choose some.")
    try:
        return await routes.create(sync.connection, provider=path)
    except ApiRefused as error:
        rooms = settings.jitsi_server_url
        if provider == JITSI and error.status == 404 and rooms:
            # Full servers leave this to clients: a room is there when somebody goes to it.
            return f"{rooms.rstrip('/')}/{secrets.token_hex(16)}"
        raise
