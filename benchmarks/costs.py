"""Measures what an event costs a program in a terminal: CPU, bytes, time until it is drawn. Knows no program. Linux only.

CPU is that of the program's process, all threads. Times end when output is read, before the emulator
shows it: the emulator takes longer than most programs.
"""

import asyncio
import os
import statistics
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from tests.large_organization import Large
from tests.real_terminal import RealTerminal

SIZE: Final = (140, 40)
PAUSE: Final = 0.12
"""Seconds between two events, so that each gets a frame of its own."""
IDLE_SECONDS: Final = 20.0

Conversation = tuple[str, str]
"""A channel and a topic."""


class Cost(NamedTuple):
    """Milliseconds of CPU, and bytes written."""

    milliseconds: float
    size: float

    def __str__(self) -> str:
        return f"{self.milliseconds:.1f} ms, {self.size:.0f} B"


def cpu(pid: int) -> float:
    """Return the milliseconds of CPU that a process's threads have used so far."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def resident(pid: int) -> float:
    """Return a process's memory in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def pid_of(seen: RealTerminal) -> int:
    """Return the process in a terminal."""
    assert seen.process is not None
    return seen.process.pid


async def each(
    seen: RealTerminal,
    events: Sequence[Callable[[], Awaitable[object] | None]],
    pause: float = PAUSE,
) -> Cost:
    """Return the cost of one event, as medians."""
    used: list[float] = []
    drawn: list[int] = []
    for event in events:
        before = cpu(pid_of(seen)), len(seen.written)
        if (work := event()) is not None:
            await work
        await asyncio.sleep(pause)
        used.append(cpu(pid_of(seen)) - before[0])
        drawn.append(len(seen.written) - before[1])
    return Cost(statistics.median(used), statistics.median(drawn))


def keys(seen: RealTerminal, names: str) -> list[Callable[[], None]]:
    """Return an event for each key."""
    return [partial(seen.press, name) for name in names.split()]


async def resizing(seen: RealTerminal) -> Cost:
    """Resize to a few sizes, each with time for its second frame."""
    sizes = [(132, 40), (140, 40), (140, 36), (140, 40)] * 3
    return await each(seen, [partial(seen.resize, *size) for size in sizes], 0.5)


async def said(seen: RealTerminal, there: Large, place: Conversation, text: str) -> Cost:
    """Return the cost of a message of another user."""
    return await each(seen, [partial(say, there, place, f"{text} {n}") for n in range(25)], 0.3)


async def idle(seen: RealTerminal) -> str:
    """Return the percentage of a core that a program uses while nothing happens."""
    await asyncio.sleep(3)
    before, begin = cpu(pid_of(seen)), time.monotonic()
    await asyncio.sleep(IDLE_SECONDS)
    used = (cpu(pid_of(seen)) - before) / (time.monotonic() - begin) / 10
    return f"{used:.2f} %"


async def flood(seen: RealTerminal, there: Large, here: Conversation, rate: int) -> str:
    """Return the percentage of a core while many messages a second come, and how many came."""
    await seen.settle()
    seconds, number = 6.0, 0
    before, begin = cpu(pid_of(seen)), time.monotonic()
    running: set[asyncio.Task[None]] = set()
    while (gone := time.monotonic() - begin) < seconds:
        while number < gone * rate and len(running) < 20:
            number += 1
            task = asyncio.create_task(say(there, here, f"flood {number} of many"))
            running.add(task)
            task.add_done_callback(running.discard)
        await asyncio.sleep(0.005)
    gone = time.monotonic() - begin
    used = (cpu(pid_of(seen)) - before) / gone / 10
    await asyncio.gather(*running)
    await asyncio.sleep(2)
    return f"{used:.0f} % at {number / gone:.0f}/s"


async def say(there: Large, place: Conversation, text: str) -> None:
    """Send a message as Ben."""
    answer = await there.ben.post(
        "messages", type="stream", to=place[0], topic=place[1], content=text
    )
    assert answer["result"] == "success", answer


async def fill(there: Large) -> tuple[Conversation, Conversation]:
    """Say a screenful in a topic of a channel of both users; returns it and another one of that channel."""
    mine = await there.ben.get("users/me/subscriptions")
    channel = mine["subscriptions"][0]
    listed = await there.ben.get(f"users/me/{channel['stream_id']}/topics")
    other = listed["topics"][1]["name"]
    here = channel["name"], "the benchmark"
    for number in range(60):
        await say(
            there, here, f"A line of some words, number {number}.\n\nAnd what follows from it."
        )
    return here, (channel["name"], other)


async def until_drawn(
    seen: RealTerminal, event: Callable[[], object], text: str = "", seconds: float = 10.0
) -> float:
    """Return the milliseconds from before an event until output comes, or until a text was written."""
    mark, data = len(seen.written), text.encode()
    drawn: asyncio.Future[float] = asyncio.get_running_loop().create_future()

    def look() -> None:
        if not drawn.done() and seen.written.find(data, mark) >= 0:
            drawn.set_result(time.perf_counter())

    seen.on_output = look
    try:
        begin = time.perf_counter()
        event()
        return (await asyncio.wait_for(drawn, seconds) - begin) * 1e3
    finally:
        seen.on_output = None
