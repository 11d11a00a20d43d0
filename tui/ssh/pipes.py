"""Bytes between a channel and descriptors, a little of them at a time. Knows no SSH."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

CHUNK: Final = 65_536
MOST_WAITING: Final = 4 * CHUNK
"""Bytes for a session that does not read; then the client is not read from either."""


class Source:
    """Reads a descriptor whenever somebody takes what it has."""

    def __init__(
        self, descriptor: int, take: Callable[[bytes], None], end: Callable[[], None]
    ) -> None:
        """`take` gets the bytes, `end` is called once at their end."""
        self._descriptor = descriptor
        self._take = take
        self._end = end
        self._is_paused = False
        self._loop = asyncio.get_running_loop()
        os.set_blocking(descriptor, False)
        self._loop.add_reader(descriptor, self._read)

    def pause(self) -> None:
        """Nobody takes more now: the kernel's buffer fills, and the session waits."""
        if self._descriptor >= 0:
            self._loop.remove_reader(self._descriptor)

    def resume(self) -> None:
        """Go on."""
        if self._descriptor >= 0:
            self._loop.add_reader(self._descriptor, self._read)

    def close(self) -> None:
        """Read no more; `end` is not called."""
        if self._descriptor >= 0:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = -1

    def _read(self) -> None:
        try:
            data = os.read(self._descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError:  # of a terminal whose session is gone
            data = b""
        if data:
            self._take(data)
        else:
            self.close()
            self._end()


class Target:
    """Writes to a descriptor; `pause` and `resume` are called where it takes less than comes."""

    def __init__(
        self, descriptor: int, pause: Callable[[], None], resume: Callable[[], None]
    ) -> None:
        self._descriptor = descriptor
        self._pause = pause
        self._resume = resume
        self._waiting = bytearray()
        self._is_ending = False
        self._is_paused = False
        self._loop = asyncio.get_running_loop()
        os.set_blocking(descriptor, False)

    def write(self, data: bytes) -> None:
        """Now, or when there is room."""
        if self._descriptor < 0:
            return
        was_empty = not self._waiting
        self._waiting += data
        if was_empty:
            self._flush()
        if len(self._waiting) > MOST_WAITING and not self._is_paused:
            self._is_paused = True
            self._pause()

    def end(self) -> None:
        """Nothing more comes."""
        self._is_ending = True
        if not self._waiting:
            self.close()

    def close(self) -> None:
        """Whatever waits is dropped."""
        if self._descriptor >= 0:
            self._loop.remove_writer(self._descriptor)
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = -1

    def _flush(self) -> None:
        try:
            del self._waiting[: os.write(self._descriptor, self._waiting)]
        except BlockingIOError:
            pass
        except OSError:
            self.close()
            return
        if self._waiting:
            self._loop.add_writer(self._descriptor, self._flush)
            return
        self._loop.remove_writer(self._descriptor)
        if self._is_paused:
            self._is_paused = False
            self._resume()
        if self._is_ending:
            self.close()
