"""Measures the idle client: CPU, wake-ups and bytes drawn, in a real terminal.

Runs `chinwag` in a pty in organizations of two sizes, with the focus in the messages and in the composer.
The goal is less than 1 % of a core.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.large_organization import SCALE, STORY, large
from tests.real_terminal import RealTerminal, real_client

SECONDS = float(os.environ.get("IDLE_SECONDS", "60"))
SETTLED_SECONDS = 15.0
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds that a process has used so far, user and system."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def wake_ups(pid: int) -> int:
    """Return how often the process's threads have gone to sleep so far."""
    return sum(
        int(line.split()[1])
        for status in Path(f"/proc/{pid}/task").glob("*/status")
        for line in status.read_text().splitlines()
        if line.startswith("voluntary_ctxt_switches")
    )


async def measure(name: str, seen: RealTerminal) -> None:
    """Measure and print one line."""
    assert seen.process is not None
    pid = seen.process.pid
    await asyncio.sleep(SETTLED_SECONDS)
    before = cpu_seconds(pid), wake_ups(pid), len(seen.written)
    await asyncio.sleep(SECONDS)
    after = cpu_seconds(pid), wake_ups(pid), len(seen.written)
    cpu, wakes, drawn = ((b - a) / SECONDS for a, b in zip(before, after, strict=True))
    print(f"{name:24} {cpu:7.2%} of a core {wakes:7.1f} wake-ups/s {drawn:8.1f} bytes/s")


async def main() -> None:
    """Measure both sizes, with the focus in both places."""
    for size in (STORY, SCALE):
        with tempfile.TemporaryDirectory() as folder:
            async with (
                large(Path(folder), size) as there,
                real_client(there.server, there.ann, Path(folder), size=(140, 40)) as seen,
            ):
                await seen.shows("Jump", seconds=120)
                await measure(f"{size.name}, messages", seen)
                seen.press("c")
                await measure(f"{size.name}, composer", seen)


if __name__ == "__main__":
    asyncio.run(main())
