"""Linkifiers: creating, changing, ordering. Raises TuiError; no Textual."""

from collections.abc import Sequence

from tui.api.model import LinkifierId
from tui.api.organization import Linkifier
from tui.api.routes import linkifiers as routes
from tui.api.routes.linkifiers import NewLinkifier
from tui.commands.reorder import moved
from tui.sync.machine import Sync


async def fetch(sync: Sync) -> tuple[Linkifier, ...]:
    """Return the linkifiers in the order in which they are tried."""
    return await routes.fetch(sync.connection)


async def create(sync: Sync, linkifier: NewLinkifier) -> None:
    """Create a linkifier, tried after the others."""
    await routes.create(sync.connection, linkifier=linkifier)


async def change(sync: Sync, linkifier_id: LinkifierId, linkifier: NewLinkifier) -> None:
    """Replace a linkifier; sent messages stay as they are."""
    await routes.update(sync.connection, linkifier_id=linkifier_id, linkifier=linkifier)


async def delete(sync: Sync, linkifier_id: LinkifierId) -> None:
    """Delete a linkifier."""
    await routes.delete(sync.connection, linkifier_id=linkifier_id)


async def move(sync: Sync, linkifier_id: LinkifierId, by: int) -> None:
    """Move a linkifier `by` places later in the order, earlier if negative."""
    order: Sequence[LinkifierId] = [each.id for each in await fetch(sync)]
    await routes.reorder(sync.connection, linkifier_ids=moved(order, linkifier_id, by))
