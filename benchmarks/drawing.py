"""Measures the client's cost of a key, a message, a frame: CPU and bytes in a real terminal of 140×40.

CPU is that of the client's process, all threads, beside a Textual app that does nothing, in the same run.
Wall times (sent → shown) include the server, the loopback network and the emulator. The goals are in the
rows. Rows to measure can be named: `python benchmarks/drawing.py jump flood`.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.results import keep
from tests.large_organization import SCALE, STORY, Large, large
from tests.large_rows import Size
from tests.real_terminal import RealTerminal, real_client, real_terminal

SIZE: Final = (140, 40)
PEER: Final = "do-nothing app"
PAUSE: Final = 0.12
"""Seconds between two events, so that each gets a frame of its own."""
JUMP: Final = Size(
    "jump", people=500, channels=60, topics=5_000, messages=8_000, unread=2_000, joined=12
)
NOTHING: Final = """
from textual.app import App
from textual.widgets import Input, Static
class Nothing(App):
    AUTO_FOCUS = None
    BINDINGS = [("j,k", "nothing", "Nothing")]
    def compose(self):
        yield Static("ready")
        yield Input(id="field")
    def action_nothing(self): pass
    def key_c(self): self.query_one(Input).focus()
Nothing().run()
"""


def cpu(seen: RealTerminal) -> float:
    """Return the milliseconds of CPU that the program's threads have used so far."""
    assert seen.process is not None
    tasks = Path(f"/proc/{seen.process.pid}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


async def each(
    seen: RealTerminal,
    events: Sequence[Callable[[], Awaitable[object] | None]],
    pause: float = PAUSE,
) -> tuple[float, float]:
    """Return CPU milliseconds and bytes of one event, as medians."""
    used: list[float] = []
    drawn: list[int] = []
    for event in events:
        before = cpu(seen), len(seen.written)
        if (work := event()) is not None:
            await work
        await asyncio.sleep(pause)
        used.append(cpu(seen) - before[0])
        drawn.append(len(seen.written) - before[1])
    return statistics.median(used), statistics.median(drawn)


def keys(seen: RealTerminal, names: str) -> list[Callable[[], None]]:
    """Return an event for each key."""
    return [partial(seen.press, name) for name in names.split()]


class Bench:
    """Rows with the peer's figures beside them."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = wanted
        self.peers: dict[str, str] = {}

    def wants(self, *names: str) -> bool:
        """Whether any of these rows is to be measured."""
        return not self._wanted or not set(names).isdisjoint(self._wanted)

    def cost(self, row: str, measured: tuple[float, float], goal: str, peer: str = "") -> None:
        """Store the CPU and the bytes of an event."""
        self.row(row, f"{measured[0]:.1f} ms, {measured[1]:.0f} B", goal, peer)

    def row(
        self,
        row: str,
        measured: str,
        goal: str,
        peer: str = "",
        beside: dict[str, str] | None = None,
    ) -> None:
        """Store a row, with the peer's figure of that name or others beside it."""
        peers = {PEER: self.peers[peer]} if peer in self.peers else {}
        keep("client", row, measured=measured, goal=goal, beside=peers | (beside or {}))


async def nothing(bench: Bench) -> None:
    """Measure the floor: the cost of Textual itself."""
    command = [sys.executable, "-c", NOTHING]
    async with real_terminal(command, {}, size=SIZE) as seen:
        await seen.shows("ready")
        await seen.settle()
        measured = await each(seen, keys(seen, "j k " * 15))
        bench.peers["key"] = f"{measured[0]:.1f} ms, {measured[1]:.0f} B"
        measured = await resizing(seen)
        bench.peers["resize"] = f"{measured[0]:.1f} ms, {measured[1]:.0f} B"
        seen.press("c")
        await seen.settle()
        measured = await each(seen, keys(seen, "h e l o " * 8))
        bench.peers["character"] = f"{measured[0]:.1f} ms, {measured[1]:.0f} B"


async def resizing(seen: RealTerminal) -> tuple[float, float]:
    """Resize to a few sizes, each with time for its second frame."""
    sizes = [(132, 40), (140, 40), (140, 36), (140, 40)] * 3
    events = [partial(seen.resize, *size) for size in sizes]
    return await each(seen, events, 0.5)


@asynccontextmanager
async def client(
    size: Size, *, config: str = "", narrow: str = ""
) -> AsyncIterator[tuple[Large, RealTerminal]]:
    """Yield the organization and Ann's client, settled in a conversation."""
    with tempfile.TemporaryDirectory() as folder:
        async with (
            large(Path(folder), size) as there,
            real_client(
                there.server, there.ann, Path(folder), size=SIZE, config=config, narrow=narrow
            ) as seen,
        ):
            await seen.shows("Jump", seconds=120)
            await asyncio.sleep(4 if size is STORY else 12)
            yield there, seen


async def topics(there: Large) -> tuple[str, str, str]:
    """Return a channel to which both are subscribed, and two of its topics."""
    mine = await there.ben.get("users/me/subscriptions")
    channel = mine["subscriptions"][0]
    listed = await there.ben.get(f"users/me/{channel['stream_id']}/topics")
    first, second, *_ = (each["name"] for each in listed["topics"])
    return channel["name"], first, second


async def say(there: Large, place: tuple[str, str], text: str) -> None:
    """Send a message as Ben."""
    answer = await there.ben.post(
        "messages", type="stream", to=place[0], topic=place[1], content=text
    )
    assert answer["result"] == "success", answer


async def open_topic(there: Large, seen: RealTerminal) -> tuple[tuple[str, str], tuple[str, str]]:
    """Open a topic with a screenful; returns it and another one, as (channel, topic)."""
    channel, _, second = await topics(there)
    here, other = (channel, "the benchmark"), (channel, second)
    for number in range(60):
        await say(
            there, here, f"A line of some words, number {number}.\n\nAnd what follows from it."
        )
    await seen.settle()
    seen.press("ctrl+k")
    await asyncio.sleep(2)
    seen.type("the benchmark")
    await asyncio.sleep(3)
    seen.press("enter")
    await seen.shows("Write to #", "the benchmark")
    await asyncio.sleep(2)
    seen.press("end")
    await seen.shows("number 59")
    await asyncio.sleep(2)
    await seen.settle()
    return here, other


async def reading(bench: Bench, size: Size) -> None:
    """Measure keys and messages while reading."""
    of = "" if size is STORY else ", large organization"
    async with client(size) as (there, seen):
        here, other = await open_topic(there, seen)
        if bench.wants("keys"):
            seen.press(*"kkkkk")
            await seen.settle()
            # Where nothing scrolls: the cursor moves up and down on the screen.
            measured = await each(seen, keys(seen, "k j k k j j " * 6))
            bench.cost(f"j or k{of}", measured, "≤ 3 ms, ≤ 1 KB", "key")
            measured = await each(seen, keys(seen, "pageup pageup pagedown pagedown " * 3))
            bench.cost(f"Page Up or Page Down{of}", measured, "")
            seen.press("end")
        if bench.wants("sidebar"):
            seen.press("shift+tab", *"jjj")
            await seen.settle()
            # Within one of its two parts, of which the upper one does not scroll.
            measured = await each(seen, keys(seen, "j j k k " * 5))
            bench.cost(
                f"j or k in the list of conversations{of}", measured, "≤ 3 ms, ≤ 1 KB", "key"
            )
            if size is STORY:  # a larger one has scrolled
                seen.press(*"kk")
                await seen.settle()
                measured = await each(seen, keys(seen, "k j " * 10))
                bench.cost("j or k from one part of that list to the other", measured, "", "key")
            seen.press("tab")
            await seen.settle()
        if bench.wants("elsewhere"):
            measured = await each(
                seen,
                [partial(say, there, other, f"Elsewhere {n}") for n in range(25)],
                0.3,
            )
            bench.cost(f"a message in another topic{of}", measured, "≤ 3 ms, ≤ 1 KB")
        if bench.wants("here"):
            measured = await each(
                seen,
                [partial(say, there, here, f"In view {n}") for n in range(25)],
                0.3,
            )
            bench.cost(f"a message in view{of}", measured, "≤ 6 ms")
        if bench.wants("resize"):
            measured = await resizing(seen)
            bench.cost(f"resize{of}", measured, "≤ 30 ms", "resize")
        if bench.wants("idle") and size is STORY:
            await asyncio.sleep(3)
            before = cpu(seen), time.monotonic()
            await asyncio.sleep(20)
            used = (cpu(seen) - before[0]) / (time.monotonic() - before[1]) / 10
            bench.row(f"idle{of}", f"{used:.2f} %", "≤ 0.3 %")
        if size is not STORY:
            return
        if bench.wants("help"):
            await opening(bench, seen)
        if bench.wants("typing"):
            await typing(bench, seen)
        if bench.wants("sent", "received"):
            await latency(bench, there, seen, here)
        if bench.wants("flood"):
            await flood(bench, there, seen, here)


async def opening(bench: Bench, seen: RealTerminal) -> None:
    """Measure help, the palette, a list: from the key until the card is on screen, and its CPU."""
    for name, key, text in (
        ("help (F1)", "f1", "Type to search"),
        ("palette (Ctrl+P)", "ctrl+p", "type a part of a name"),
        ("search (/)", "slash", "words, or sender:"),
    ):
        walls: list[float] = []
        used: list[float] = []
        for _ in range(7):
            before, begin = cpu(seen), time.perf_counter()
            seen.press(key)
            await seen.shows(text)
            walls.append((time.perf_counter() - begin) * 1e3)
            await asyncio.sleep(0.4)
            used.append(cpu(seen) - before)
            seen.press("escape")
            await seen.hides(text)
            await asyncio.sleep(0.3)
        bench.row(f"{name} opens first", f"{walls[0]:.0f} ms, CPU {used[0]:.0f} ms", "≤ 100 ms")
        bench.row(
            f"{name} opens",
            f"{statistics.median(walls[1:]):.0f} ms, CPU {statistics.median(used[1:]):.0f} ms",
            "≤ 100 ms",
        )


async def typing(bench: Bench, seen: RealTerminal) -> None:
    """Measure characters in the composer, without and with the preview."""
    seen.press("c")
    await seen.settle()
    measured = await each(seen, keys(seen, "h e l o w " * 6))
    bench.cost("a typed character", measured, "≤ 3 ms", "character")
    await turn_preview(seen)
    measured = await each(seen, keys(seen, "h e l o w " * 6), 0.3)
    bench.cost("a typed character with the preview", measured, "≤ 5 ms", "character")
    await turn_preview(seen)
    seen.press("ctrl+u")
    await asyncio.sleep(1)


def word(number: int) -> str:
    """Return a text that differs from the previous one in all characters, as only differences are written."""
    return "".join(chr(97 + (number * 7 + at * 5) % 26) for at in range(9))


async def turn_preview(seen: RealTerminal) -> None:
    """Toggle the preview by the leader key: this terminal sends no Alt."""
    seen.press("ctrl+g")
    await seen.settle()
    seen.press("r")
    await seen.settle()


async def latency(bench: Bench, there: Large, seen: RealTerminal, here: tuple[str, str]) -> None:
    """Measure wall time from Enter, and from another's request, to the text on screen."""
    seen.press("c")
    await seen.settle()
    walls: list[float] = []
    for number in range(15):
        text = word(number)
        seen.type(text)
        await asyncio.sleep(0.5)
        mark = len(seen.written)
        begin = time.perf_counter()
        seen.press("enter")
        await until(seen, text, mark)
        walls.append((time.perf_counter() - begin) * 1e3)
        await asyncio.sleep(0.5)
    bench.row("own message: Enter → shown", f"{statistics.median(walls):.0f} ms", "one frame")
    seen.press("escape")
    await seen.settle()
    walls = []
    answers: list[float] = []

    def answered(begin: float, _: asyncio.Future[object]) -> None:
        answers.append((time.perf_counter() - begin) * 1e3)

    for number in range(15):
        text = word(number + 50)
        mark = len(seen.written)
        begin = time.perf_counter()
        sending = asyncio.ensure_future(say(there, here, text))
        sending.add_done_callback(partial(answered, begin))
        await until(seen, text, mark)
        walls.append((time.perf_counter() - begin) * 1e3)
        await sending
        await asyncio.sleep(0.4)
    measured = f"{statistics.median(walls):.0f} ms"
    answer = {"the sender's answer": f"{statistics.median(answers):.0f} ms"}
    bench.row("another's message: sent → shown", measured, "≤ 30 ms", beside=answer)


async def until(seen: RealTerminal, text: str, mark: int) -> None:
    """Wait until a text was written since `mark`; without the emulator, which is slow."""
    while seen.written.find(text.encode(), mark) < 0:  # noqa: ASYNC110  # nothing tells it
        await asyncio.sleep(0.001)


async def flood(bench: Bench, there: Large, seen: RealTerminal, here: tuple[str, str]) -> None:
    """Measure many messages a second in view."""
    seen.press("end")
    for rate, goal in ((20, "≤ 15 %"), (100, "≤ 30 %")):
        await seen.settle()
        seconds, number = 6.0, 0
        before, begin = cpu(seen), time.monotonic()
        running: set[asyncio.Task[None]] = set()
        while (gone := time.monotonic() - begin) < seconds:
            while number < gone * rate and len(running) < 20:
                number += 1
                task = asyncio.create_task(say(there, here, f"flood {number} of many"))
                running.add(task)
                task.add_done_callback(running.discard)
            await asyncio.sleep(0.005)
        gone = time.monotonic() - begin
        used = (cpu(seen) - before) / gone / 10
        await asyncio.gather(*running)
        await asyncio.sleep(2)
        bench.row(
            f"flood of {rate} messages/s in view",
            f"{used:.0f} % at {number / gone:.0f}/s",
            goal,
        )


async def jumping(bench: Bench) -> None:
    """Measure Ctrl+K among 5,000 topics, and letters typed in it."""
    async with client(JUMP) as (_, seen):
        for _ in range(2):  # the first ones load the topics
            seen.press("ctrl+k")
            await asyncio.sleep(12)
            seen.press("escape")
            await asyncio.sleep(1)
        opened: list[float] = []
        letters: list[float] = []
        for _ in range(5):
            before = cpu(seen)
            seen.press("ctrl+k")
            await asyncio.sleep(1.0)
            opened.append(cpu(seen) - before)
            letters.append((await each(seen, keys(seen, "e n g r"), 0.5))[0])
            seen.press("escape")
            await asyncio.sleep(0.5)
        bench.row("Ctrl+K with 5,000 topics", f"{statistics.median(opened):.0f} ms", "≤ 50 ms")
        bench.row("a letter in it", f"{statistics.median(letters):.0f} ms", "≤ 10 ms")


async def main() -> None:
    """Measure everything, or the rows named by the arguments."""
    bench = Bench(sys.argv[1:])
    await nothing(bench)
    if bench.wants(
        "keys", "sidebar", "elsewhere", "here", "resize", "idle", "help", "typing", "sent", "flood"
    ):
        await reading(bench, STORY)
    if bench.wants("jump"):
        await jumping(bench)
    if bench.wants("scale"):
        await reading(bench, SCALE)


if __name__ == "__main__":
    asyncio.run(main())
