"""Sessions over SSH: memory each, CPU to open one, and a key until it is drawn, beside the local client. Linux only."""

import asyncio
import os
import re
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.results import keep
from tests.e2e.team import team
from tests.live import Live, Person, live
from tests.real_terminal import RealTerminal, real_client
from tests.ssh_service import QUICK, ssh_service

SESSIONS: Final = 30
KEYS: Final = 60
TICKS: Final = os.sysconf("SC_CLK_TCK")


def share(pid: int) -> float:
    """Proportional memory in MB."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.findall(r"^Pss: +(\d+)", text, re.MULTILINE)[0]) / 1024


def cpu(pid: int) -> float:
    """Seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def letters(terminal: RealTerminal) -> list[float]:
    """Milliseconds from a letter to the frame with it."""
    terminal.press("c")
    await terminal.settle()
    took = []
    for number in range(KEYS):
        before = len(terminal.written)
        began = time.perf_counter()
        terminal.press("abcdefghij"[number % 10])
        while len(terminal.written) == before:
            await terminal._hear()
        took.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.03)
    return took


async def talk(server: Live) -> tuple[Person, Person]:
    """A conversation with something in it."""
    ann, ben, _ = await team(server)
    for number in range(100):
        words = f"message *{number}* with `code`"
        await ben.post("messages", type="stream", to="design", topic="tea", content=words)
    return ann, ben


async def main(folder: Path) -> None:
    """All figures."""
    limits = replace(
        QUICK, sessions_per_account=50, connections_per_address=60, unauthenticated_per_address=20
    )
    async with live(folder) as server, ssh_service(server, folder, limits) as there:
        ann, ben = await talk(server)
        key = there.let_in(ann)
        async with AsyncExitStack() as stack:
            opened = []
            for _ in range(SESSIONS):
                began = time.perf_counter()
                terminal = await stack.enter_async_context(there.terminal(key))
                await terminal.shows("with code")
                opened.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(5)
            pids = [visit.running.pid for visit in there.service._visits]
            memory = statistics.mean(map(share, pids))
            spent = statistics.mean(map(cpu, pids))
        keep("ssh", f"memory of a session, mean of {SESSIONS} idle ones", measured=f"{memory:.1f} MB",
             goal="≤ 35 MB", beside={})  # fmt: skip
        keep(
            "ssh",
            "CPU of a session until it is idle",
            measured=f"{spent:.2f} s",
            goal="≤ 0.6 s",
            beside={},
        )
        keep("ssh", "`ssh` until messages are shown, median", measured=f"{statistics.median(opened):.0f} ms",
             goal="", beside={})  # fmt: skip
        async with (
            there.terminal(key) as far,
            real_client(server, ben, folder) as near,
        ):
            await far.shows("with code")
            await near.shows("with code")
            rounds = [(await letters(far), await letters(near)) for _ in range(3)]
        over = statistics.median([each for one, _ in rounds for each in one])
        local = statistics.median([each for _, one in rounds for each in one])
        keep("ssh", "a letter until it is drawn, median", measured=f"{over:.1f} ms", goal="local + 5 ms",
             beside={"local client": f"{local:.1f} ms"})  # fmt: skip


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(Path(made)))
