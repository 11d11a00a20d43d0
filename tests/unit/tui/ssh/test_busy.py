"""Which session turns in circles, and which is only busy, or slow on a slow machine."""

import asyncio
import os
import sys

import pytest

from tui.ssh.busy import Usage, Watch
from tui.ssh.parent import SessionProcess

STRAIN, BUSY = 5.0, 30.0


@pytest.mark.parametrize(
    ("cpu", "waiting", "waits", "expected"),
    [
        # In each second: seconds on a core, seconds in line for one, and waits for something.
        (0.01, 0.0, 120, {""}),
        (1.0, 0.0, 0, {"strained", "stuck"}),
        (0.96, 0.0, 500, {"strained", "stuck"}),  # draws without an end
        (0.05, 0.95, 0, {"strained", "stuck"}),  # where three others turn in circles too
        (0.05, 0.95, 20, {"strained"}),  # its keys are answered, if late
        (0.3, 0.1, 60, {""}),
    ],
)
def test_what_never_rests_is_found(
    cpu: float, waiting: float, waits: int, expected: set[str]
) -> None:
    """Also on a machine that has hardly time for it; what waits for keys goes on."""
    watch = Watch(100.0, Usage(cpu=3.0, runnable=4.0, waits=50))
    verdicts = []
    for half in range(1, 121):
        s = half / 2
        usage = Usage(cpu=3 + cpu * s, runnable=4 + (cpu + waiting) * s, waits=50 + int(waits * s))
        is_due = watch.is_due(100.0 + s, STRAIN)
        verdicts.append(watch.judge(100.0 + s, usage, BUSY) if is_due else "")
    assert set(verdicts) - {""} == expected - {""}
    if "stuck" in expected:
        assert verdicts.index("strained") == 9  # after five seconds
        assert verdicts.index("stuck") == 59  # after thirty


def test_a_burst_is_no_matter() -> None:
    """Twenty seconds of work, a rest, and twenty again."""
    watch, usage = (
        Watch(0.0, Usage(cpu=0.0, runnable=0.0, waits=0)),
        Usage(cpu=0, runnable=0, waits=0),
    )
    for second in range(60):
        works = second % 25 < 20
        usage = Usage(cpu=usage.cpu + works, runnable=usage.runnable + works, waits=usage.waits + 9)
        assert watch.judge(second + 1.0, usage, BUSY) != "stuck"


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not count it elsewhere")
async def test_the_system_counts_it() -> None:
    """Of this process, which has run; of one that is gone, nothing."""
    ended = asyncio.get_running_loop().create_future()
    usage = SessionProcess(os.getpid(), ended).usage()
    assert 0 < usage.cpu <= usage.runnable
    assert usage.waits > 0
    assert SessionProcess(2**22 + 1, ended).usage() == Usage(cpu=0.0, runnable=0.0, waits=0)
