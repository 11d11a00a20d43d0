"""Runs administration commands: in the server that owns the database, else in this process."""

from pathlib import Path
from typing import Any

from server_lite.admin_commands import AdminEnvironment, run_command
from server_lite.cli.admin_client import ask
from server_lite.errors import StartError
from server_lite.maintenance.files import require_file
from server_lite.store import secret_key
from server_lite.store.database import Database
from server_lite.store.instance_lock import acquire_or_find


def carry_out(db: Path, command: str, **arguments: object) -> dict[str, Any]:
    """Return the result of an administration command; raises ApiError or StartError."""
    require_file(db)
    with acquire_or_find(db) as note:
        if note is not None:
            return ask(note, command, arguments)
        database = Database(db)
        try:
            return database.write_now(
                lambda tx: run_command(tx, _environment(db), command, arguments)
            )
        finally:
            database.close()


def _environment(db: Path) -> AdminEnvironment:
    """Return the environment without a server: only a key file, and rows of queues."""

    def secret() -> bytes:
        try:
            return secret_key.secret(secret_key.path_beside(db))
        except OSError as error:
            raise StartError(f"The key file of {db} cannot be read: {error}.") from error

    return AdminEnvironment(secret=secret)
