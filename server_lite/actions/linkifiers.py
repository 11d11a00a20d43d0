"""Creates, changes and reorders linkifiers. Checks no permissions: callers did."""

from collections.abc import Sequence

from server_lite.access.channel_audience import everybody
from server_lite.events.organization import LinkifiersChanged
from server_lite.objects.organization import linkifier_objects
from server_lite.store import linkifiers
from server_lite.store.database import Tx
from server_lite.store.linkifiers import LinkifierForm, LinkifierRow


def create(tx: Tx, form: LinkifierForm) -> int:
    """Create a linkifier, applied after all others; returns its ID."""
    linkifier_id = linkifiers.insert(tx, form)
    _tell(tx)
    return linkifier_id


def update(tx: Tx, linkifier: LinkifierRow, form: LinkifierForm) -> None:
    """Replace the linkifier. Messages already sent keep their links."""
    linkifiers.update(tx, linkifier.id, form)
    _tell(tx)


def delete(tx: Tx, linkifier: LinkifierRow) -> None:
    """Delete the linkifier."""
    linkifiers.delete(tx, linkifier.id)
    _tell(tx)


def reorder(tx: Tx, order: Sequence[int]) -> None:
    """Apply all linkifiers in this order."""
    linkifiers.reorder(tx, order)
    _tell(tx)


def _tell(tx: Tx) -> None:
    tx.emit(LinkifiersChanged(linkifiers=linkifier_objects(tx)), to=everybody(tx))
