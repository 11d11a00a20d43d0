"""A session's channel: a terminal or pipes on one side, SSH on the other. Makes no decisions about people."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shlex
import struct
import termios
import time
from contextlib import suppress
from typing import Any, Final, Protocol

import asyncssh

from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError
from tui.ssh.identity import Identity
from tui.ssh.keys import Person
from tui.ssh.pipes import Source, Target
from tui.ssh.service import Service, Visit
from tui.ssh.session_request import environment, size

RESET: Final = (
    b"\x1b[<u\x1b[>4m\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1004l\x1b[?2004l\x1b[?2026l"
    b"\x1b[?7h\x1b[?1049l\x1b[?25h\x1b[0m"
)
"""Restores the terminal after a session that ended abnormally."""
MOST_WORDS: Final = 200
LONGEST_COMMAND: Final = 16_384
DRAIN_SECONDS: Final = 2.0


class Visitor(Protocol):
    """The connection, with the identity and address of its client."""

    service: Service
    identity: Identity
    peer: str
    invitation: str
    round_trip: float

    def who(self) -> tuple[str, Person | None, bool]:
        """Return key, person, and whether the key has still to be confirmed. Raises ConfigError."""

    def session_ended(self) -> None:
        """Note that the only session of the connection has ended."""


class Channel(asyncssh.SSHServerSession[bytes]):
    """A channel from the request for a shell or a command to the exit status."""

    def __init__(self, connection: Visitor) -> None:
        self._connection = connection
        self._service = connection.service
        self._chan: asyncssh.SSHServerChannel[bytes] | None = None
        self._term: str | None = None
        self._size = (80, 24, 0, 0)
        self._command: str | None = None
        self._visit: Visit | None = None
        self._to: Target | None = None
        self._from: list[Source] = []
        self._master = -1
        self._answer: asyncio.Future[bytes] | None = None
        self._early = bytearray()
        self._has_ended = False
        self._drained = asyncio.Event()
        self._sentence = ""
        self._is_over = False

    # Events of asyncssh

    def connection_made(self, chan: asyncssh.SSHServerChannel[bytes]) -> None:
        self._chan = chan

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Any
    ) -> bool:
        del term_modes
        self._term = term_type
        self._size = term_size
        return True

    def shell_requested(self) -> bool:
        return True

    def exec_requested(self, command: str) -> bool:
        self._command = command
        return len(command) <= LONGEST_COMMAND

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse SFTP: there is no file system here."""
        self._service.log.write(
            "rejected", peer=self._connection.peer, reason="subsystem", name=subsystem
        )
        return False

    def session_started(self) -> None:
        self._service.run(self._run())

    def data_received(self, data: bytes, datatype: Any) -> None:
        del datatype
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(data)
        elif self._to is not None:
            if self._visit is not None:
                self._visit.heard = self._service.clock()
            self._to.write(data)
        else:  # nothing can be written to yet
            self._early += data
            self._pause()

    def eof_received(self) -> bool:
        self._has_ended = True
        if self._to is not None and self._master < 0:
            self._to.end()
        return True  # answers can still be written

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        self._size = (width, height, pixwidth, pixheight)
        if self._master >= 0:
            _set_size(self._master, self._size)

    def break_received(self, msec: int) -> bool:
        del msec
        return False

    def pause_writing(self) -> None:
        for each in self._from:
            each.pause()

    def resume_writing(self) -> None:
        for each in self._from:
            each.resume()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._is_over = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(b"")
        self._close()
        self._connection.session_ended()
        if self._visit is not None:
            self._service.run(self._service.close(self._visit))

    # The session

    async def _run(self) -> None:
        status = 1
        try:
            status = await self._serve()
        except ConfigError as error:
            self._say(str(error))
        except OSError as error:
            self._service.log.write("session_failed", peer=self._connection.peer, reason=error)
            self._say("The session could not be opened. Try again later.")
        finally:
            self._close()
            if self._chan is not None and not self._is_over:
                self._chan.exit(status if 0 <= status < 256 else 255)

    async def _serve(self) -> int:
        key, person, is_unconfirmed = self._connection.who()
        if self._command is not None:
            if person is None or is_unconfirmed:
                raise ConfigError(
                    f"Commands need an SSH key that is known here. Sign in first: {self._service.command}"
                )
            return await self._serve_command(key)
        if self._term is None:
            raise ConfigError(
                f"A terminal is needed. Commands work without one: {self._service.command} help"
            )
        if is_unconfirmed and not await self._confirms(key):
            raise ConfigError("Nothing was opened.")
        return await self._serve_screen(key)

    async def _confirms(self, key: str) -> bool:
        known_key = self._service.keys.get(key)
        if known_key is None:
            raise ConfigError("This SSH key was revoked.")
        when = time.strftime("%d %B %Y", time.localtime(known_key.noted))
        email = sanitize_line(known_key.person.email)
        self._write(
            f"This key was noted for {email} on {when} from {known_key.noted_from}.\r\n"
            "Use it to sign in from now on? [y/N] "
        )
        self._answer = asyncio.get_running_loop().create_future()
        if self._early:
            self._answer.set_result(bytes(self._early))
            self._early.clear()
        self._resume()
        try:
            async with asyncio.timeout(self._service.limits.login_seconds):
                answer = await self._answer
        except TimeoutError:
            return False
        finally:
            self._answer = None
        if answer[:1].lower() != b"y":
            self._write("no\r\n")
            if answer[:1].lower() == b"n":  # it was noted by someone else, who cannot use it
                self._service.keys.revoke(key)
                self._service.log.write("key_declined", peer=self._connection.peer, key=key)
            return False
        self._write("yes\r\n")
        if not self._service.keys.bind(key, known_key.person):
            # Anyone can note it for themselves meanwhile.
            raise ConfigError("This key was noted for another account meanwhile.")
        self._service.log.write("key_bound", peer=self._connection.peer, key=key)
        return True

    async def _serve_screen(self, key: str) -> int:
        master, slave = os.openpty()
        try:
            _set_size(slave, self._size)
            connection = self._connection
            person = connection.who()[1]
            offers = (
                [] if key else [(k.digest, k.words) for k in connection.identity.offered.values()]
            )
            visit = await self._service.open(
                "join" if connection.invitation else "screen",
                peer=connection.peer, key=key, person=person, descriptors=[slave],
                environment=self._environment(self._term or ""), offered=offers, end=self._end,
                link=connection.invitation, round_trip=connection.round_trip,
            )  # fmt: skip
        except BaseException:
            os.close(master)
            raise
        finally:
            os.close(slave)
        self._begin(visit)
        self._master = master
        _set_size(master, self._size)
        self._to = Target(os.dup(master), self._pause, self._resume)
        self._from = [Source(master, self._write, self._drained.set)]
        self._begin_input()
        return await self._ended(visit)

    async def _serve_command(self, key: str) -> int:
        try:
            argv = shlex.split(self._command or "")
        except ValueError as error:
            raise ConfigError(f"The command cannot be read: {error}.") from error
        if len(argv) > MOST_WORDS:
            raise ConfigError("The command has too many words.")
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe()
        ours_err, theirs_err = os.pipe()
        try:
            visit = await self._service.open(
                "command", peer=self._connection.peer, key=key, person=self._connection.who()[1],
                descriptors=[theirs_in, theirs_out, theirs_err], environment=self._environment("dumb"),
                offered=(), end=self._end, words=argv,
            )  # fmt: skip
        except BaseException:
            for each in (ours_in, ours_out, ours_err):
                os.close(each)
            raise
        finally:
            for each in (theirs_in, theirs_out, theirs_err):
                os.close(each)
        self._begin(visit)
        self._to = Target(ours_in, self._pause, self._resume)
        left = 2

        def ended() -> None:
            nonlocal left
            left -= 1
            if not left:
                self._drained.set()

        self._from = [
            Source(ours_out, self._write, ended),
            Source(ours_err, self._write_error, ended),
        ]
        self._begin_input()
        return await self._ended(visit)

    def _begin_input(self) -> None:
        assert self._to is not None
        self._to.write(bytes(self._early))
        self._early.clear()
        if self._has_ended and self._command is not None:
            self._to.end()
        self._resume()

    def _begin(self, visit: Visit) -> None:
        self._visit = visit
        if visit.key:
            self._service.keys.use(visit.key)
        if self._is_over:  # the connection was lost meanwhile
            self._service.run(self._service.close(visit))

    async def _ended(self, visit: Visit) -> int:
        ended = await asyncio.shield(visit.running.ended)
        with suppress(TimeoutError):  # a client that does not read
            await asyncio.wait_for(self._drained.wait(), DRAIN_SECONDS)
        if self._term is not None and ended.status != 0 and self._command is None:
            self._write(RESET)
        if self._sentence:
            self._say(self._sentence)
        return ended.status

    def _end(self, sentence: str) -> None:
        """End the session on behalf of the service, with a sentence."""
        if not self._sentence:
            self._sentence = sentence
            if self._visit is not None:
                self._service.run(self._service.close(self._visit))

    def _environment(self, term: str) -> dict[str, str]:
        assert self._chan is not None
        return environment(term, dict(self._chan.get_environment()))

    # Bytes

    def _write(self, data: bytes | str) -> None:
        if self._chan is not None and not self._is_over:
            self._chan.write(data.encode() if isinstance(data, str) else data)

    def _write_error(self, data: bytes) -> None:
        if self._chan is not None and not self._is_over:
            self._chan.write_stderr(data)

    def _say(self, sentence: str) -> None:
        """Print a last line where the user sees it."""
        line = sanitize_line(sentence)
        if self._command is None:
            self._write(f"{line}\r\n")
        else:
            self._write_error(f"{line}\n".encode())

    def _pause(self) -> None:
        if self._chan is not None:
            self._chan.pause_reading()

    def _resume(self) -> None:
        if self._chan is not None:
            self._chan.resume_reading()

    def _close(self) -> None:
        self._master = -1
        for each in self._from:
            each.close()
        if self._to is not None:
            self._to.close()


def _set_size(descriptor: int, reported: tuple[int, int, int, int]) -> None:
    columns, rows = size(reported[0], reported[1])
    pixels = [min(max(each, 0), 65_535) for each in reported[2:]]
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, *pixels))
