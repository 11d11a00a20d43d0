"""What every test gets: hypothesis profiles, and no network but loopback."""

import asyncio
import logging
import os
import signal
import socket
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "fast",
    max_examples=30,
    deadline=None,  # machines are noisy: speed is measured in benchmarks
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile(
    "soak", settings.get_profile("fast"), max_examples=2000, derandomize=False, print_blob=True
)
settings.load_profile(os.environ.get("CHINWAG_HYPOTHESIS", "fast"))

# A shell that runs the tests in its background ignores Ctrl+C for them, and the programs they start would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Long bytes are no name of a test: in those of an archive is the time, and workers must agree on all names."""
    return argname if isinstance(val, bytes) and len(val) > 16 else None


_close = asyncio.SelectorEventLoop.close


def _close_and_name_leftovers(loop: asyncio.BaseEventLoop) -> None:
    """Warns of each connection that a test left open, with the test's name.

    The garbage collector finds them later, in a test that has nothing to do with it: it fails none (see
    `filterwarnings` in pyproject.toml). `make soak` makes an error of this warning.
    """
    for transport in list(getattr(loop, "_transports", {}).values()):
        if not transport.is_closing():
            test = os.environ.get("PYTEST_CURRENT_TEST", "a fixture")
            place = transport.get_extra_info("sockname")
            warnings.warn(f"left open by {test}: {transport} at {place}", ResourceWarning, 1)
    _close(loop)


asyncio.SelectorEventLoop.close = _close_and_name_leftovers  # type: ignore[method-assign, assignment]  # of all tests

LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches beyond this machine fails, and says where it went."""
    connect = socket.socket.connect

    def guarded(sock: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in LOOPBACK:
            pytest.fail(f"a test tried to reach {address[0]}")
        connect(sock, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


class Bugs(logging.Handler):
    """The bugs that the client reported, oldest first: it goes on after one, but the test fails."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.reported: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.reported.append(record.exc_info[1])

    def take(self) -> list[str]:
        """What they say; they were meant to happen."""
        taken, self.reported = self.reported, []
        return [str(error) for error in taken]


@pytest.fixture(autouse=True)
def bugs() -> Iterator[Bugs]:
    """Fails a test in which the client has a bug, unless the test takes it."""
    reporter = Bugs()
    loggers = [logging.getLogger(name) for name in ("tui", "asyncio")]
    for logger in loggers:
        logger.addHandler(reporter)
    yield reporter
    for logger in loggers:
        logger.removeHandler(reporter)
    if reporter.reported:
        raise reporter.reported[0]
