"""The front process's end of the warm parent: opens sessions, learns how they end. No SSH."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from tui.dataclass import dataclass
from tui.ssh.busy import Usage
from tui.ssh.session_request import SessionRequest

START_SECONDS: Final = 120.0
NICE: Final = 10
"""The priority of a session that never rests: it gets a tenth of a core that others want."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a session ended: its status (negative for a signal), seconds of CPU, and most memory in KiB."""

    status: int
    cpu: float
    rss: int


@dataclass(slots=True, eq=False)
class SessionProcess:
    """A session's process; `ended` is set once."""

    pid: int
    ended: asyncio.Future[Ended]

    def usage(self) -> Usage:
        """Return the resources its threads have used so far; zeros where the system does not say."""
        cpu = waiting = waits = 0
        with contextlib.suppress(OSError, ValueError):
            for each in Path(f"/proc/{self.pid}/task").iterdir():
                on_core, in_line, _ = (each / "schedstat").read_text("ascii").split()
                cpu, waiting = cpu + int(on_core), waiting + int(in_line)
            status = Path(f"/proc/{self.pid}/status").read_text("ascii", "replace")
            waits = int(status.partition("\nvoluntary_ctxt_switches:")[2].split(maxsplit=1)[0])
        return Usage(cpu=cpu / 1e9, runnable=(cpu + waiting) / 1e9, waits=waits)

    def give_way(self) -> None:
        """Lower the priority: in its own group of the scheduler, and where there are none."""
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PGRP, self.pid, NICE)
            Path(f"/proc/{self.pid}/autogroup").write_text(str(NICE))

    def signal(self, number: int) -> None:
        """Send a signal to all of its processes, if there are any."""
        if not self.ended.done():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)


class Process(Protocol):
    """The interface of the parent's process."""

    def wait(self) -> int:
        """Block until it has ended."""

    def kill(self) -> None:
        """End it now."""


def launch(link: socket.socket) -> Process:
    """Start the parent, with its end of the link. Raises OSError."""
    return subprocess.Popen(  # noqa: S603  # this program
        [sys.executable, "-P", "-m", "tui.ssh.warm", str(link.fileno())],
        pass_fds=(link.fileno(),),
        stdin=subprocess.DEVNULL,
        # A session gets nothing of the owner's environment.
        env={"LANG": "C.UTF-8", "PYTHONUTF8": "1", "TEXTUAL_FPS": "120"},
        start_new_session=True,
    )


class WarmParent:
    """The parent: call `start`, then `open` for each session, then `stop`."""

    def __init__(
        self, died: Callable[[], None], launch: Callable[[socket.socket], Process] = launch
    ) -> None:
        """`died` is called when the parent ended unexpectedly, and its sessions with it."""
        self._died = died
        self._launch = launch
        self._process: Process | None = None
        self._socket: socket.socket | None = None
        self._starting: dict[int, asyncio.Future[int]] = {}
        self._sessions: dict[int, asyncio.Future[Ended]] = {}
        self._number = 0
        self._turn = asyncio.Lock()
        self._received = b""
        self._ready = asyncio.Event()
        self._is_stopping = False

    async def start(self) -> None:
        """Load the client; takes some seconds. Raises TimeoutError or OSError."""
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = self._launch(theirs)
        ours.setblocking(False)
        self._socket = ours
        self._ready = asyncio.Event()
        asyncio.get_running_loop().add_reader(ours, self._hear)
        async with asyncio.timeout(START_SECONDS):
            await self._ready.wait()
        if self._socket is None:
            raise OSError("the parent of the sessions ended")

    async def open(self, request: SessionRequest, descriptors: Sequence[int]) -> SessionProcess:
        """Start a session with these descriptors, which stay open here. Raises OSError."""
        async with self._turn:
            if self._socket is None:
                raise OSError("there is no parent")
            self._number += 1
            number = self._number
            loop = asyncio.get_running_loop()
            starting = self._starting[number] = loop.create_future()
            ended = self._sessions[number] = loop.create_future()
            line = json.dumps({**json.loads(request.encoded()), "number": number}).encode() + b"\n"
            sent = socket.send_fds(self._socket, [line], list(descriptors))
            await loop.sock_sendall(self._socket, line[sent:])
            pid = await starting
            return SessionProcess(pid, ended)  # a quick command may have ended by now

    async def stop(self) -> None:
        """End all sessions, and the parent."""
        self._is_stopping = True
        self._close()
        if self._process is not None:
            process, self._process = self._process, None
            try:
                await asyncio.wait_for(asyncio.to_thread(process.wait), 5.0)
            except TimeoutError:
                process.kill()
                await asyncio.to_thread(process.wait)

    def _hear(self) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._close()
            if not self._is_stopping:
                self._died()
            return
        *lines, self._received = (self._received + data).split(b"\n")
        for line in lines:
            self._take(json.loads(line))

    def _take(self, line: dict[str, Any]) -> None:
        if "ready" in line:
            self._ready.set()
        elif "started" in line:
            starting = self._starting.pop(line["started"])
            if not starting.done():  # the waiting task may have gone
                starting.set_result(line["pid"])
        elif "ended" in line:
            ended = Ended(status=line["status"], cpu=line["cpu"], rss=line["rss"])
            future = self._sessions.pop(line["ended"])
            if not future.done():
                future.set_result(ended)

    def _close(self) -> None:
        if self._socket is None:
            return
        asyncio.get_running_loop().remove_reader(self._socket)
        self._socket.close()
        self._socket = None
        self._ready.set()
        for starting in self._starting.values():
            if not starting.done():
                starting.set_exception(OSError("the parent of the sessions ended"))
        self._starting.clear()
        gone = Ended(status=-signal.SIGHUP, cpu=0.0, rss=0)
        for future in self._sessions.values():
            if not future.done():
                future.set_result(gone)
        self._sessions.clear()
