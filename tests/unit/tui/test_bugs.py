"""Bugs: what fails is reported and goes on, and the log says what happened, without secrets."""

import asyncio
from pathlib import Path

import pytest

from tests.conftest import Bugs
from tui import bugs as door
from tui import crash_log


class Clock:
    """Waiting takes no time, and is counted."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


async def test_work_that_fails_begins_again_and_waits_longer_each_time(bugs: Bugs) -> None:
    """Sending goes on after a bug in it; from the third failure on I am told to restart."""
    clock, left = Clock(), [RuntimeError(str(number)) for number in range(4)]

    async def run() -> None:
        if left:
            raise left.pop(0)

    await door.keep_going(run, "Sending messages", sleep=clock.sleep)
    assert bugs.take() == ["0", "1", "2", "3"]
    assert clock.slept == [1, 2, 4, 8]


async def test_work_that_is_cancelled_ends() -> None:
    """Signing out is no bug."""
    task = door.start(door.keep_going(asyncio.Event().wait, "Waiting"), "Waiting")  # type: ignore[arg-type]  # its answer is not looked at
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()


async def test_the_failure_of_a_task_that_was_given_up_is_nobodys_bug() -> None:
    """A request that fails while its screen is closed is reported to nobody."""

    async def refused() -> None:
        raise OSError

    task = door.awaited(refused())
    await asyncio.wait([task])
    del task


class Listener:
    """A log in a folder, and the sentences that it shows."""

    def __init__(self, folder: Path) -> None:
        self.told: list[str] = []
        self.now = 0.0
        self.log = crash_log.CrashLog(folder, self.told.append, clock=lambda: self.now)
        self.path = folder / "crash.log"

    def __enter__(self) -> "Listener":
        self.log.begin()
        return self

    def __exit__(self, *_: object) -> None:
        self.log.end()


def _fails(words: str) -> None:
    def fails() -> None:
        raise ValueError(words)

    try:
        fails()
    except ValueError as error:
        door.report(error, "Sending messages")


def test_the_same_bug_again_and_again_is_shown_once(tmp_path: Path, bugs: Bugs) -> None:
    """A bug in each second fills neither my screen nor my disk."""
    with Listener(tmp_path) as listener:
        for listener.now in (0.0, 1.0, 29.0, 31.0):
            _fails("no")
    assert len(listener.told) == 2
    assert listener.told[0].startswith("Sending messages failed because of a bug. The log is at /")
    assert listener.path.read_text().count("ValueError: no") == 2
    assert len(bugs.take()) == 4


def test_a_bug_that_persists_says_what_to_do(tmp_path: Path, bugs: Bugs) -> None:
    """After several failures I know that a restart may help."""
    with Listener(tmp_path) as listener:
        door.report(ValueError(), "Sending messages", persists=True)
    assert "Restarting Chinwag may help. The log is at" in listener.told[0]
    assert len(bugs.take()) == 1


@pytest.mark.parametrize(
    "secret",
    [
        "{'api_key': 'abc'}",
        "Authorization: Basic YW5uOmFiYw==",
        "https://x/?key=abc&y=1",
        "it has rXyZ1234567890abcdefgh in it",
        "password=abc",
    ],
)
def test_the_log_has_no_secret_and_nothing_for_the_terminal(
    tmp_path: Path, bugs: Bugs, secret: str
) -> None:
    """I can show the log to anybody, and read it by `cat`."""
    with Listener(tmp_path) as listener:
        _fails(f"\x1b[2J {secret} " + "long " * 200)
    text = listener.path.read_text()
    for word in ("\x1b", "abc", "YW5u", "rXyZ"):
        assert word not in text.replace("abcde", "")
    assert "[removed]" in text
    assert max(map(len, text.splitlines())) < 400
    assert listener.path.stat().st_mode & 0o777 == 0o600
    assert len(bugs.take()) == 1


def test_a_log_that_cannot_be_written_is_no_second_bug(tmp_path: Path, bugs: Bugs) -> None:
    """The notice says why there is no log."""
    (tmp_path / "state").write_text("in the way")
    with Listener(tmp_path / "state") as listener:
        _fails("no")
    assert "The log cannot be written: " in listener.told[0]
    assert len(bugs.take()) == 1
