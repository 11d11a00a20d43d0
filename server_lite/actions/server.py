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


def note_choices(tx: Tx, *, limits_presence: bool, call_provider: str | None) -> None:
    """Store what the owner of the server chose when starting it, for those who read the file."""
    settings.store(tx, "limits_presence", limits_presence)
    settings.store(tx, "call_provider", call_provider)
