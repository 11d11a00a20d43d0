"""Measures the client's cost of a key, a message, a frame: CPU and bytes in a real terminal of 140×40.

Beside it are, in the same run, a Textual app that does nothing, and zulip-terminal if it is installed. The
goals are in the rows. Rows to measure can be named: `python benchmarks/drawing.py jump flood`.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import zulip_terminal
from benchmarks.costs import (
    SIZE,
    Conversation,
    Cost,
    cpu,
    each,
    fill,
    flood,
    idle,
    keys,
    pid_of,
    resizing,
    said,
)
from benchmarks.results import keep
from tests.large_organization import SCALE, STORY, Large, large
from tests.large_rows import Size
from tests.real_terminal import RealTerminal, real_client, real_terminal

PEER: Final = "do-nothing app"
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


class Bench:
    """Rows with the peer's figures beside them."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = wanted
        self.peers: dict[str, dict[str, str]] = {}
        """By the name of the program and of what is measured."""

    def wants(self, *names: str) -> bool:
        """Whether any of these rows is to be measured."""
        return not self._wanted or not set(names).isdisjoint(self._wanted)

    def row(self, row: str, measured: Cost | str, goal: str = "", peer: str = "") -> None:
        """Store a row, with the peers' figures of that name beside it."""
        beside = {name: figures[peer] for name, figures in self.peers.items() if peer in figures}
        keep("client", row, measured=str(measured), goal=goal, beside=beside)


async def nothing(bench: Bench) -> None:
    """Measure the floor: the cost of Textual itself."""
    command = [sys.executable, "-c", NOTHING]
    async with real_terminal(command, {}, size=SIZE) as seen:
        await seen.shows("ready")
        await seen.settle()
        key = str(await each(seen, keys(seen, "j k " * 15)))
        resize = str(await resizing(seen))
        seen.press("c")
        await seen.settle()
        character = str(await each(seen, keys(seen, "h e l o " * 8)))
    bench.peers[PEER] = {
        "key": key,
        "key in the list": key,
        "key across it": key,
        "resize": resize,
        "character": character,
        "preview": character,
    }


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


async def open_topic(there: Large, seen: RealTerminal) -> tuple[Conversation, Conversation]:
    """Open a topic with a screenful; returns it and another one."""
    here, other = await fill(there)
    await seen.settle()
    seen.press("ctrl+k")
    await asyncio.sleep(2)
    seen.type(here[1])
    await asyncio.sleep(3)
    seen.press("enter")
    await seen.shows("Write to #", here[1])
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
            bench.row(f"j or k{of}", measured, "≤ 3 ms, ≤ 1 KB", "key")
            measured = await each(seen, keys(seen, "pageup pageup pagedown pagedown " * 3))
            bench.row(f"Page Up or Page Down{of}", measured, peer="page")
            seen.press("end")
        if bench.wants("sidebar"):
            seen.press("shift+tab", *"jjj")
            await seen.settle()
            # Within one of its two parts, of which the upper one does not scroll.
            measured = await each(seen, keys(seen, "j j k k " * 5))
            bench.row(
                f"j or k in the list of conversations{of}",
                measured,
                "≤ 3 ms, ≤ 1 KB",
                "key in the list",
            )
            if size is STORY:  # a larger one has scrolled
                seen.press(*"kk")
                await seen.settle()
                measured = await each(seen, keys(seen, "k j " * 10))
                bench.row(
                    "j or k from one part of that list to the other",
                    measured,
                    peer="key across it",
                )
            seen.press("tab")
            await seen.settle()
        if bench.wants("elsewhere"):
            measured = await said(seen, there, other, "Elsewhere")
            bench.row(f"a message in another topic{of}", measured, "≤ 3 ms, ≤ 1 KB", "elsewhere")
        if bench.wants("here"):
            measured = await said(seen, there, here, "In view")
            bench.row(f"a message in view{of}", measured, "≤ 6 ms", "here")
        if bench.wants("resize"):
            measured = await resizing(seen)
            bench.row(f"resize{of}", measured, "≤ 30 ms", "resize")
        if bench.wants("idle"):
            bench.row(f"idle{of}", await idle(seen), "≤ 0.3 %", "idle")
        if size is not STORY:
            return
        if bench.wants("help"):
            await opening(bench, seen)
        if bench.wants("typing"):
            await typing(bench, seen)
        if bench.wants("flood"):
            seen.press("end")
            for rate, goal in ((20, "≤ 15 %"), (100, "≤ 30 %")):
                used = await flood(seen, there, here, rate)
                bench.row(f"flood of {rate} messages/s in view", used, goal, f"flood of {rate}")


async def beside(bench: Bench, size: Size) -> None:
    """Measure zulip-terminal, if it is installed."""
    if not zulip_terminal.installed():
        return
    with tempfile.TemporaryDirectory() as folder:
        async with large(Path(folder), size) as there:
            bench.peers[zulip_terminal.NAME] = await zulip_terminal.costs(
                there, Path(folder), bench.wants
            )


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
            before, begin = cpu(pid_of(seen)), time.perf_counter()
            seen.press(key)
            await seen.shows(text)
            walls.append((time.perf_counter() - begin) * 1e3)
            await asyncio.sleep(0.4)
            used.append(cpu(pid_of(seen)) - before)
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
    bench.row("a typed character", measured, "≤ 3 ms", "character")
    await turn_preview(seen)
    measured = await each(seen, keys(seen, "h e l o w " * 6), 0.3)
    bench.row("a typed character with the preview", measured, "≤ 5 ms", "preview")
    await turn_preview(seen)
    seen.press("ctrl+u")
    await asyncio.sleep(1)


async def turn_preview(seen: RealTerminal) -> None:
    """Toggle the preview by the leader key: this terminal sends no Alt."""
    seen.press("ctrl+g")
    await seen.settle()
    seen.press("r")
    await seen.settle()


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
            before = cpu(pid_of(seen))
            seen.press("ctrl+k")
            await asyncio.sleep(1.0)
            opened.append(cpu(pid_of(seen)) - before)
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
        "keys", "sidebar", "elsewhere", "here", "resize", "idle", "help", "typing", "flood"
    ):
        await beside(bench, STORY)
        await reading(bench, STORY)
    if bench.wants("jump"):
        await jumping(bench)
    if bench.wants("scale"):
        await beside(bench, SCALE)
        await reading(bench, SCALE)


if __name__ == "__main__":
    asyncio.run(main())
