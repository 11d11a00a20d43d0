"""Changing one's own settings, and those of the organization. Raises ApiError; no Textual."""

from collections.abc import Mapping
from typing import Any, Final

from tui.api.form import as_json, nullable
from tui.api.routes import settings as routes
from tui.sync.machine import Sync

_WORDS: Final = {"jitsi_server_url": ("", "default"), "message_retention_days": (-1, "unlimited")}
"""Settings of the organization with a word for a value: what it is here, and on the wire."""


async def update(sync: Sync, changes: Mapping[str, Any]) -> None:
    """Change settings of the person, by the names of `UserSettings`."""
    sent: dict[str, Any] = {name: nullable(value) for name, value in changes.items()}
    await routes.update(sync.connection, changes=sent)


async def update_realm(sync: Sync, changes: Mapping[str, Any]) -> None:
    """Change settings of the organization, by the names of `RealmSettings`.

    Limits of time are without end where they are None.
    """
    sent = {name: _worded(name, value) for name, value in changes.items()}
    await routes.update_realm(sync.connection, changes=sent)


async def update_defaults(sync: Sync, changes: Mapping[str, Any]) -> None:
    """Change what people to come begin with, by the names of `UserSettings`."""
    sent: dict[str, Any] = {name: nullable(value) for name, value in changes.items()}
    await routes.update_defaults(sync.connection, changes=sent)


def _worded(name: str, value: Any) -> Any:
    if value is None:
        return as_json("unlimited")
    if name in _WORDS:
        plain, word = _WORDS[name]
        return as_json(word if value == plain else value)
    return value
