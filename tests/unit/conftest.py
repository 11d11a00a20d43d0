"""Fixtures for every unit test: no network, not even loopback. Tests with a server are in `tests/api`."""

import socket
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def _no_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a test that listens or connects fail, except for the event loop's own pipes."""

    def refuse(*_: Any) -> None:
        pytest.fail("a unit test opened a socket: tests with a server are in tests/api")

    for name in ("bind", "connect", "connect_ex", "listen"):
        monkeypatch.setattr(socket.socket, name, refuse)
