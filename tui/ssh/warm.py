"""The parent of all sessions: it has played the client once, and forks for each. No asyncio, no keys.

python -P -m tui.ssh.warm DESCRIPTOR   (of the socket to the front process)

It has one thread, one socket, and nothing of anybody: what a session inherits is the program. Each opening comes as a
line of JSON with the session's descriptors; what begins and ends is told by a line each.
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
from contextlib import suppress

from tui.ssh import child, rehearsal
from tui.ssh.opening import decoded

MOST_DESCRIPTORS = 4


class Parent:
    """Forks, and tells of those that ended, until the front process goes."""

    def __init__(self, front: socket.socket) -> None:
        self._front = front
        self._sessions: dict[int, int] = {}
        """Their numbers, by process."""

    def run(self) -> None:
        """Until the front process is gone; then its sessions end too."""
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
        """In the child: nothing of the parent's stays open."""
        try:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.setsid()
            kept = child.take_over(descriptors)
            opening = json.loads(line)
            del opening["number"]
            return child.run(decoded(json.dumps(opening).encode()), kept)
        except BaseException as error:  # noqa: BLE001  # the parent's code is never gone on with
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


def warm_up() -> None:
    """Load and rehearse; what is there now is never looked at again by the garbage collector."""
    os.umask(0o077)
    gc.disable()
    rehearsal.load_everything()
    rehearsal.rehearse()
    gc.collect()
    gc.freeze()  # the first collection of a session would copy everything
    gc.enable()
    gc.set_threshold(50_000, 20, 100)


def main() -> int:
    """Load, rehearse, fork."""
    front = socket.socket(fileno=int(sys.argv[1]))
    warm_up()
    Parent(front).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
