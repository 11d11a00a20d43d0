"""Bugs in a real terminal: the client goes on where it can, nothing is lost, nobody reads a traceback."""

import sys

from tests.e2e.team import KETTLE
from tests.faults.test_killed_client import Machine, machine  # noqa: F401  # a fixture
from tests.live import until
from tests.real_terminal import real_terminal

START = """
from tui.cli.main import main
raise SystemExit(main())
"""
ACTION = (
    """
from tui.screens.account_screen import AccountScreen
def broken(self):
    raise RuntimeError("a bug")
AccountScreen.action_toggle_people = broken
"""
    + START
)
FRAMES = (
    """
from tui.widgets.composer import Composer
draw = Composer.render_lines
def broken(self, crop):
    if self.text.endswith("more"):  # all of it is typed, however slow the machine is
        raise RuntimeError("a bug")
    return draw(self, crop)
Composer.render_lines = broken
"""
    + START
)
KEY = b"\x1b[13~"
"""F3, which shows the people: the action that is broken."""


def _command(machine: Machine, code: str) -> list[str]:  # noqa: F811  # the fixture
    command = [sys.executable, "-c", code, "--zuliprc", str(machine.home / "zuliprc")]
    return [*command, "--narrow", "channel:design topic:tea"]


def _log_of(machine: Machine) -> str:  # noqa: F811  # the fixture
    log = machine.home / "state" / "crash.log"
    assert log.stat().st_mode & 0o777 == 0o600
    return log.read_text()


async def test_a_bug_in_an_action_is_a_notice(machine: Machine) -> None:  # noqa: F811  # the fixture
    """I read where the log is, and go on writing the same message."""
    async with real_terminal(
        _command(machine, ACTION), {"CHINWAG_HOME": str(machine.home)}
    ) as seen:
        await seen.until(KETTLE.encode())
        seen.send(b"chalf a thought" + KEY)
        await seen.shows("The last action failed")
        seen.send(b" and whole\r")
        await machine.says("half a thought and whole")
        assert b"Traceback" not in seen.written
    log = _log_of(machine)
    assert "RuntimeError: a bug" in log
    assert "in broken" in log
    assert "half a thought" not in log


async def test_a_bug_that_stops_the_screen_costs_nothing_that_was_written(
    machine: Machine,  # noqa: F811  # the fixture
) -> None:
    """One sentence says where the log is; what I was writing is there at the next start."""
    async with real_terminal(
        _command(machine, FRAMES), {"CHINWAG_HOME": str(machine.home)}
    ) as seen:
        await seen.until(KETTLE.encode())
        seen.send(b"chalf a thought, no more")
        await seen.until(b"Chinwag crashed")
        await until(lambda: seen.modes == seen.first_modes)
        await seen.settle()
    said = bytes(seen.written)
    last = said[said.rindex(b"\x1b[?1049l") :]
    assert b"Traceback" not in said
    assert last.count(b"crash.log") == 1
    assert machine.kept() == ["half a thought, no more"]
    assert "RuntimeError: a bug" in _log_of(machine)
