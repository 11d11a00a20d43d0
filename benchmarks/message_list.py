"""Costs of the message list beside Textual's `OptionList` with as many items, in one run.

    python benchmarks/message_list.py --items 100000

CPU time of this process in milliseconds, as medians: wall time means little on a shared machine. A key's
cost runs from its action to the frame that shows it; the terminal's own painting is not in it. The process
is headless, so neither are the escape sequences.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

from textual.app import App, ComposeResult
from textual.content import Content
from textual.pilot import Pilot
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from tui.widgets.message_list import MessageList

WORDS = "the build is green again after the change of the cache so we can ship it on monday "
Times = dict[str, float]
Step = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Row:
    """A message of one to five lines."""

    key: int
    revision: int = 0
    selectable: bool = True

    @property
    def text(self) -> str:
        """A name and some words."""
        return f"person {self.key % 17}\n{WORDS * (1 + self.key % 4)}"

    def estimate(self, width: int) -> int:
        """Estimate the height from the number of words, without wrapping them."""
        return 3 + len(WORDS) * (1 + self.key % 4) // width


def draw(row: Row, width: int, selected: bool) -> list[Strip]:
    """Draw the text wrapped by Textual, and a blank line."""
    base = Style(reverse=selected)
    options = RenderOptions(lambda _: Style(), {}, None, None)
    return [*Content(row.text).render_strips(width, None, base, options), Strip.blank(width)]


class Bench(App[None]):
    """An app with one widget that fills the screen."""

    def __init__(self, shown: MessageList[Row] | OptionList) -> None:
        super().__init__()
        self.shown = shown

    def compose(self) -> ComposeResult:
        """Yield only the widget."""
        yield self.shown


async def settled(pilot: Pilot[None]) -> None:
    """Wait until the frame is on screen."""
    painted = asyncio.Event()
    pilot.app.screen.call_after_refresh(painted.set)
    await painted.wait()


async def cost(pilot: Pilot[None], step: Step) -> float:
    """Return CPU milliseconds from the step until its frame."""
    begin = time.process_time()
    await step()
    await settled(pilot)
    return (time.process_time() - begin) * 1000


async def action(pilot: Pilot[None], widget: Widget, name: str, times: int) -> float:
    """Return the median cost of a key's action."""
    step = partial(widget.run_action, name)
    return statistics.median([await cost(pilot, step) for _ in range(times)])


async def message_list(count: int, presses: int) -> Times:
    """Measure our message list."""
    rows = [Row(key) for key in range(count)]
    shown = MessageList[Row](draw)
    app = Bench(shown)
    times: Times = {}
    async with app.run_test(size=(100, 40)) as pilot:

        async def load() -> None:
            shown.open(rows)

        async def append() -> None:
            rows.append(Row(len(rows)))
            shown.update(rows)

        async def prepend() -> None:
            first = rows[0].key
            rows[:0] = [Row(key) for key in range(first - 100, first)]
            shown.update(rows)

        times["open at the newest"] = await cost(pilot, load)
        times["append 1 at the tail"] = statistics.median(
            [await cost(pilot, append) for _ in range(presses // 4)]
        )
        times["up"] = await action(pilot, shown, "step(-1)", presses)
        times["page up"] = await action(pilot, shown, "page(-1)", presses)
        times["page down"] = await action(pilot, shown, "page(1)", presses // 2)
        times["prepend 100"] = statistics.median(
            [await cost(pilot, prepend) for _ in range(presses // 4)]
        )
        await pilot.resize_terminal(80, 40)
        times["resize"] = await cost(pilot, lambda: pilot.resize_terminal(100, 40))
    return times


async def option_list(count: int, presses: int) -> Times:
    """Measure Textual's list; to prepend it must be rebuilt."""
    options = [Option(Content(Row(key).text)) for key in range(count)]
    shown = OptionList(markup=False)
    app = Bench(shown)
    times: Times = {}
    async with app.run_test(size=(100, 40)) as pilot:

        async def load() -> None:
            shown.add_options(options)
            shown.highlighted = count - 1
            await settled(pilot)

        async def append() -> None:
            shown.add_option(Option(Content(Row(shown.option_count).text)))
            shown.action_last()

        async def prepend() -> None:
            new = [Option(Content(Row(key).text)) for key in range(100)]
            old = [Option(option.prompt) for option in shown.options]
            shown.clear_options()
            shown.add_options([*new, *old])
            shown.highlighted = 100

        times["open at the newest"] = await cost(pilot, load)
        times["append 1 at the tail"] = await cost(pilot, append)
        times["up"] = await action(pilot, shown, "cursor_up", presses)
        times["page up"] = await action(pilot, shown, "page_up", presses)
        times["page down"] = await action(pilot, shown, "page_down", presses // 2)
        times["prepend 100"] = await cost(pilot, prepend)
        await pilot.resize_terminal(80, 40)
        times["resize"] = await cost(pilot, lambda: pilot.resize_terminal(100, 40))
    return times


def main() -> None:
    """Measure both and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--presses", type=int, default=60)
    given = parser.parse_args()
    ours = asyncio.run(message_list(given.items, given.presses))
    gc.collect()
    theirs = asyncio.run(option_list(given.items, given.presses))
    print(f"{given.items:,} items; CPU ms, median   message list   OptionList    ratio")
    for name, value in ours.items():
        other = theirs[name]
        print(f"{name:32} {value:14.2f} {other:12.2f} {other / max(value, 0.01):7.1f}x")


if __name__ == "__main__":
    main()
