"""The terminal goes away, or the system says to end: the client ends soon, and what was typed is on disk."""

import asyncio
import os
import shlex
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

import pytest

from tests.e2e.team import KETTLE
from tests.faults.test_killed_client import Machine, machine  # noqa: F401  # a fixture
from tests.live import until
from tests.real_terminal import CHINWAG, RealTerminal, real_terminal

SOON: Final = 12.0
"""Seconds: the client takes at most 2, and this machine is busy."""
THOUGHT: Final = "half a thought"


@asynccontextmanager
async def writing(
    machine: Machine,  # noqa: F811  # the fixture
    *,
    before: str = "",
    after: str = "",
    owns_terminal: bool = True,
    environment: Mapping[str, str] | None = None,
) -> AsyncIterator[RealTerminal]:
    """A client in which something was typed a moment ago; with `before` or `after`, of a shell that runs these too."""
    client = [CHINWAG, "--zuliprc", f"{machine.home}/zuliprc"]
    client += ["--narrow", "channel:design topic:tea"]
    shell = ["/bin/sh", "-c", f"{before} {shlex.join(client)}{after}"]
    around = {"CHINWAG_HOME": str(machine.home), **(environment or {})}
    is_alone = not before and not after
    async with real_terminal(
        client if is_alone else shell, around, owns_terminal=owns_terminal, warm=is_alone
    ) as seen:
        await seen.shows(KETTLE)
        seen.type(f"c{THOUGHT}")
        await seen.shows(THOUGHT)
        yield seen


def _client(seen: RealTerminal) -> int:
    assert seen.process is not None
    return seen.process.pid


def _tell(number: int) -> Callable[[RealTerminal], None]:
    return lambda seen: os.kill(_client(seen), number)


@pytest.mark.parametrize("owns", [True, False], ids=["hang-up told", "only the end of input"])
@pytest.mark.parametrize("before", ["", "trap '' HUP; exec"], ids=["plain", "nohup"])
async def test_a_terminal_that_is_closed_ends_the_client(
    machine: Machine,  # noqa: F811  # the fixture
    owns: bool,  # a parameter of the test
    before: str,
) -> None:
    """I close the window: nothing runs on without it, and my words are there the next time."""
    async with writing(machine, before=before, owns_terminal=owns) as seen:
        seen.hang_up()
        assert await seen.exits(seconds=SOON) == 129
    assert machine.kept() == [THOUGHT]


async def test_a_terminal_that_is_closed_ends_the_client_of_a_shell(
    machine: Machine,  # noqa: F811  # the fixture
) -> None:
    """As `make run` starts it: below another program, which goes on and is told how it ended."""
    status = machine.home / "status"
    async with writing(machine, before="trap '' HUP;", after=f"; echo $? > {status}") as seen:
        seen.hang_up()
        await seen.exits(seconds=SOON)
    assert status.read_text() == "129\n"
    assert machine.kept() == [THOUGHT]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
async def test_a_signal_ends_the_client_and_gives_the_terminal_back(
    machine: Machine,  # noqa: F811  # the fixture
    number: int,
    status: int,
) -> None:
    """The machine shuts down, say: my words are kept, and the shell's terminal is as before."""
    async with writing(machine) as seen:
        os.kill(_client(seen), number)
        assert await seen.exits(seconds=SOON) == status
        await seen.until(b"\x1b[?1049l")
        assert seen.modes[3] & 0o10, "it does not show what is typed"  # ECHO
        assert b"Traceback" not in seen.written
    assert machine.kept() == [THOUGHT]


async def test_a_terminal_that_takes_nothing_does_not_hold_the_client(
    machine: Machine,  # noqa: F811  # the fixture
) -> None:
    """The line to me hangs, with a screen half written: told to end, the client does."""
    async with writing(machine) as seen:
        stop_reading(seen)
        for columns in range(60, 100):
            seen.resize(columns, 50)
            await asyncio.sleep(0.01)
        os.kill(_client(seen), signal.SIGTERM)
        assert await seen.exits(seconds=SOON) == 143
    assert machine.kept() == [THOUGHT]


def stop_reading(seen: RealTerminal) -> None:
    """What the client writes from now on stays in the system's buffer until that is full."""
    assert seen._master is not None
    asyncio.get_running_loop().remove_reader(seen._master)


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
async def test_the_client_is_stopped_and_goes_on(
    machine: Machine,  # noqa: F811  # the fixture
    number: int,
) -> None:
    """After `kill -TSTP`, or `-STOP`, which no program can handle, `fg` shows my screen and my draft, once."""
    pasted = "\n".join(f"line {line} of a long paste" for line in range(400))
    async with writing(machine) as seen:
        os.kill(_client(seen), number)
        await until(lambda: _state(_client(seen)) == "T")
        if number == signal.SIGTSTP:
            await seen.until(b"\x1b[?1049l")
            assert seen.modes[3] & 0o10
        seen.written.clear()
        os.kill(_client(seen), signal.SIGCONT)
        await seen.until(b"\x1b[?1049h")
        await seen.until(KETTLE.encode())
        seen.type(" and whole")
        await seen.shows(f"{THOUGHT} and whole")
        seen.paste(pasted)
        await seen.shows("400 lines")
        seen.press("escape", "ctrl+q")
        assert await seen.exits(seconds=SOON) == 0
        assert seen.modes[3] & 0o10, "it does not show what is typed"  # ECHO
    assert machine.kept() == [f"{THOUGHT} and whole"]


async def test_a_window_that_is_small_for_a_moment_is_drawn_again(
    machine: Machine,  # noqa: F811  # the fixture
) -> None:
    """The terminal dropped what did not fit, and the client may learn only of the size that it had before."""
    async with writing(machine) as seen:
        await seen.settle()
        before = seen.lines
        seen.resize(40, 10)
        seen.resize(80, 24)
        assert seen.lines != before
        await until(lambda: seen.lines == before)


async def test_after_the_editor_the_whole_screen_is_drawn(
    machine: Machine,  # noqa: F811  # the fixture
) -> None:
    """The editor's screen is gone, and with it all that was drawn before."""
    async with writing(machine, environment={"EDITOR": "true"}) as seen:
        seen.written.clear()
        seen.press("ctrl+g", "e")
        await seen.until(b"\x1b[?1049h")
        await seen.until(KETTLE.encode())


def _state(pid: int) -> str:
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rpartition(")")[2].split()[0]
