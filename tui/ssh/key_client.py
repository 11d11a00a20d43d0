"""The session's requests to the front process about its person's keys. The session's side; no SSH."""

from __future__ import annotations

import json
import socket
import threading
from typing import Any, Final

from tui.errors import ConfigError
from tui.host import AccessKey

SECONDS: Final = 10.0


class KeyClient:
    """One request at a time, a line of JSON each way. Blocks for a moment: call it in a thread."""

    def __init__(self, link: socket.socket) -> None:
        self._link = link
        self._link.settimeout(SECONDS)
        self._file = link.makefile("rb")
        self._lock = threading.Lock()

    def signed_in(self, user_id: int, email: str) -> str:
        """Return the folder of the person who signed in."""
        return str(self._ask("signed_in", user_id=str(user_id), email=email)["folder"])

    def signed_out(self) -> None:
        """Tell that the person signed out here: their keys are revoked."""
        self._ask("signed_out")

    def note(self, digest: str) -> None:
        """Note an offered key, to sign the person in from the next time on."""
        self._ask("note", digest=digest)

    def keys(self) -> list[AccessKey]:
        """Return all keys of the person."""
        return [AccessKey(**each) for each in self._ask("keys")["keys"]]

    def revoke(self, digest: str) -> None:
        """Revoke a key, and end its sessions."""
        self._ask("revoke", digest=digest)

    def token(self) -> str:
        """Return a link token for another device, good once and for ten minutes."""
        return str(self._ask("token")["token"])

    def _ask(self, what: str, **values: str) -> dict[str, Any]:
        """Send a request and return its answer; raises ConfigError with the refusal."""
        with self._lock:
            try:
                self._link.sendall(json.dumps({"do": what, **values}).encode() + b"\n")
                answer: dict[str, Any] = json.loads(self._file.readline())
            except (OSError, ValueError) as error:
                raise ConfigError("The SSH service does not answer.") from error
        if "error" in answer:
            raise ConfigError(str(answer["error"]))
        return answer
