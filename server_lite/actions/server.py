"""Runs when the server starts. Checks no permissions: there is no user."""

from server_lite import VERSION, server_versions
from server_lite.events.server import Restarted
from server_lite.store import generation as organization
from server_lite.store import settings, users
from server_lite.store.database import Tx


def note_version(tx: Tx) -> None:
    """Send the new version to clients whose queue outlived the restart."""
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
    """Store options the server was started with, for commands that read the database."""
    settings.store(tx, "limits_presence", limits_presence)
    settings.store(tx, "call_provider", call_provider)
