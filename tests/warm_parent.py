"""A warm parent process for all tests of SSH: it has loaded the client once, and is forked for each test.

In the product each service warms up a parent of its own, which takes seconds. Here a copy of a warm one
serves a test's service; only loaded modules are shared. Run as a program, this is the process to fork. A
session that gets `SPIN` loops forever.
"""

import contextlib
import os
import signal
import socket
import sys
from dataclasses import dataclass
from typing import Final, NoReturn

from tests import forked
from tui.ssh import warm
from tui.ssh.parent import Process

SPIN: Final = signal.SIGUSR1
_ENVIRONMENT: Final = {"LANG": "C.UTF-8", "PYTHONUTF8": "1", "TEXTUAL_FPS": "120"}


@dataclass
class _Copy:
    """A parent of one test's sessions; a pipe that only it holds open reports its end."""

    pid: int
    alive: int

    def wait(self) -> int:
        os.read(self.alive, 1)
        os.close(self.alive)
        return 0

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


class _Original:
    """Started for the first test that needs it; ends with the tests."""

    def __init__(self) -> None:
        self._link: socket.socket | None = None

    def copy(self, link: socket.socket) -> Process:
        """Return a copy, for `Service(launch=…)`."""
        if self._link is None:
            self._link = forked.start("tests.warm_parent", _ENVIRONMENT)
        alive, held = os.pipe()
        try:
            socket.send_fds(self._link, [b"."], [link.fileno(), held])
        finally:
            os.close(held)
        return _Copy(int(self._link.recv(100)), alive)


copy: Final = _Original().copy


def _spin(*_: object) -> NoReturn:
    while True:
        pass


def main() -> None:
    """Warm up, then fork for each pair of descriptors received."""
    link = socket.socket(fileno=int(sys.argv[1]))
    warm.warm_up()
    signal.signal(SPIN, _spin)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for their exit status
    while True:
        asked, descriptors, _, _ = socket.recv_fds(link, 1, 2)
        if not asked:
            return
        pid = os.fork()
        if pid == 0:
            link.close()
            os.setsid()
            warm.Parent(socket.socket(fileno=descriptors[0])).run()
            os._exit(0)
        for each in descriptors:
            os.close(each)
        link.sendall(str(pid).encode())


if __name__ == "__main__":
    main()
