"""Runs commands inside the test's process, with a standard input, and captures their output."""

import io
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from server_lite.cli.arguments import run
from tests.live import CHEAP


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a command: its exit code and output."""

    code: int
    out: str
    err: str


Command = Callable[..., Outcome]


@pytest.fixture
def command(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Command]:
    """Return `command("user", "list", …, stdin="…")`; restores the process's umask and log afterwards.

    Passwords are hashed cheaply: 30 ms less for each organization.
    """
    for module in ("secret_input", "demo"):
        monkeypatch.setattr(f"server_lite.cli.{module}.PasswordCost", lambda: CHEAP)
    umask = os.umask(0o022)
    log = logging.getLogger()
    handlers = log.handlers[:]

    def call(*words: str | Path, stdin: str = "") -> Outcome:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = run([str(word) for word in words])
        out, err = capfd.readouterr()
        return Outcome(code, out, err)

    yield call
    os.umask(umask)
    log.handlers[:] = handlers  # those of `serve` write to a closed standard error


@pytest.fixture
def team(tmp_path: Path, command: Command) -> Path:
    """Return a new organization with the owner o@x.org, whose password is `long enough`."""
    db = tmp_path / "team.db"
    made = command(*init(db), stdin="long enough\n")
    assert made.code == 0, made.err
    return db


def init(db: Path, **changed: str) -> list[str]:
    """Return the arguments of `init`."""
    options = {"realm-name": "Team", "owner-email": "o@x.org", "owner-name": "Olive"}
    words = ["init", "--db", str(db), "--owner-password-stdin"]
    for name, value in (options | {n.replace("_", "-"): v for n, v in changed.items()}).items():
        words += [f"--{name}", value]
    return words
