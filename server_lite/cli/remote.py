"""Carrying out a command of administration: by the server that holds the database, else here and now."""

import http.client
from pathlib import Path
from typing import Any

import orjson

from server_lite.administration import perform
from server_lite.cli.serving import existing
from server_lite.errors import ApiError, StartError
from server_lite.lock import Note, owned
from server_lite.store.database import Database

SECONDS = 30.0


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


def ask(note: Note, command: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Let a running server do it. Loopback only, so no proxy and no encryption is in between."""
    connection = http.client.HTTPConnection(note.host, note.port, timeout=SECONDS)
    try:
        connection.request(
            "POST",
            "/administration",
            body=orjson.dumps({"command": command, "arguments": arguments}),
            headers={"Authorization": f"Bearer {note.secret}", "Content-Type": "application/json"},
        )
        response = connection.getresponse()
        answer = orjson.loads(response.read())
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise StartError(f"The server at {note.url} does not answer: {error}.") from error
    finally:
        connection.close()
    if response.status != 200:
        raise ApiError(str(answer.get("msg", response.reason)))
    result: dict[str, Any] = answer
    return result
