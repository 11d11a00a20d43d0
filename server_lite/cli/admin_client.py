"""Sends commands to the server that owns a database, over loopback, with the secret of its note.

A server with TLS is verified by the certificate that its note names: no authority is needed,
and the certificate may be for another host name.
"""

import hashlib
import http.client
import secrets
import ssl
from typing import Any, Final

import orjson

from server_lite.errors import ApiError, StartError, Unavailable
from server_lite.store.instance_lock import ServerInfo

SECONDS: Final = 30.0


def ask(note: ServerInfo, command: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Run a command in a running server. Loopback only, so no proxy is involved."""
    connection = _connection(note)
    try:
        _check_certificate(connection, note)
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
    if response.status == 503:
        raise Unavailable(str(answer.get("msg", response.reason)))
    if response.status != 200:
        raise ApiError(str(answer.get("msg", response.reason)))
    result: dict[str, Any] = answer
    return result


def _connection(note: ServerInfo) -> http.client.HTTPConnection:
    if note.certificate is None:
        return http.client.HTTPConnection(note.host, note.port, timeout=SECONDS)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # compared with the note before anything is sent
    return http.client.HTTPSConnection(note.host, note.port, timeout=SECONDS, context=context)


def _check_certificate(connection: http.client.HTTPConnection, note: ServerInfo) -> None:
    if note.certificate is None:
        return
    connection.connect()
    assert isinstance(connection.sock, ssl.SSLSocket)
    fingerprint = hashlib.sha256(connection.sock.getpeercert(binary_form=True) or b"").hexdigest()
    if not secrets.compare_digest(fingerprint, note.certificate):
        raise StartError(f"The server at {note.url} does not serve this file.")
