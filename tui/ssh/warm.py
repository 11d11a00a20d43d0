"""The parent of all sessions: runs the client once, and forks for each. No asyncio, no keys.

python -P -m tui.ssh.warm DESCRIPTOR   (of the socket to the front process)

It has one thread, one socket, and no user's data: a session inherits only the program. Each request is a
line of JSON with the session's descriptors; each beginning and end is reported by a line.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final

from tui.ssh import child, rehearsal
from tui.ssh.session_request import decoded

MOST_DESCRIPTORS: Final = 4
ROW: Final = 2**13
"""Bytes of objects that lie side by side: half of what Python allocates at once for those of one size. There
were no gaps left.
"""
MOST_OF_A_SIZE: Final = 100_000
LARGEST_SMALL: Final = 512
"""Bytes of the largest object that Python allocates among others of its size."""
_filling: Final[list[object]] = []


class Parent:
    """Forks sessions, and reports those that ended, until the front process ends."""

    def __init__(self, front: socket.socket) -> None:
        self._front = front
        self._sessions: dict[int, int] = {}
        """The numbers of sessions by process."""

    def run(self) -> None:
        """Run until the front process is gone; then the sessions end too."""
        ended, wake = os.pipe()
        os.set_blocking(ended, False)
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self._tell({"ready": True})
        while True:
            ready, _, _ = select.select([self._front.fileno(), ended], [], [])
            if ended in ready:
                with suppress(BlockingIOError):
                    os.read(ended, 4096)
                self._reap()
            if self._front.fileno() in ready and not self._open():
                break
        for pid in self._sessions:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGHUP)

    def _open(self) -> bool:
        line, descriptors, _, _ = socket.recv_fds(self._front, 65_536, MOST_DESCRIPTORS)
        while line and not line.endswith(b"\n"):
            line += self._front.recv(65_536)
        if not line:
            return False
        number = json.loads(line)["number"]
        assert threading.active_count() == 1, "a fork would copy locks that another thread holds"
        pid = os.fork()
        if pid == 0:
            os._exit(self._become_session(line, descriptors))
        for each in descriptors:
            os.close(each)
        self._sessions[pid] = number
        self._tell({"started": number, "pid": pid})
        return True

    def _become_session(self, line: bytes, descriptors: list[int]) -> int:
        """Become the session, in the child, without the parent's open files."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            kept = child.take_over(descriptors)
            request = json.loads(line)
            del request["number"]
            return child.run(decoded(json.dumps(request).encode()), kept)
        except BaseException as error:  # noqa: BLE001  # the parent's code must not go on in the child
            with suppress(Exception):
                child.report_crash(error)
            return 70

    def _reap(self) -> None:
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            number = self._sessions.pop(pid, None)
            if number is not None:
                cpu = usage.ru_utime + usage.ru_stime
                code = os.waitstatus_to_exitcode(status)
                self._tell({"ended": number, "status": code, "cpu": cpu, "rss": usage.ru_maxrss})

    def _tell(self, what: dict[str, object]) -> None:
        with suppress(OSError):  # the front process is gone, which the next turn finds
            self._front.sendall(json.dumps(what).encode() + b"\n")


def fill_gaps() -> Iterator[list[object]]:
    """Fill the free memory between loaded objects with small objects of each size; yield them.

    The memory of a session is copied from the parent's page by page, when something on a page changes. A
    session that put its own objects into those gaps would copy hundreds of pages for them; so they come
    together, on pages of their own.
    """
    header = sys.getsizeof(b"")
    makers: dict[int, Callable[[], object]] = {16: object, 32: lambda: float(MOST_OF_A_SIZE)}
    makers |= {size: partial(bytes, size - header) for size in range(48, LARGEST_SMALL + 1, 16)}
    for size, make in makers.items():
        filling: list[object] = []
        last = in_a_row = 0
        while in_a_row < ROW // size and len(filling) < MOST_OF_A_SIZE:
            filling.append(make())
            in_a_row = in_a_row + 1 if id(filling[-1]) == last + size else 0
            last = id(filling[-1])
        yield filling


def warm_up() -> None:
    """Load and rehearse; the garbage collector never looks at the loaded objects again."""
    os.umask(0o077)
    gc.disable()
    rehearsal.load_everything()
    rehearsal.rehearse()
    gc.collect()
    _filling.extend(fill_gaps())
    gc.freeze()  # the first collection of a session would copy everything
    gc.enable()
    gc.set_threshold(10_000, 20, 100)  # a session's garbage is on its own, copied pages too


def main() -> int:
    """Load, rehearse, fork."""
    front = socket.socket(fileno=int(sys.argv[1]))
    warm_up()
    Parent(front).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
