"""The client ends by a bug, in a real terminal: nothing is lost, and nobody has to read a traceback."""

import sys
import termios

from tests.e2e.team import KETTLE
from tests.faults.test_killed_client import Desk, desk  # noqa: F401  # a fixture
from tests.live import until
from tests.security.terminal import terminal

BROKEN = """
from tui.screens.main import MainScreen
def broken(self):
    raise RuntimeError("a bug")
MainScreen.action_toggle_people = broken
from tui.cli.arguments import main
raise SystemExit(main())
"""


async def test_a_bug_costs_nothing_that_was_written(desk: Desk) -> None:  # noqa: F811  # the fixture
    """One sentence says where the log is; what I was writing is there at the next start."""
    command = [sys.executable, "-c", BROKEN, "--zuliprc", str(desk.home / "zuliprc")]
    command += ["--narrow", "channel:design topic:tea"]
    async with terminal(command, {"CHINWAG_HOME": str(desk.home)}) as seen:
        before = termios.tcgetattr(seen._master)
        await seen.until(KETTLE.encode())
        seen.answer(b"chalf a thought\x1b[13~")
        await seen.until(b"mistake of its own")
        await until(lambda: termios.tcgetattr(seen._master) == before)
        await seen.settle()
    said = bytes(seen.written)
    last = said[said.rindex(b"\x1b[?1049l") :]
    assert b"Traceback" not in said
    assert last.count(b"crash.log") == 1
    assert desk.kept() == ["half a thought"]
    log = desk.home / "state" / "crash.log"
    assert log.stat().st_mode & 0o777 == 0o600
    assert "RuntimeError: a bug" in log.read_text()
    assert "half a thought" not in log.read_text()
