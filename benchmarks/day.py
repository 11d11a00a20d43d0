"""Measures the client's memory over a day of a busy team, compressed to minutes. Linux only.

20,000 messages of 300 people and all that happens among them (`busy_team.py`), connections that are lost, a queue that
expires; in a second day a user at the keyboard, too: thousands of keys in a terminal of 140×40. The client is started
as a person starts it. Memory is flat if what it takes in the second half of the day has no slope.
"""

import asyncio
import shutil
import signal
import statistics
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.busy_team import ANN, TEAM, DayServer, Team, admit
from benchmarks.costs import SIZE, idle, pid_of, resident
from benchmarks.results import keep
from tests.large_organization import file_of
from tests.large_rows import key_of
from tests.real_terminal import RealTerminal, real_terminal
from tui.accounts import Account, write_zuliprc

HOURS: Final = 12
MESSAGES_AN_HOUR: Final = 1_700
RATE: Final = 140.0
"""Messages a second, at most."""
SEED: Final = 2026
REST_SECONDS: Final = 6.0
"""A pause at the end of an hour, after which memory is measured: the only ones of a compressed day in which the client
rests for two seconds, as it does in each minute of a real one.
"""
ESCAPE_SECONDS: Final = 0.13
"""After which a program knows that Escape is no part of a sequence."""
KEY_SECONDS: Final = 0.015
KILLED, STOPPED, EXPIRED = "killed", "stopped", "expired"
THEME_HOURS: Final = (3, 9)
INCIDENTS: Final = {2: KILLED, 4: EXPIRED, 6: STOPPED, 8: KILLED, 10: EXPIRED}
"""What happens to the server at the end of an hour."""


class Hands:
    """The user at the keyboard, who does one thing after the other."""

    def __init__(self, seen: RealTerminal, chance: Random) -> None:
        self._seen = seen
        self._chance = chance
        self.keys = 0
        self.written: list[str] = []
        """Texts that were typed and left as drafts or sent."""
        self._acts: list[Callable[[], Awaitable[None]]] = [
            self._read,
            self._read,
            self._read_on,
            self._read_on,
            self._jump,
            self._jump,
            self._jump,
            self._dig,
            self._search,
            self._look_at_views,
            self._look_at_dialogs,
            self._look_at_message,
            self._react,
            self._compose,
            self._compose,
            self._use_sidebar,
            self._resize,
        ]

    async def act(self) -> None:
        """Do one thing."""
        await self._chance.choice(self._acts)()

    async def press(self, *keys: str, pause: float = KEY_SECONDS) -> None:
        """Press keys, each with a moment for its frame."""
        for key in keys:
            self.keys += 1
            self._seen.press(key)
            await asyncio.sleep(max(pause, ESCAPE_SECONDS) if key == "escape" else pause)

    async def type(self, text: str) -> None:
        """Type text."""
        await self.press(*({" ": "space"}.get(each, each) for each in text))

    def _word(self) -> str:
        return self._chance.choice(
            ("release", "eng", "budget", "naming", "subject", "ann", "project")
        )

    async def _read(self) -> None:
        await self.press(*self._chance.choices(("j", "k", "pageup", "pagedown", "j", "k"), k=25))

    async def _read_on(self) -> None:
        for _ in range(4):
            await self.press("n", *"jjj", pause=0.03)

    async def _jump(self) -> None:
        await self.press("ctrl+k", pause=0.05)
        await self.type(self._word())
        await self.press(*["down"] * self._chance.randrange(6), "enter")
        await self.press("escape", "end")

    async def _dig(self) -> None:
        """Scroll far up in what is open, and come back."""
        for _ in range(8):
            await self.press("home", *["pageup"] * 4, pause=0.03)
        await self.press("end")

    async def _search(self) -> None:
        await self.press("slash", pause=0.05)
        await self.type(
            self._chance.choice(("customer", "order", "sender:ann", "has:link", "naïve"))
        )
        await self.press("enter", pause=0.2)
        await self.press(*"kkkkjj", "pageup", "escape")

    async def _look_at_views(self) -> None:
        for key in ("f4", "f5", "f6", "f7", "f8"):
            await self.press(key, pause=0.05)
            await self.press("k", "k", "j", "pageup", "escape")
        await self.press("ctrl+g", "t", *"jjj", "escape", "f5")

    async def _look_at_dialogs(self) -> None:
        await self.press("f1", pause=0.05)
        await self.type("mute")
        await self.press("escape")
        await self.press("ctrl+p", pause=0.05)
        await self.type("sn")
        await self.press("escape")
        await self.press("f9", pause=0.05)
        await self.type("eng")
        await self.press("escape")
        await self.press("I", pause=0.05)
        await self.press("escape")

    async def _look_at_message(self) -> None:
        await self.press("k", "i", pause=0.05)
        await self.press("tab", "tab", "escape", pause=0.03)
        await self.press("k", "p", pause=0.05)
        await self.press("escape", "asterisk")

    async def _react(self) -> None:
        await self.press("k", "plus", pause=0.05)
        await self.type(self._chance.choice(("smi", "tad", "hea")))
        await self.press(self._chance.choice(("enter", "escape")), "escape")

    async def _compose(self) -> None:
        """Write something, which is sent, deleted, or left as a draft."""
        shows_preview = self._chance.random() < 0.3
        await self.press("c", pause=0.05)
        if shows_preview:
            await self.press("ctrl+g", "r", pause=0.05)
        text = f"written {self.keys} **of** the day"
        await self.type(text)
        if shows_preview:
            await self.press("ctrl+g", "r", pause=0.05)
        end = self._chance.choice(("send", "delete", "leave", "leave"))
        if end == "send":
            await self.press("enter", pause=0.05)
        elif end == "delete":
            await self.press(*["backspace"] * len(text))
        await self.press("escape")
        if end != "delete":
            self.written.append(text)

    async def _use_sidebar(self) -> None:
        await self.press("shift+tab", *"jjjkjj", "right_square_bracket", "enter")
        await self.press("ctrl+b", "ctrl+b", "ctrl+o", "ctrl+o", "escape", pause=0.03)

    async def _resize(self) -> None:
        for size in ((100, 30), (160, 45), (80, 24), SIZE):
            self._seen.resize(*size)
            await asyncio.sleep(0.15)

    async def change_theme(self) -> None:
        await self.press("ctrl+g", "c", "enter", pause=0.05)
        await self.press(*["down"] * self._chance.randrange(1, 4), "enter", "escape", pause=0.03)


