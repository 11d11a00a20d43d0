"""A client at a terminal that need not load its modules again: forked from a process that has.

A start of Python with the client takes longer than most of what is tested at a terminal. Each worker starts one such
process, for the first test that needs it. Tests of the start itself start the installed program. Run as a
program, this is the process to fork.
"""

import asyncio
import fcntl
import gc
import json
import os
import select
import signal
import socket
import sys
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NoReturn

from tests import forked

_LOADED: Final = (
    "tui.app",
    "tui.cli.screen",
    "tui.screens.accounts.accounts",
    "tui.screens.compose.actions",
)
_PATIENCE: Final = 20.0
"""Seconds that the client waits for what the terminal can: tests answer for it, on a machine that may be busy."""
_MOST: Final = 65_536
"""Bytes of arguments and environment."""


@dataclass
class WarmClient:
    """A process that is not a child of the test's; like one of `asyncio.subprocess`, as far as tests need it."""

    pid: int
    _status: int
    """A pipe from which its exit code is read."""

    async def wait(self) -> int:
        """Return the exit code when it has ended, negative for a signal."""
        if self._status >= 0:
            loop, ended = asyncio.get_running_loop(), asyncio.Event()
            loop.add_reader(self._status, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(self._status)
            self._code = int(os.read(self._status, 20))
            os.close(self._status)
            self._status = -1
        return self._code


class _Parent:
    """The process to fork; started for the first test that needs it, ends with the tests."""

    def __init__(self) -> None:
        self._link: socket.socket | None = None

    def start(
        self, words: Sequence[str], environment: Mapping[str, str], terminal: int, *, owns: bool
    ) -> WarmClient:
        """Start `chinwag` with these arguments at a terminal, which it `owns` or only uses."""
        if self._link is None:
            self._link = forked.start("tests.warm_client")
        request = json.dumps({"words": words, "environment": dict(environment), "owns": owns})
        status, ends = os.pipe()
        try:
            socket.send_fds(self._link, [request.encode() + b"\n"], [terminal, ends])
        finally:
            os.close(ends)
        return WarmClient(int(self._link.recv(20)), status)


start: Final = _Parent().start


def main() -> None:
    """Load the client, then fork for each request, and report how each child ended."""
    os.environ["TEXTUAL_FPS"] = "120"  # as the client does before it loads Textual
    from tui import textual_import

    textual_import.import_textual()
    for name in _LOADED:
        __import__(name)
    from tui import terminal as questions

    questions.QUICK = _PATIENCE  # type: ignore[misc]  # here it is not final
    questions.Probe.finish.__defaults__ = (_PATIENCE,)
    gc.collect()
    gc.freeze()
    link = socket.socket(fileno=int(sys.argv[1]))
    news, wake = os.pipe()
    os.set_blocking(news, False)
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    statuses: dict[int, int] = {}
    while True:
        ready, _, _ = select.select([link.fileno(), news], [], [])
        if news in ready:
            os.read(news, 4096)
            _reap(statuses)
        if link.fileno() in ready:
            request, descriptors, _, _ = socket.recv_fds(link, _MOST, 2)
            if not request:
                return
            while not request.endswith(b"\n"):
                request += link.recv(_MOST)
            terminal, status = descriptors
            pid = os.fork()
            if pid == 0:
                link.close()
                os.close(status)
                _become_client(request, terminal)
            os.close(terminal)
            statuses[pid] = status
            link.sendall(b"%d" % pid)


def _reap(statuses: dict[int, int]) -> None:
    for pid in list(statuses):
        ended, code = os.waitpid(pid, os.WNOHANG)
        if ended:
            pipe = statuses.pop(pid)
            with os.fdopen(pipe, "w") as file:
                file.write(str(os.waitstatus_to_exitcode(code)))


def _become_client(request: bytes, terminal: int) -> NoReturn:
    """Run the console script in this process, in a session of its own."""
    code = 70
    try:
        wanted = json.loads(request)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.setsid()
        for number in (0, 1, 2):
            os.dup2(terminal, number)
        os.close(terminal)
        if wanted["owns"]:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        os.environ.clear()
        os.environ.update(wanted["environment"])
        sys.argv = ["chinwag", *wanted["words"]]
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # it is a file
        from tui.__main__ import main as run

        code = run()
        sys.stdout.flush()
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
