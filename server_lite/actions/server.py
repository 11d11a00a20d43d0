"""What the server does for itself when it starts. Asks no permission: nobody asked."""

from server_lite import VERSION, server_versions
from server_lite.events.server import Restarted
from server_lite.store import generation as organization
from server_lite.store import settings, users
from server_lite.store.database import Tx


def note_version(tx: Tx) -> None:
    """Tell everybody whose queue outlived the restart that another version answers."""
    organization.ensure(tx)
    earlier = settings.value(tx, "version", None)
    if earlier == VERSION:
        return
    generation = int(tx.now)
    settings.store(tx, "version", VERSION)
    settings.store(tx, "server_generation", generation)
    if earlier is not None:
        event = Restarted(versions=server_versions(), server_generation=generation)
        tx.emit(event, to=users.active_ids(tx))
