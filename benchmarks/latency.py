"""Measures how soon the client draws: after a key, after Enter, after another user's message; beside zulip-terminal.

Times are wall times of a terminal of 140×40, measured in the same way for both (`until_drawn`). Keys go to both in
turn, so that a busy moment affects both. The first bytes after a key count: of zulip-terminal often those that hide
the cursor. Messages go to one after the other, since both would draw at the same time. They include the loopback
network and the server, which runs in this process; zulip-terminal sends with Ctrl+D.
Rows to measure can be named: `python benchmarks/latency.py keys sent received`.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import zulip_terminal
from benchmarks.costs import Conversation, say, until_drawn
from benchmarks.drawing import Bench, client, open_topic
from benchmarks.results import keep
from tests.large_organization import STORY, Large
from tests.real_terminal import RealTerminal

KEYS: Final = 90
MESSAGES: Final = 25
REST: Final = 0.15
"""Seconds after a frame, in which all that followed from it is done."""
CHINWAG: Final = "Chinwag"

Figures = dict[str, list[float]]
"""Milliseconds, by program (or by what is beside them)."""


def word(number: int) -> str:
    """Return a text that differs from the previous one in all characters, as only differences are written."""
    return "".join(chr(97 + (number * 7 + at * 5) % 26) for at in range(9))


def row(name: str, goal: str, figures: Figures) -> None:
    """Store the client's figures beside those of others."""
    texts = {program: _text(milliseconds) for program, milliseconds in figures.items()}
    keep("client", name, measured=texts.pop(CHINWAG), goal=goal, beside=texts)


def _text(milliseconds: list[float]) -> str:
    ordered = sorted(milliseconds)
    last = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
    return f"{statistics.median(ordered):.1f} ms (p95 {last:.1f})"


async def frames(programs: dict[str, RealTerminal], names: str) -> Figures:
    """Press keys in all programs in turn, and return the time to the first bytes after each."""
    figures: Figures = {program: [] for program in programs}
    pressed = names.split()
    for number in range(KEYS):
        for program, seen in programs.items():
            press = partial(seen.press, pressed[number % len(pressed)])
            figures[program].append(await until_drawn(seen, press))
            await asyncio.sleep(REST)
    return figures


async def sent(seen: RealTerminal, opens: str, sends: str) -> list[float]:
    """Return the times from the key that sends until one's own message is drawn in the list."""
    seen.press(opens)
    await seen.settle()
    walls: list[float] = []
    for number in range(MESSAGES):
        text = word(number)
        seen.type(text)
        await seen.settle()
        walls.append(await until_drawn(seen, partial(seen.press, sends), text))
        await asyncio.sleep(0.5)
    seen.press("escape")
    await seen.settle()
    return walls


async def received(
    seen: RealTerminal, there: Large, place: Conversation
) -> tuple[list[float], list[float]]:
    """Return the times from another user's request until their message is drawn, and until it is answered."""
    walls: list[float] = []
    answers: list[float] = []

    async def request(text: str) -> None:
        begin = time.perf_counter()
        await say(there, place, text)
        answers.append((time.perf_counter() - begin) * 1e3)

    async with asyncio.TaskGroup() as requests:
        for number in range(MESSAGES):
            text = word(number + 50)
            send = partial(requests.create_task, request(text))
            walls.append(await until_drawn(seen, send, text))
            await asyncio.sleep(0.4)
    return walls, answers


async def in_turn(programs: dict[str, RealTerminal]) -> None:
    """Measure keys in the list and in the composer."""
    goal = f"< {zulip_terminal.NAME}'s"
    for seen in programs.values():
        seen.press(*"kkkkk")
        await seen.settle()
    row("key → frame", goal, await frames(programs, "k j k k j j"))
    for seen in programs.values():
        seen.press("r")  # replies to the message, in both
        await seen.settle()
    row("typed character → frame", goal, await frames(programs, "h e l o w"))
    for seen in programs.values():
        seen.press("ctrl+u")
        await seen.settle()
        seen.press("escape")
        await seen.settle()


async def main() -> None:
    """Measure everything, or the rows named by the arguments."""
    bench = Bench(sys.argv[1:])
    own, others = Figures(), Figures()
    async with client(STORY) as (there, seen), AsyncExitStack() as stack:
        here, _ = await open_topic(there, seen)
        if bench.wants("sent"):
            own[CHINWAG] = await sent(seen, "c", "enter")
        if bench.wants("received"):
            others[CHINWAG], others["the sender's answer"] = await received(seen, there, here)
        programs = {CHINWAG: seen}
        if zulip_terminal.installed():
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            peer = await stack.enter_async_context(zulip_terminal.zulip_terminal(there, folder))
            await zulip_terminal.open_topic(peer, here)
            programs[zulip_terminal.NAME] = peer
        if bench.wants("keys"):
            await in_turn(programs)
        if peers := programs.keys() - {CHINWAG}:
            seen.press("ctrl+q")
            await seen.exits()
        for name in peers:
            if bench.wants("sent"):
                await zulip_terminal.open_new_topic(there, programs[name], (here[0], "one's own"))
                own[name] = await sent(programs[name], "r", "ctrl+d")
            if bench.wants("received"):
                place = here[0], "another's"
                await zulip_terminal.open_new_topic(there, programs[name], place)
                others[name], _ = await received(programs[name], there, place)
    if own:
        row("own message: Enter → shown", "one frame", own)
    if others:
        row("another's message: sent → shown", "≤ 30 ms", others)


if __name__ == "__main__":
    asyncio.run(main())
