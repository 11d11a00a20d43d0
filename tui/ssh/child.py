"""The process of a session: sets up terminal, limits and environment, then runs the client."""

from __future__ import annotations

import asyncio
import ctypes
import fcntl
import os
import random
import signal
import socket
import sys
import termios
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from tui import accounts, bugs, crash_log, event_loop, terminal
from tui.api.http_client import speak_for
from tui.config import CONFIG, Folders, read_settings
from tui.errors import ConfigError, TuiError
from tui.hook_settings import Hooks
from tui.host import Host, hosted
from tui.ssh import commands
from tui.ssh.app import HostedApp
from tui.ssh.audit_guard import AuditGuard
from tui.ssh.key_client import KeyClient
from tui.ssh.session_request import SessionRequest
from tui.terminal import Terminal

LONGEST_TIMEOUT: Final = 1.5
OPEN_FILES: Final = 256
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_DUMPABLE: Final = 4


def folders_at(base: Path) -> Folders:
    """Return the folders of one person."""
    return Folders(
        config=base / "config", data=base / "data", state=base / "state", cache=base / "cache"
    )


def take_over(descriptors: list[int]) -> int:
    """Take over the received descriptors: three for 0 to 2, or one terminal; and the link, returned."""
    *streams, link = descriptors
    if len(streams) == 1:
        streams *= 3
    safe = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 64) for each in (*streams, link)]
    for target, each in enumerate(safe[:3]):
        os.dup2(each, target)
    os.dup2(safe[3], 3)
    os.set_inheritable(3, False)
    os.closerange(4, 4096)
    if os.isatty(0):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    return 3


def run(request: SessionRequest, link: int) -> int:
    """Run the session; return its exit status."""
    _limit(request.memory, request.disk)
    os.environ.clear()
    os.environ.update(request.environment)
    time.tzset()
    random.seed()  # the parent's state would give all sessions the same numbers
    base = Path(request.folder)
    os.chdir(base)
    key_client = KeyClient(socket.socket(fileno=link))
    speak_for(request.peer, request.secret)
    host = hosted(site=request.site, command=request.command, access=key_client)
    guard = AuditGuard(base, request.site, _report)
    guard.install()
    session = Session(request, key_client, host, guard)
    try:
        match request.kind:
            case "screen":
                return session.screen()
            case "join":
                return session.join()
            case "command":
                return commands.run(request, folders_at(base), host, key_client)
    except TuiError as error:
        _output_warn(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def _report(what: str) -> None:
    """Log a refusal of the guard: it is a bug of this program."""
    bugs.report(PermissionError(what), "The session")


def report_crash(error: BaseException) -> None:
    """Log a crash for the owner; the visitor sees a sentence without a path."""
    sentence = crash_log.crashed(Path.cwd(), error, hosted(site="x", command=""))
    _output_warn(sentence)


def _output_warn(sentence: str) -> None:
    from tui.cli import output

    output.warn(sentence)


def _limit(memory: int, disk: int) -> None:
    import resource

    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    if disk:  # writing beyond it fails, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (disk, disk))
    resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        library.prctl(_PR_SET_PDEATHSIG, signal.SIGHUP)  # without the parent there is no session
        library.prctl(_PR_SET_DUMPABLE, 0)  # no other session traces this one


class Session:
    """A user at a terminal, from signing in to leaving."""

    def __init__(
        self, request: SessionRequest, key_client: KeyClient, host: Host, guard: AuditGuard
    ) -> None:
        self._request = request
        self._key_client = key_client
        self._host = host
        self._guard = guard
        self._base = Path(request.folder)
        self._offers = request.offered

    def join(self) -> int:
        """Create an account by the invitation, with questions on lines, then show the screen."""
        import argparse

        from tui.cli import joining

        joining.join(
            argparse.Namespace(link=self._request.link, name=None, email=None, http=True),
            folders_at(self._base),
        )
        self._move_in()
        return self.screen()

    def screen(self) -> int:
        """Run the client; a user who is signed out signs in again, in the same session."""
        if os.environ.get("TERM") == "dumb":
            raise ConfigError(
                "this terminal (TERM=dumb) cannot draw a screen. Commands work:"
                f" {self._request.command} help"
            )
        trouble = ""
        while True:
            zuliprc = accounts.to_open(folders_at(self._base))
            app, status = self._play(zuliprc, trouble)
            if zuliprc is None and app.signed_in is not None:
                self._move_in()
                trouble = ""
            elif app.trouble is None or status:
                return status
            elif app.trouble == "":
                self._key_client.signed_out()
                return 0
            else:
                trouble = app.trouble
                accounts.forget(folders_at(self._base), zuliprc or Path())

    def _app(self, zuliprc: Path | None, trouble: str, measured: Terminal | None) -> HostedApp:
        folders = folders_at(self._base)
        settings, troubles = read_settings(folders.config / CONFIG)
        settings = replace(settings, images="off", hooks=Hooks())
        offers, self._offers = (self._offers, ()) if zuliprc is not None else ((), self._offers)
        return HostedApp(
            folders=folders,
            settings=settings,
            zuliprc=zuliprc,
            terminal=measured,
            others=[] if zuliprc is not None else None,
            troubles=[*troubles, *([trouble] if trouble else [])],
            host=self._host,
            key_client=self._key_client,
            offers=offers,
        )

    def _play(self, zuliprc: Path | None, trouble: str) -> tuple[HostedApp, int]:
        probe = terminal.begin(asks_sixel=False)
        timeout = min(2 * self._request.round_trip + terminal.TIMEOUT, LONGEST_TIMEOUT)
        try:
            known = None if probe is None else probe.finish(timeout)
            app = self._app(zuliprc, trouble, known)
            event_loop.run(app.run_async())
        finally:
            if probe is not None:
                with suppress(Exception):  # there may be no terminal any more
                    probe.restore()
        return app, app.return_code or 0

    def _move_in(self) -> None:
        """Move a guest's files into the folder of the person, who may have one already."""
        guest = folders_at(self._base)
        zuliprc = accounts.to_open(guest)
        assert zuliprc is not None, "somebody is signed in"
        account = accounts.read_zuliprc(zuliprc)
        from tui.commands import devices, sign_in

        user_id = asyncio.run(sign_in.user_id(account))
        home = Path(self._key_client.signed_in(user_id, account.email))
        if home == self._base:
            return
        self._guard.allow(home)
        accounts.forget(
            guest, zuliprc
        )  # else the owner of this folder would be signed in as someone else
        here = folders_at(home)
        path = sign_in.keep(here, account)
        accounts.add(here, path)

        async def move() -> None:
            await devices.withdraw(guest, account)
            await devices.enrol(here, account)

        asyncio.run(move())
        self._base = home
        os.chdir(home)
