"""Measures the client's start, and its memory then and after thousands of messages. Linux only.

CPU is that of the client's process, all threads, until a mark is on its terminal of 140×40, beside a
Textual app that does nothing, and zulip-terminal if it is installed, in the same run. The server is another
process, and already running. Rows to measure can be named: `python benchmarks/startup.py start memory`.
"""

import asyncio
import fcntl
import os
import pty
import select
import shutil
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import zulip_terminal
from benchmarks.costs import SIZE, Conversation, cpu, fill, pid_of, resident, say
from benchmarks.drawing import NOTHING, PEER, client, open_topic
from benchmarks.results import keep
from server_lite.store.instance_lock import server_info
from tests.large_organization import STORY, Large, large
from tests.real_terminal import RealTerminal
from tui.commands.sign_in import local_zuliprc
from tui.config import folders

ROUNDS: Final = 15
TIMEOUT: Final = 20.0
SETTLED_SECONDS: Final = 4.0
"""Time after which a start is complete."""
OPENING: Final = "opening…".encode()
"""Drawn before any data is known."""
USABLE: Final = b"Jump"
"""Among the keys shown at the bottom once a conversation is open."""
QUIT: Final = b"\x11"
MANY: Final = 5_000


def start(words: list[str], marks: list[bytes], *, settles: bool = False) -> dict[bytes, float]:
    """Run a command until all marks are on its terminal: returns the CPU until each one.

    If it `settles`, it continues for a while, and ends as a user ends it; else it is killed.
    """
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(words[0], words)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *reversed(SIZE), 0, 0))
    begin, output = time.perf_counter(), b""
    used: dict[bytes, float] = {}
    until = begin + TIMEOUT
    while time.perf_counter() < until:
        if select.select([terminal], [], [], 0.01)[0]:
            output += os.read(terminal, 65536)
            used |= {mark: cpu(pid) for mark in marks if mark in output and mark not in used}
        if len(used) == len(marks) and until == begin + TIMEOUT:
            until = time.perf_counter() + settles * SETTLED_SECONDS
    if settles:
        os.write(terminal, QUIT)
    else:
        os.kill(pid, signal.SIGKILL)
    _drain(terminal)
    os.waitpid(pid, 0)
    os.close(terminal)
    return used


def _drain(terminal: int) -> None:
    """Read until the program closes its end: a program that writes to a full pty never ends."""
    while True:
        try:
            if not os.read(terminal, 65536):
                return
        except OSError:
            return


def starting(home: Path, zuliprc: Path) -> None:
    """Measure starts in turn, so that a busy moment affects all of them."""
    chinwag = [sys.executable, "-m", "tui", "local"]
    nothing = [sys.executable, "-c", NOTHING]
    start(chinwag, [USABLE], settles=True)
    shutil.copytree(home / "cache", home / "cache kept")
    used: dict[str, list[float]] = {}
    compared = zulip_terminal.installed()
    usable = zulip_terminal.USABLE.encode()
    for _ in range(ROUNDS):
        used.setdefault(PEER, []).append(start(nothing, [b"ready"])[b"ready"])
        if compared:
            marks = start(zulip_terminal.command(zuliprc), [usable])
            used.setdefault(zulip_terminal.NAME, []).append(marks[usable])
        for of in ("without a cache", "from the cache"):
            shutil.rmtree(home / "cache", ignore_errors=True)
            if of == "from the cache":
                shutil.copytree(home / "cache kept", home / "cache")
            marks = start(chinwag, [OPENING, USABLE])
            used.setdefault(f"first frame {of}", []).append(marks[OPENING])
            used.setdefault(f"first usable frame {of}", []).append(marks[USABLE])
    floor = statistics.median(used.pop(PEER))
    theirs = used.pop(zulip_terminal.NAME, [])
    for name, milliseconds in used.items():
        middle = statistics.median(milliseconds)
        peers = {PEER: f"{floor:.0f} ms", "ratio": f"{middle / floor:.2f}"}
        if theirs and "usable" in name:
            peers[zulip_terminal.NAME] = f"{statistics.median(theirs):.0f} ms"
        keep(
            "start",
            f"CPU to the {name}",
            measured=f"{middle:.0f} ms",
            goal="≤ 1.3 × it",
            beside=peers,
        )


async def memory() -> None:
    """Measure memory at the start, and after messages in the open conversation and in others."""
    theirs: list[dict[str, str]] = [{}, {}]
    if zulip_terminal.installed():
        with tempfile.TemporaryDirectory() as name:
            async with (
                large(Path(name), STORY) as there,
                zulip_terminal.zulip_terminal(there, Path(name)) as seen,
            ):
                theirs[0] = {zulip_terminal.NAME: f"{resident(pid_of(seen)):.0f} MB"}
                here, other = await fill(there)
                await zulip_terminal.open_topic(seen, here)
                now = await grown(there, seen, [here, other])
                theirs[1] = {zulip_terminal.NAME: f"{now:.0f} MB"}
    async with client(STORY) as (there, seen):
        begun = resident(pid_of(seen))
        _keep_memory("memory at the start", begun, theirs[0])
        here, other = await open_topic(there, seen)
        at_start = {"at the start": f"{begun:.0f} MB"}
        for times, peer in ((1, theirs[1]), (2, {})):
            now = await grown(there, seen, [here, other])
            _keep_memory(f"memory after {times * MANY:,} messages", now, at_start | peer)


async def grown(there: Large, seen: RealTerminal, places: list[Conversation]) -> float:
    """Return a program's memory after many messages in these conversations in turn."""
    for number in range(0, MANY, 10):
        text = f"Line {number} of many words."
        await asyncio.gather(*(say(there, place, text) for place in places * 5))
    await seen.settle()
    await asyncio.sleep(SETTLED_SECONDS)
    return resident(pid_of(seen))


def _keep_memory(name: str, used: float, beside: dict[str, str]) -> None:
    keep("start", name, measured=f"{used:.0f} MB", goal="≤ 60 MB", beside=beside)


def main() -> None:
    """Measure everything, or the rows named by the arguments."""
    # Measured as installed, with compiled modules.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if "memory" in sys.argv or len(sys.argv) == 1:
        asyncio.run(memory())
    if "start" in sys.argv or len(sys.argv) == 1:
        with tempfile.TemporaryDirectory() as temporary:
            os.environ |= {"CHINWAG_HOME": temporary, "TERM": "xterm-256color"}
            os.environ["HOME"] = temporary
            zuliprc = asyncio.run(local_zuliprc(folders()))
            try:
                starting(Path(temporary), zuliprc)
            finally:
                server = server_info(folders().data / "chinwag.db")
                if server is not None:
                    os.kill(server.pid, signal.SIGTERM)


if __name__ == "__main__":
    main()
