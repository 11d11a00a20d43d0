"""Patterns that become links: kept and put in order. Raises TuiError; no Textual."""

from collections.abc import Sequence

from tui.api.model import LinkifierId
from tui.api.organization import Linkifier
from tui.api.routes import linkifiers as routes
from tui.api.routes.linkifiers import NewLinkifier
from tui.commands.reorder import moved
from tui.sync.machine import Sync


async def fetch(sync: Sync) -> tuple[Linkifier, ...]:
    """All of them, in the order in which they are tried."""
    return await routes.fetch(sync.connection)


async def create(sync: Sync, linkifier: NewLinkifier) -> None:
    """A new one, tried after the others."""
    await routes.create(sync.connection, linkifier=linkifier)


async def change(sync: Sync, linkifier_id: LinkifierId, linkifier: NewLinkifier) -> None:
    """Write one anew; messages that were sent stay as they are."""
    await routes.update(sync.connection, linkifier_id=linkifier_id, linkifier=linkifier)


async def delete(sync: Sync, linkifier_id: LinkifierId) -> None:
    """Find it no longer."""
    await routes.delete(sync.connection, linkifier_id=linkifier_id)


async def move(sync: Sync, linkifier_id: LinkifierId, by: int) -> None:
    """Try it earlier or later than now."""
    order: Sequence[LinkifierId] = [each.id for each in await fetch(sync)]
    await routes.reorder(sync.connection, linkifier_ids=moved(order, linkifier_id, by))