class Day:
    """The server, the team, and Ann's client, with the memory that it took at the end of each hour."""

    def __init__(self, server: DayServer, team: Team, seen: RealTerminal, hands: Hands) -> None:
        self.server = server
        self.team = team
        self.seen = seen
        self.hands = hands
        self.sizes: list[float] = []
        """MB, at the start and at the end of each hour."""

    async def hour(self, number: int, *, is_watched: bool = False) -> None:
        """Let everybody do their things, then let the server fail, and measure. Who only watches has no hands."""
        if number in THEME_HOURS and not is_watched:
            await self.hands.change_theme()
        if number % 2:
            await self.team.read_all()
        talking = asyncio.create_task(self.team.talk(MESSAGES_AN_HOUR, RATE))
        while not talking.done() and not is_watched:
            await self.hands.act()
        await talking
        if number in INCIDENTS:
            await self._incident(INCIDENTS[number], acts=0 if is_watched else 2)
        await self.measure()

    async def measure(self) -> None:
        """Add what the client takes now."""
        await self.seen.settle()
        await asyncio.sleep(REST_SECONDS)
        self.sizes.append(resident(pid_of(self.seen)))

    async def _incident(self, kind: str, *, acts: int) -> None:
        await self.server.end(signal.SIGTERM if kind == STOPPED else signal.SIGKILL)
        for _ in range(acts):
            await self.hands.act()
        if kind == EXPIRED:
            self.server.forget_queues()
        await self.server.start()
        await self.team.connect()
        await self.hands.press("f12", pause=1.0)


@asynccontextmanager
async def day(command: Sequence[str] = (sys.executable, "-m", "tui")) -> AsyncIterator[Day]:
    """Yield the morning of a day; `command` starts the client."""
    with tempfile.TemporaryDirectory() as name:
        folder, chance = Path(name), Random(SEED)  # the same day each time
        shutil.copyfile(file_of(TEAM), folder / "chinwag.db")
        admit(folder / "chinwag.db")
        server = DayServer(folder / "chinwag.db")
        await server.start()
        try:
            team = Team(server, TEAM.people, chance)
            await team.meet()
            zuliprc = folder / "zuliprc"
            account = Account(site=server.url, email="ann@example.com", key=key_of(ANN))
            write_zuliprc(zuliprc, account)
            words = [*command, "--zuliprc", str(zuliprc)]
            home = {"CHINWAG_HOME": str(folder / "home")}
            async with real_terminal(words, home, size=SIZE, emulates=False) as seen:
                await seen.until(b"Jump", seconds=60)
                await asyncio.sleep(4)
                there = Day(server, team, seen, Hands(seen, Random(SEED)))
                await there.measure()
                yield there
        finally:
            await server.end()


def slope(sizes: Sequence[float]) -> float:
    """Return by how much each is larger than the one before, on the whole."""
    return statistics.linear_regression(range(len(sizes)), sizes).slope


async def measure(row: str, goal: str, *, is_watched: bool) -> None:
    """Measure a day."""
    async with day() as there:
        for number in range(1, HOURS + 1):
            await there.hour(number, is_watched=is_watched)
        used = await idle(there.seen)
    sizes = there.sizes
    later = sizes[len(sizes) // 2 :]
    keep(
        "start",
        row,
        measured=f"{sizes[-1]:.0f} MB",
        goal=goal,
        beside={
            "at the start": f"{sizes[0]:.0f} MB",
            "most": f"{max(sizes):.0f} MB",
            "growth in the second half": f"{slope(later) * (len(later) - 1):+.1f} MB",
            "idle then": used,
            "messages": f"{there.team.sent:,}",
            "keys": f"{there.hands.keys:,}",
        },
    )


async def main() -> None:
    """Measure a day in which the user watches, and one at the keyboard."""
    await measure("memory after a day of traffic", "≤ 60 MB, flat", is_watched=True)
    await measure("memory after a day of traffic and keys", "flat", is_watched=False)


if __name__ == "__main__":
    asyncio.run(main())
