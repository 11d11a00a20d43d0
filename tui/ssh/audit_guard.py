"""The second guard of a session: an audit hook that refuses what `tui.host` overlooked.

Python calls it for every file, program and connection before they are opened. A session may use its own
folder, read the program itself, and connect to its one server; everything else raises PermissionError and is
reported. It guards against bugs of this program, not against machine code.
"""

from __future__ import annotations

import os
import socket
import sys
import sysconfig
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import certifi

from tui.content import web

_STARTS: Final = frozenset(
    [
        "os.system",
        "os.exec",
        "os.posix_spawn",
        "os.spawn",
        "os.fork",
        "os.forkpty",
        "os.startfile",
        "pty.spawn",
        "subprocess.Popen",
        "webbrowser.open",
    ]
)
_PATHS: Final = frozenset(
    [
        "os.listdir",
        "os.scandir",
        "os.mkdir",
        "os.rmdir",
        "os.remove",
        "os.rename",
        "os.link",
        "os.symlink",
        "os.chmod",
        "os.chown",
        "os.truncate",
        "os.utime",
        "os.chdir",
        "os.setxattr",
        "os.getxattr",
        "sqlite3.connect",
        "shutil.rmtree",
        "shutil.copyfile",
        "shutil.move",
        "glob.glob",
        "tempfile.mkstemp",
        "tempfile.mkdtemp",
    ]
)
"""Events whose first argument is a path, and whose second may be one."""
_TWO_PATHS: Final = frozenset(
    {"os.rename", "os.link", "os.symlink", "shutil.copyfile", "shutil.move"}
)
_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_READABLE: Final = ("/usr/share/zoneinfo", "/etc/localtime", "/dev/urandom")
_USABLE: Final = ("/dev/null", "/dev/tty")


class AuditGuard:
    """Installed once per process; it cannot be removed."""

    def __init__(
        self, folder: Path, site: str, report: Callable[[str], None], *, refuses: bool = True
    ) -> None:
        """`folder` is the session's own, `report` is called with each violation. Tests can watch without
        refusing.
        """
        self._own: tuple[str, ...] = (os.path.realpath(folder),)
        self._readable = tuple({os.path.realpath(each) for each in _program()})
        self._terminal = _terminals()
        parts = web.split(site)
        self._server = parts.hostname or ""
        self._port = parts.port or (443 if parts.scheme == "https" else 80)
        self._addresses: set[str] = set()
        self._report = report
        self._refuses = refuses
        self._is_busy = False

    def allow(self, folder: Path) -> None:
        """Allow another folder as the session's own."""
        self._own = (*self._own, os.path.realpath(folder))

    def install(self) -> None:
        """Install the hook in this process."""
        sys.addaudithook(self._hook)

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        if self._is_busy:
            return
        if event == "open":
            allowed = self._may_open(*args)
        elif event in _STARTS:
            allowed = False
        elif event in _PATHS:
            count = 2 if event in _TWO_PATHS else 1
            allowed = all(self._is_own(each) for each in args[:count])
            if not allowed and event in ("os.listdir", "os.scandir"):
                allowed = self._is_readable(args[0])
        elif event == "socket.connect":
            allowed = self._may_connect(args[1])
        elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
            allowed = _text(args[0]) == self._server
        elif event == "socket.bind":
            allowed = False
        else:
            return
        if not allowed:
            self._is_busy = True
            try:
                self._report(f"{event} {args[:2]!r}"[:300])
            finally:
                self._is_busy = False
            if self._refuses:
                raise PermissionError(f"not in a session over SSH: {event}")

    def _may_open(self, path: object, mode: object, flags: object) -> bool:
        if isinstance(path, int) or path is None:
            return True
        writes = (isinstance(mode, str) and any(each in mode for each in "wax+")) or (
            isinstance(flags, int) and bool(flags & _WRITES)
        )
        if self._is_own(path) or _text(path) in (*_USABLE, *self._terminal):
            return True
        return not writes and self._is_readable(path)

    def _is_own(self, path: object) -> bool:
        return isinstance(path, int) or _is_below(path, self._own)

    def _is_readable(self, path: object) -> bool:
        return isinstance(path, int) or _is_below(path, self._readable)

    def _may_connect(self, address: object) -> bool:
        if not isinstance(address, tuple):  # a socket of this machine
            return False
        host, port = str(address[0]), address[1]
        if port != self._port:
            return False
        if host == self._server or host in self._addresses:
            return True
        self._is_busy = True
        try:
            entries = socket.getaddrinfo(self._server, self._port, type=socket.SOCK_STREAM)
        except OSError:
            return False
        finally:
            self._is_busy = False
        self._addresses = {str(each[4][0]) for each in entries}
        return host in self._addresses


def _program() -> Sequence[str]:
    """Return the folders of the program itself, which a session reads."""
    roots = [sys.prefix, sys.base_prefix, *sysconfig.get_paths().values(), certifi.where()]
    return [*roots, str(Path(__file__).parents[1]), *_READABLE]


def _terminals() -> tuple[str, ...]:
    names = []
    for descriptor in (0, 1, 2):
        try:
            names.append(os.ttyname(descriptor))
        except OSError:
            continue
    return tuple(names)


def _text(path: object) -> str:
    if isinstance(path, bytes):
        return os.fsdecode(path)
    return str(path)


def _is_below(path: object, roots: tuple[str, ...]) -> bool:
    real = os.path.realpath(_text(path))
    return any(real == root or real.startswith(f"{root}/") for root in roots)
