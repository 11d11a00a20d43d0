"""Words that the person is alerted for. Raises ApiError; the store changes by events."""

from tui.api.routes import alert_words as routes
from tui.sync.machine import Sync


async def fetch(sync: Sync) -> tuple[str, ...]:
    """All of them, as the server has them now."""
    return await routes.fetch(sync.connection)


async def add(sync: Sync, word: str) -> None:
    """Be alerted for one more."""
    await routes.add(sync.connection, words=[word])


async def remove(sync: Sync, word: str) -> None:
    """Be alerted for it no longer."""
    await routes.remove(sync.connection, words=[word])
