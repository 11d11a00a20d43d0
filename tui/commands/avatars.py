"""One's own picture. Raises ApiError, and ConfigError for a file that cannot be read."""

from __future__ import annotations

from pathlib import Path

from tui.api.routes import avatars as routes
from tui.errors import ConfigError
from tui.sync.machine import Sync


def _unheard(_: int) -> None:
    """Pictures are small."""


async def upload(sync: Sync, path: Path) -> None:
    """Show a picture of this machine beside what one writes."""
    try:
        with path.open("rb") as file:
            await routes.upload(sync.connection, file=file, filename=path.name, progress=_unheard)
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error


async def delete(sync: Sync) -> None:
    """Show again what the server draws for everybody without a picture."""
    await routes.delete(sync.connection)
