"""Measures SSH sessions beside the local client: memory, CPU to open one, time to draw a key. Linux only."""

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
from tests.ssh_service import QUICK, SshService, ssh_service
from tests.warm_parent import SPIN
from tui.ssh.parent import launch

SESSIONS: Final = 30
KEYS: Final = 60
SPINNING: Final = 3
TICKS: Final = os.sysconf("SC_CLK_TCK")


def share(pid: int) -> float:
    """Return a process's proportional memory in MB."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return int(re.findall(r"^Pss: +(\d+)", text, re.MULTILINE)[0]) / 1024


def cpu(pid: int) -> float:
    """Return a process's CPU seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


async def letters(terminal: RealTerminal) -> list[float]:
    """Return milliseconds from each letter to the frame with it."""
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
    """Create a conversation with messages."""
    ann, ben, _ = await team(server)
    for number in range(100):
        words = f"message *{number}* with `code`"
        await ben.post("messages", type="stream", to="design", topic="tea", content=words)
    return ann, ben


async def measure_sessions(there: SshService, ann: Person) -> None:
    """Measure memory, CPU and time of thirty sessions, from a parent as the product starts it."""
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
    keep("ssh", "CPU of a session until it is idle", measured=f"{spent:.2f} s", goal="≤ 0.6 s",
         beside={})  # fmt: skip
    keep("ssh", "`ssh` until messages are shown, median", measured=f"{statistics.median(opened):.0f} ms",
         goal="", beside={})  # fmt: skip


async def measure_letters(
    server: Live, there: SshService, people: tuple[Person, Person], folder: Path
) -> None:
    """Measure a letter over SSH and in the local client, among idle sessions, then beside three that spin."""
    ann, ben = people
    key, other = there.let_in(ann), there.let_in(ben)
    async with AsyncExitStack() as stack:
        far = await stack.enter_async_context(there.terminal(key))
        near = await stack.enter_async_context(real_client(server, ben, folder))
        neighbors = [
            await stack.enter_async_context(there.terminal(other)) for _ in range(SPINNING)
        ]
        for each in (far, near, *neighbors):
            await each.shows("with code")
        rounds = [(await letters(far), await letters(near)) for _ in range(3)]
        for visit in there.service._visits:
            if visit.key == other.digest:
                os.kill(visit.running.pid, SPIN)
        beside = [(await letters(far), await letters(near)) for _ in range(3)]
    keep("ssh", "a letter until it is drawn, median", measured=f"{_median(rounds, 0):.1f} ms",
         goal="local + 5 ms", beside={"local client": f"{_median(rounds, 1):.1f} ms"})  # fmt: skip
    keep("ssh", f"the same beside {SPINNING} sessions that spin, from their first moment",
         measured=f"{_median(beside, 0):.1f} ms", goal="as without them",
         beside={"local client": f"{_median(beside, 1):.1f} ms"})  # fmt: skip


def _median(rounds: list[tuple[list[float], list[float]]], which: int) -> float:
    return statistics.median([each for both in rounds for each in both[which]])


async def main(folder: Path) -> None:
    """Measure everything."""
    limits = replace(
        QUICK, sessions_per_account=50, connections_per_address=60, unauthenticated_per_address=20
    )
    (folder / "letters").mkdir()
    async with live(folder) as server:
        people = await talk(server)
        async with ssh_service(server, folder, limits, launch=launch) as there:
            await measure_sessions(there, people[0])
        async with ssh_service(server, folder / "letters", limits) as there:
            await measure_letters(server, there, people, folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        asyncio.run(main(Path(made)))
