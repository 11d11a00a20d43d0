"""Copies bytes between a channel and descriptors, in small pieces. Knows no SSH."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Final

CHUNK: Final = 65_536
MOST_WAITING: Final = 4 * CHUNK
"""Most bytes that wait for a session; then the client is not read from either."""


class Source:
    """Reads a descriptor unless paused."""

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
        """Stop reading: the kernel's buffer fills, and the session waits."""
        if self._descriptor >= 0:
            self._loop.remove_reader(self._descriptor)

    def resume(self) -> None:
        """Go on reading."""
        if self._descriptor >= 0:
            self._loop.add_reader(self._descriptor, self._read)

    def close(self) -> None:
        """Close the descriptor; `end` is not called."""
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
    """Writes to a descriptor; `pause` and `resume` are called when it takes less than comes."""

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
        """Write now, or when there is room."""
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
        """Close after the waiting bytes are written."""
        self._is_ending = True
        if not self._waiting:
            self.close()

    def close(self) -> None:
        """Close now; waiting bytes are dropped."""
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
