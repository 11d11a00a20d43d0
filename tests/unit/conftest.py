"""What every unit test gets: no network, not even this machine's own. A test with a server is in `tests/api`."""

import socket
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that listens or connects fails; the pipes of an event loop are no network."""

    def refuse(*_: Any) -> None:
        pytest.fail("a unit test opened a socket: tests with a server are in tests/api")

    for name in ("bind", "connect", "connect_ex", "listen"):
        monkeypatch.setattr(socket.socket, name, refuse)
