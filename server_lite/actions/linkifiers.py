"""Making, changing and ordering linkifiers. Asks no permission: callers did."""

from collections.abc import Sequence

from server_lite.access.channel_audience import everybody
from server_lite.events.organization import LinkifiersChanged
from server_lite.objects.organization import linkifier_objects
from server_lite.store import linkifiers
from server_lite.store.database import Tx
from server_lite.store.linkifiers import LinkifierForm, LinkifierRow


def create(tx: Tx, form: LinkifierForm) -> int:
    """A new linkifier, tried after all others; returns its id."""
    linkifier_id = linkifiers.insert(tx, form)
    _tell(tx)
    return linkifier_id


def update(tx: Tx, linkifier: LinkifierRow, form: LinkifierForm) -> None:
    """Write a linkifier anew. Messages that were sent stay as they are."""
    linkifiers.update(tx, linkifier.id, form)
    _tell(tx)


def delete(tx: Tx, linkifier: LinkifierRow) -> None:
    """Forget a linkifier."""
    linkifiers.delete(tx, linkifier.id)
    _tell(tx)


def reorder(tx: Tx, order: Sequence[int]) -> None:
    """Try all linkifiers in this order."""
    linkifiers.reorder(tx, order)
    _tell(tx)


def _tell(tx: Tx) -> None:
    tx.emit(LinkifiersChanged(linkifiers=linkifier_objects(tx)), to=everybody(tx))
