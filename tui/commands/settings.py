"""Changing the user's settings, and the organization's. Raises ApiError; no Textual."""

from collections.abc import Mapping
from typing import Any, Final

from tui.api.form import as_json, nullable
from tui.api.routes import settings as routes
from tui.sync.machine import Sync

_WORDS: Final = {"jitsi_server_url": ("", "default"), "message_retention_days": (-1, "unlimited")}
"""Settings of the organization with a word for a value: the value here, and the word in the API."""


async def update(sync: Sync, changes: Mapping[str, Any]) -> None:
    """Change the user's settings, by the names of `UserSettings`."""
    sent: dict[str, Any] = {name: nullable(value) for name, value in changes.items()}
    await routes.update(sync.connection, changes=sent)


async def update_realm(sync: Sync, changes: Mapping[str, Any]) -> None:
    """Change settings of the organization, by the names of `RealmSettings`.

    Time limits of None are unlimited.
    """
    sent = {name: _worded(name, value) for name, value in changes.items()}
    await routes.update_realm(sync.connection, changes=sent)


async def update_defaults(sync: Sync, changes: Mapping[str, Any]) -> None:
    """Change the default settings of new users, by the names of `UserSettings`."""
    sent: dict[str, Any] = {name: nullable(value) for name, value in changes.items()}
    await routes.update_defaults(sync.connection, changes=sent)


def _worded(name: str, value: Any) -> Any:
    if value is None:
        return as_json("unlimited")
    if name in _WORDS:
        plain, word = _WORDS[name]
        return as_json(word if value == plain else value)
    return value
