"""The client in a real terminal: a pseudo-terminal whose every byte is recorded."""

import asyncio
import contextlib
import fcntl
import os
import pty
import signal
import struct
import termios
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

ROWS: Final = 50
COLUMNS: Final = 180
QUIET: Final = 0.2
"""A terminal that got nothing for so long, in seconds, has got all of an answer.

Longer than programs wait to tell the key Escape from the beginning of another one.
"""


class Terminal:
    """What a program wrote to its terminal, as bytes."""

    def __init__(self, master: int) -> None:
        self.written = bytearray()
        self._master = master
        self._news = asyncio.Event()
        os.set_blocking(master, False)
        asyncio.get_running_loop().add_reader(master, self._read)

    def _read(self) -> None:
        try:
            self.written += os.read(self._master, 65_536)
        except OSError:  # the program has gone
            asyncio.get_running_loop().remove_reader(self._master)
        self._news.set()

    async def until(self, text: bytes, *, seconds: float = 20.0) -> None:
        """Wait until the program has written it."""
        async with asyncio.timeout(seconds):
            while text not in self.written:
                await self._hear()

    async def press(self, keys: bytes) -> None:
        """Type, and wait until nothing more comes."""
        self.answer(keys)
        await self.settle()

    def answer(self, data: bytes) -> None:
        """What a terminal sends by itself, when it was asked something."""
        os.write(self._master, data)

    async def settle(self) -> None:
        """Wait until nothing more comes."""
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(QUIET):
                    await self._hear()

    async def _hear(self) -> None:
        self._news.clear()
        await self._news.wait()


@asynccontextmanager
async def terminal(command: Sequence[str], environment: dict[str, str]) -> AsyncIterator[Terminal]:
    """Run a program in a new terminal; it is killed at the end of the block."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
    )
    os.close(slave)
    seen = Terminal(master)
    try:
        yield seen
    finally:
        asyncio.get_running_loop().remove_reader(master)
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        os.close(master)
