"""Applies to every test: hypothesis profiles, and no network except loopback."""

import asyncio
import gc
import logging
import os
import signal
import socket
import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from textual.css.stylesheet import Stylesheet

from server_lite.http import turns
from server_lite.store import database, opening
from tests import idle_apps, memory_folder
from tests.database_template import open_file
from tests.parsed_styles import parse_rules
from tests.stalls import stall

settings.register_profile(
    "fast",
    max_examples=20,
    deadline=None,  # machines are noisy: benchmarks measure speed
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.register_profile(
    "soak", settings.get_profile("fast"), max_examples=2000, derandomize=False, print_blob=True
)
settings.load_profile(os.environ.get("CHINWAG_HYPOTHESIS", "fast"))

# A background shell makes tests ignore Ctrl+C, which the programs they start would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)


memory_folder.use()

# What comes together stays together, however busy the machine: only tests of these limits reach them.
vars(database).update(SECONDS_AT_ONCE=60.0)
vars(turns).update(SECONDS=60.0)

gc.disable()  # while tests are collected: they stay


def pytest_collection_finish() -> None:
    """Leave modules and collected tests, a million objects, out of garbage collections: a tenth of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    gc.enable()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Return no ID for long bytes: those of an archive contain a time, and workers must agree on all IDs."""
    return argname if isinstance(val, bytes) and len(val) > 16 else None


_close = asyncio.SelectorEventLoop.close


def _close_and_name_leftovers(loop: asyncio.BaseEventLoop) -> None:
    """Warn of each connection that a test left open, with the test's name.

    The garbage collector finds them later, in an unrelated test, which does not fail (see
    `filterwarnings` in pyproject.toml). `make soak` turns this warning into an error.
    """
    for transport in list(getattr(loop, "_transports", {}).values()):
        if not transport.is_closing():
            test = os.environ.get("PYTEST_CURRENT_TEST", "a fixture")
            place = transport.get_extra_info("sockname")
            warnings.warn(f"left open by {test}: {transport} at {place}", ResourceWarning, 1)
    _close(loop)


asyncio.SelectorEventLoop.close = _close_and_name_leftovers  # type: ignore[method-assign, assignment]  # of all tests

database.open_file = open_file  # type: ignore[attr-defined]  # of all tests
Stylesheet._parse_rules = parse_rules  # type: ignore[method-assign, assignment]  # of all tests
idle_apps.use()


@pytest.fixture
def created_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Create the databases of this test by migrations, as the product does: it is about that."""
    monkeypatch.setattr(database, "open_file", opening.open_file)


LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a test that connects beyond this machine fail, with the address."""
    connect = socket.socket.connect

    def guarded(sock: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in LOOPBACK:
            pytest.fail(f"a test tried to reach {address[0]}")
        connect(sock, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture(autouse=True)
def _busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stall event loops at random turns, chosen by the seed in CHINWAG_STALLS."""
    if seed := os.environ.get("CHINWAG_STALLS"):
        stall(monkeypatch, int(seed))


class Bugs(logging.Handler):
    """Bugs that the client reported, oldest first: the client continues after a bug, but the test fails."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.reported: list[BaseException] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info and record.exc_info[1] is not None:
            self.reported.append(record.exc_info[1])

    def take(self) -> list[str]:
        """Return the messages of bugs that were intended, and forget the bugs."""
        taken, self.reported = self.reported, []
        return [str(error) for error in taken]


@pytest.fixture(autouse=True)
def bugs() -> Iterator[Bugs]:
    """Fail a test in which the client reported a bug, unless the test takes it."""
    reporter = Bugs()
    loggers = [logging.getLogger(name) for name in ("tui", "asyncio")]
    for logger in loggers:
        logger.addHandler(reporter)
    yield reporter
    for logger in loggers:
        logger.removeHandler(reporter)
    if reporter.reported:
        raise reporter.reported[0]
