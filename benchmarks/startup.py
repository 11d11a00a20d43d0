"""From the command to the first frame, and to the last conversation, in a real terminal.

Starts `chinwag local` in a pty, with and without what the last run left in the cache, beside a bare
`import textual.app` in the same run: the ratios say more than the milliseconds of one machine.
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
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from server_lite.store.instance_lock import server_info
from tui.commands.sign_in import local_zuliprc
from tui.config import folders

ROUNDS = 7
PATIENCE = 20.0
FRAME = "opening…".encode()
"""Drawn before anything is known."""
MESSAGE = b"team, on a server that is yours"
"""Of the first message of the tour."""
QUIT = b"\x11"


def seen(words: list[str], marks: list[bytes]) -> list[float]:
    """Seconds after the start at which each mark was first on the screen of a command."""
    begin = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvp(words[0], words)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 32, 120, 0, 0))
    output = b""
    times: dict[bytes, float] = {}
    while len(times) < len(marks) and time.perf_counter() - begin < PATIENCE:
        if select.select([terminal], [], [], 0.05)[0]:
            output += os.read(terminal, 65536)
            now = time.perf_counter() - begin
            times |= {mark: now for mark in marks if mark in output and mark not in times}
    os.write(terminal, QUIT)
    _drain(terminal)
    os.waitpid(pid, 0)
    os.close(terminal)
    return [times.get(mark, float("nan")) for mark in marks]


def _drain(terminal: int) -> None:
    """Read until the program closes its end: who writes into a full pty never ends."""
    while True:
        try:
            if not os.read(terminal, 65536):
                return
        except OSError:
            return


def bare(code: str) -> float:
    """Seconds that Python takes for a line of code, from its start to its end."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begin


def measure(home: Path) -> dict[str, list[float]]:
    start = [sys.executable, "-m", "tui", "local"]
    figures: dict[str, list[float]] = {}

    def note(name: str, seconds: float) -> None:
        figures.setdefault(name, []).append(seconds)

    for _ in range(ROUNDS):
        note("python -c pass", bare("pass"))
        note("python -c 'import textual.app'", bare("import textual.app"))
        shutil.rmtree(home / "cache", ignore_errors=True)
        frame, message = seen(start, [FRAME, MESSAGE])
        note("first frame, nothing cached", frame)
        note("conversation, from the server", message)
        frame, message = seen(start, [FRAME, MESSAGE])
        note("first frame, cached", frame)
        note("conversation, from the cache", message)
    return figures


def main() -> None:
    with tempfile.TemporaryDirectory() as temporary:
        os.environ |= {"CHINWAG_HOME": temporary, "TERM": "xterm-256color"}
        asyncio.run(local_zuliprc(folders()))
        try:
            figures = measure(Path(temporary))
        finally:
            server = server_info(folders().data / "chinwag.db")
            if server is not None:
                os.kill(server.pid, signal.SIGTERM)
    base = statistics.median(figures["python -c 'import textual.app'"])
    for name, seconds in figures.items():
        middle = statistics.median(seconds)
        print(f"{name:<34} {middle * 1000:7.0f} ms   {middle / base:5.2f}")


if __name__ == "__main__":
    main()
