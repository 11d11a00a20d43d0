"""Custom emoji: adding from a file, deactivating. Raises TuiError; no Textual."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tui.api.model import EmojiId
from tui.api.organization import CustomEmoji
from tui.api.routes import custom_emoji as routes
from tui.commands import files
from tui.sync.machine import Sync

MOST_MIB: Final = 5
"""No server accepts larger ones; some accept less, and say so."""


async def fetch(sync: Sync) -> Mapping[EmojiId, CustomEmoji]:
    """Return all custom emoji, deactivated ones too."""
    return await routes.fetch(sync.connection)


async def add(sync: Sync, name: str, path: Path) -> None:
    """Add an emoji from an image."""
    with files.opened(path, most_mib=MOST_MIB) as (file, _):
        await routes.upload(
            sync.connection, name=name, file=file, filename=path.name, progress=lambda _: None
        )


async def deactivate(sync: Sync, name: str) -> None:
    """Deactivate an emoji; messages and reactions keep it."""
    await routes.deactivate(sync.connection, name=name)
