"""Asking the server that holds a database, over loopback and with the secret of its note."""

import http.client
from typing import Any, Final

import orjson

from server_lite.errors import ApiError, StartError
from server_lite.lock import Note

SECONDS: Final = 30.0


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
