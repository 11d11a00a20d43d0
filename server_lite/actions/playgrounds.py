"""Creates and deletes code playgrounds. Checks no permissions: callers did."""

from server_lite.access.channel_audience import everybody
from server_lite.errors import ApiError
from server_lite.events.organization import PlaygroundsChanged
from server_lite.objects.organization import playground_objects
from server_lite.store import playgrounds
from server_lite.store.database import Tx


def create(tx: Tx, *, name: str, pygments_language: str, url_template: str) -> int:
    """Create a playground; returns its ID."""
    playground_id = playgrounds.insert(
        tx, name=name, pygments_language=pygments_language, url_template=url_template
    )
    _tell(tx)
    return playground_id


def delete(tx: Tx, playground_id: int) -> None:
    """Delete a playground; raises ApiError if it does not exist."""
    if not playgrounds.delete(tx, playground_id):
        raise ApiError("Invalid playground")
    _tell(tx)


def _tell(tx: Tx) -> None:
    tx.emit(PlaygroundsChanged(playgrounds=playground_objects(tx)), to=everybody(tx))
