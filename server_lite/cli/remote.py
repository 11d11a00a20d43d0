"""Carrying out a command of administration: by the server that holds the database, else here and now."""

from pathlib import Path
from typing import Any

from server_lite.administration import House, perform
from server_lite.cli.asking import ask
from server_lite.cli.serving import existing
from server_lite.errors import StartError
from server_lite.lock import owned
from server_lite.store import key_file
from server_lite.store.database import Database, Tx


def carry_out(db: Path, command: str, **arguments: Any) -> dict[str, Any]:
    """The result of one entry of the table of administration; raises ApiError or StartError."""
    existing(db)
    with owned(db) as note:
        if note is not None:
            return ask(note, command, arguments)
        database = Database(db)
        try:
            return database.write_now(lambda tx: perform(tx, _house(db), command, arguments))
        finally:
            database.close()


def _house(db: Path) -> House:
    """Nobody is connected: there is a key file, and rows of queues."""

    def secret() -> bytes:
        try:
            return key_file.secret(key_file.path_beside(db))
        except OSError as error:
            raise StartError(f"The key file of {db} cannot be read: {error}.") from error

    def cut_off(tx: Tx, user_id: int) -> None:
        tx.run("DELETE FROM queue WHERE user_id = ?", user_id)

    return House(secret=secret, cut_off=cut_off)
