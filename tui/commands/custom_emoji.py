"""The organization's own emoji: added from a file, taken away. Raises TuiError; no Textual."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tui.api.model import EmojiId
from tui.api.organization import CustomEmoji
from tui.api.routes import custom_emoji as routes
from tui.commands import files
from tui.sync.machine import Sync

MOST_MIB: Final = 5
"""No server takes larger ones; some take less, and say so."""


async def fetch(sync: Sync) -> Mapping[EmojiId, CustomEmoji]:
    """All of them, those that were taken away too."""
    return await routes.fetch(sync.connection)


async def add(sync: Sync, name: str, path: Path) -> None:
    """A new one, from an image."""
    with files.opened(path, most_mib=MOST_MIB) as (file, _):
        await routes.upload(
            sync.connection, name=name, file=file, filename=path.name, progress=lambda _: None
        )


async def deactivate(sync: Sync, name: str) -> None:
    """Nobody can use it any more; messages and reactions that have it keep it."""
    await routes.deactivate(sync.connection, name=name)
