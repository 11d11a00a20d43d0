"""Carrying out a command of administration: by the server that holds the database, else here and now."""

from pathlib import Path
from typing import Any

from server_lite.administration import perform
from server_lite.cli.asking import ask
from server_lite.cli.serving import existing
from server_lite.lock import owned
from server_lite.store.database import Database


def carry_out(db: Path, command: str, **arguments: Any) -> dict[str, Any]:
    """The result of one entry of the table of administration; raises ApiError or StartError."""
    existing(db)
    with owned(db) as note:
        if note is not None:
            return ask(note, command, arguments)
        database = Database(db)
        try:
            return database.write_now(lambda tx: perform(tx, command, arguments))
        finally:
            database.close()
