"""The user's own avatar. Raises ApiError, and ConfigError for a file that cannot be read."""

from __future__ import annotations

from pathlib import Path

from tui.api.routes import avatars as routes
from tui.errors import ConfigError
from tui.sync.machine import Sync


def _ignore_progress(_: int) -> None:
    """Ignore progress: pictures are small."""


async def upload(sync: Sync, path: Path) -> None:
    """Upload an image as the user's avatar."""
    try:
        with path.open("rb") as file:
            await routes.upload(
                sync.connection, file=file, filename=path.name, progress=_ignore_progress
            )
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from error


async def delete(sync: Sync) -> None:
    """Delete the user's avatar; the server shows a generated one."""
    await routes.delete(sync.connection)
