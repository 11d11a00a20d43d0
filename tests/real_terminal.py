"""A real terminal: the installed program in a pseudo-terminal, its screen read by an emulator.

    async with real_client(server, ann, tmp_path, keyboard="kitty") as terminal:
        terminal.press("c")
        terminal.type("hello")
        await terminal.shows("hello")

It sends the bytes that terminals send (`tests.keyboards`), and answers queries as that kind
of terminal does. Knows nothing of the program except its command.
"""

import asyncio
import codecs
import contextlib
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pyte

from tests.keyboards import Keyboard, encode
from tests.live import Live, Person
from tests.warm_client import WarmClient, start
from tui.accounts import Account, write_zuliprc

QUIET: Final = 0.2
"""Seconds without output after which a reaction counts as complete.

Longer than programs wait to distinguish the Escape key from the start of a sequence.
"""
CHINWAG: Final = str(Path(sys.executable).parent / "chinwag")

_SEQUENCE: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P_^X](?:[^\x1b\x07]|\x1b(?!\\))*(?:\x1b\\|\x07)|[ -/]+[0-~]|[0-OQ-WYZ\\`-~=>])"
)
_UNFINISHED: Final = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*|[\]P_^X](?:[^\x1b\x07]|\x1b(?!\\))*|[ -/]*)\Z"
)
_KITTY_PUSH: Final = re.compile(r"\x1b\[>(\d*)u")
_KITTY_ADD: Final = re.compile(r"\x1b\[=(\d+);2u")
_KITTY_POP: Final = re.compile(r"\x1b\[<\d*u")
_OTHER_KEYS: Final = re.compile(r"\x1b\[>4(?:;(\d*))?m")
_MODE_ASKED: Final = re.compile(r"\x1b\[\?(\d+)\$p")
_NOT_EMULATED: Final = re.compile(
    r"\x1b(?:[P_^X]|\[[<>=][0-?]*|\[\?[0-?]*[ -/]+.|\[\?\d*[mu]|\[[ -?]*t)"
)
"""Invisible sequences that the emulator would mistake for text."""


class RealTerminal:
    """A program's output to its terminal: as bytes (`written`), and as the screen they produce."""

    def __init__(
        self,
        master: int,
        size: tuple[int, int],
        keyboard: Keyboard,
        *,
        answers: bool,
        emulates: bool = True,
    ) -> None:
        self.written = bytearray()
        self.keyboard = keyboard
        self.kitty_flags = 0
        self.level = 1 if keyboard == "modify_other_keys" else 0
        self.process: asyncio.subprocess.Process | WarmClient | None = None
        self.on_output: Callable[[], None] | None = None
        """Called when output was added to `written`, before the emulator has spent time on it."""
        self.first_modes: list[Any] = []
        """The terminal's modes before the program was started, as in `termios`."""
        self._answers = answers
        self._emulates = emulates
        self._master: int | None = master
        self._screen = Screen(*size)
        self._stream = pyte.Stream(self._screen)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self._news = asyncio.Event()
        os.set_blocking(master, False)
        asyncio.get_running_loop().add_reader(master, self._read)

    # Output

    @property
    def lines(self) -> list[str]:
        """The screen's lines, without trailing white space."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        """The screen as one string."""
        return "\n".join(self.lines)

    def find(self, text: str) -> tuple[int, int] | None:
        """Return column and row of a text, from 0, in cells; of several the lowest one."""
        for row in range(self._screen.lines - 1, -1, -1):
            line = self._screen.display[row]
            if text in line:
                return sum(map(_cells, line[: line.index(text)])), row
        return None

    @property
    def cursor(self) -> tuple[int, int]:
        """Column and row, from 0."""
        return self._screen.cursor.x, self._screen.cursor.y

    async def shows(self, *texts: str, seconds: float = 20.0) -> None:
        """Wait until all of these texts are on the screen."""
        await self._wait(lambda: all(text in self.text for text in texts), repr(texts), seconds)

    async def hides(self, *texts: str, seconds: float = 20.0) -> None:
        """Wait until none of these texts is on the screen."""
        await self._wait(
            lambda: not any(text in self.text for text in texts), f"not {texts!r}", seconds
        )

    async def until(self, data: bytes, *, seconds: float = 20.0) -> None:
        """Wait until the program has written these bytes, visible or not."""
        await self._wait(lambda: data in self.written, repr(data), seconds)

    async def settle(self) -> None:
        """Wait until no more output comes."""
        with contextlib.suppress(TimeoutError):
            while True:
                async with asyncio.timeout(QUIET):
                    await self._hear()

    # Input

    def send(self, data: bytes) -> None:
        """Send bytes in one burst, as a terminal sends one key."""
        assert self._master is not None, "the terminal has hung up"
        left = data
        while left:
            with contextlib.suppress(BlockingIOError):
                left = left[os.write(self._master, left) :]

    def press(self, *keys: str) -> None:
        """Press keys by name, each in a burst of its own."""
        for key in keys:
            self.send(self.bytes_of(key))

    def type(self, text: str) -> None:
        """Type text, a key for each character."""
        names = {"\n": "enter", " ": "space", "+": "plus"}
        for each in text:
            self.press(names.get(each, each))

    def paste(self, text: str) -> None:
        """Paste text, bracketed if the program enabled that."""
        data = text.replace("\n", "\r").encode()
        bracketed = self.written.rfind(b"\x1b[?2004h") > self.written.rfind(b"\x1b[?2004l")
        self.send(b"\x1b[200~" + data + b"\x1b[201~" if bracketed else data)

    def click(self, x: int, y: int) -> None:
        """Click the left button in a cell, from 0, in SGR encoding."""
        self.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m".encode())

    def click_on(self, text: str) -> None:
        """Click the left button on the first cell of a visible text."""
        cell = self.find(text)
        assert cell is not None, f"{text!r} is not on the screen:\n{self.text}"
        self.click(*cell)

    def resize(self, columns: int, rows: int) -> None:
        """Resize the terminal; the system notifies the program."""
        assert self._master is not None
        self._screen.resize(rows, columns)
        _set_size(self._master, (columns, rows))

    def hang_up(self) -> None:
        """Close the terminal's window: the program's input ends, and its session gets a hang-up."""
        if self._master is not None:
            asyncio.get_running_loop().remove_reader(self._master)
            os.close(self._master)
            self._master = None

    @property
    def modes(self) -> list[Any]:
        """The terminal's modes, as in `termios`."""
        assert self._master is not None
        return termios.tcgetattr(self._master)

    async def exits(self, *, seconds: float = 10.0) -> int:
        """Wait until the program has ended; returns its exit status, negative for a signal."""
        assert self.process is not None
        async with asyncio.timeout(seconds):
            return await self.process.wait()

    def bytes_of(self, key: str) -> bytes:
        """Return the bytes that this terminal sends for a key."""
        return encode(key, self.keyboard, kitty_flags=self.kitty_flags, level=self.level)

    # Internals

    async def _wait(self, is_so: Any, what: str, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                while not is_so():
                    await self._hear()
        except TimeoutError:
            raise TimeoutError(f"waited for {what}; the screen:\n{self.text}") from None

    async def _hear(self) -> None:
        self._news.clear()
        await self._news.wait()

    def _read(self) -> None:
        assert self._master is not None
        try:
            data = os.read(self._master, 65_536)
        except OSError:  # the program has ended
            asyncio.get_running_loop().remove_reader(self._master)
        else:
            self.written += data
            if self.on_output is not None:
                self.on_output()
            self._show(self._held + self._decoder.decode(data))
        self._news.set()

    def _show(self, text: str) -> None:
        unfinished = _UNFINISHED.search(text)
        at = unfinished.start() if unfinished else len(text)
        text, self._held = text[:at], text[at:]
        shown = 0
        for match in _SEQUENCE.finditer(text):
            self._emulate(text[shown : match.start()])
            shown = match.end()
            sequence = match[0]
            if not _NOT_EMULATED.match(sequence):
                self._emulate(sequence)
            self._obey(sequence)
        self._emulate(text[shown:])

    def _emulate(self, text: str) -> None:
        if self._emulates:
            self._stream.feed(text)

    def _obey(self, sequence: str) -> None:
        """Switch the keyboard's mode, and answer queries."""
        if self.keyboard == "kitty":
            if match := _KITTY_PUSH.fullmatch(sequence):
                self.kitty_flags = int(match[1] or 0)
            elif match := _KITTY_ADD.fullmatch(sequence):
                self.kitty_flags |= int(match[1])
            elif _KITTY_POP.fullmatch(sequence):
                self.kitty_flags = 0
            elif sequence == "\x1b[?u":
                self._answer(f"\x1b[?{self.kitty_flags}u")
        if self.keyboard == "modify_other_keys":
            if match := _OTHER_KEYS.fullmatch(sequence):
                self.level = int(match[1] or 0)
            elif sequence == "\x1b[?4m":
                self._answer(f"\x1b[>4;{self.level}m")
        if sequence == "\x1b[6n":
            column, row = self.cursor
            self._answer(f"\x1b[{row + 1};{column + 1}R")
        elif sequence == "\x1b[c":
            self._answer("\x1b[?62;22c")
        elif match := _MODE_ASKED.fullmatch(sequence):
            self._answer(f"\x1b[?{match[1]};0$y")

    def _answer(self, text: str) -> None:
        if self._answers and self._master is not None:
            self.send(text.encode())


class Screen(pyte.Screen):
    """Shows the program's output; `RealTerminal` answers its queries."""

    def write_process_input(self, data: str) -> None:
        """Answer nothing: see `RealTerminal._obey`."""

    @property
    def display(self) -> list[str]:
        """The rows as text.

        A read may end between two halves of a frame, where a character that fills two cells has
        lost one of them: what is left of it is blank, as in a terminal. (pyte fails there.)
        """
        return ["".join(self._row(row)) for row in range(self.lines)]

    def _row(self, row: int) -> Iterator[str]:
        cells = [self.buffer[row][column].data for column in range(self.columns)]
        whole = False
        for cell, after in zip(cells, [*cells[1:], None], strict=True):
            if cell:
                whole = _cells(cell[0]) == 2 and after == ""
                yield cell if whole or _cells(cell[0]) != 2 else " "
            else:
                yield "" if whole else " "
                whole = False


def _cells(character: str) -> int:
    return pyte.screens.wcwidth(character)


def _set_size(descriptor: int, size: tuple[int, int]) -> None:
    columns, rows = size
    fcntl.ioctl(descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def _take_terminal() -> None:
    """Make standard input the session's terminal, in the child, so that it gets hang-ups."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@asynccontextmanager
async def real_terminal(
    command: Sequence[str],
    environment: dict[str, str],
    *,
    size: tuple[int, int] = (80, 24),
    keyboard: Keyboard = "legacy",
    answers: bool = True,
    owns_terminal: bool = True,
    warm: bool = False,
    emulates: bool = True,
) -> AsyncIterator[RealTerminal]:
    """Run a program in a new terminal of `size` columns and rows; it is killed at the end of the block.

    Without `answers` the terminal does not answer queries, and the test answers by
    `send`. Without `emulates` the screen stays empty, which saves most of the terminal's work. Without `owns_terminal` a hang-up only ends the program's input. With `warm`, `chinwag` need
    not load its modules (`tests.warm_client`).
    """
    master, slave = pty.openpty()
    _set_size(slave, size)
    modes = termios.tcgetattr(slave)
    term = {"kitty": "xterm-kitty", "tmux": "tmux-256color"}.get(keyboard, "xterm-256color")
    tmux = "/tmp/tmux/default,1,0" if keyboard == "tmux" else ""
    variables = {
        **os.environ,
        "TERM": term,
        "TMUX": tmux,
        "TERM_PROGRAM": "",
        "COLORTERM": "truecolor",
        **environment,
    }
    process: asyncio.subprocess.Process | WarmClient
    if warm:
        assert command[0] == CHINWAG
        process = start(command[1:], variables, slave, owns=owns_terminal)
    else:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_take_terminal if owns_terminal else None,
            cwd=Path(__file__).parents[1],
            env=variables,
        )
    os.close(slave)
    terminal = RealTerminal(master, size, keyboard, answers=answers, emulates=emulates)
    terminal.first_modes = modes
    terminal.process = process
    try:
        yield terminal
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        await process.wait()
        terminal.hang_up()


@asynccontextmanager
async def real_client(
    server: Live,
    person: Person,
    folder: Path,
    *,
    narrow: str = "",
    size: tuple[int, int] = (80, 24),
    keyboard: Keyboard = "legacy",
    answers: bool = True,
    config: str = "",
    environment: dict[str, str] | None = None,
    warm: bool = True,
) -> AsyncIterator[RealTerminal]:
    """Run `chinwag` as a signed-in user; `folder` is their home, `config` their `config.toml`.

    Without `warm` it is started as a person starts it, and loads its modules.
    """
    zuliprc = folder / "zuliprc"
    home = folder / "home"
    write_zuliprc(zuliprc, Account(site=server.url, email=person.email, key=person.key))
    if config:
        (home / "config").mkdir(parents=True, exist_ok=True)
        (home / "config" / "config.toml").write_text(config)
    command = [CHINWAG, "--zuliprc", str(zuliprc), "--narrow", narrow]
    around = {"CHINWAG_HOME": str(home), **(environment or {})}
    async with real_terminal(
        command, around, size=size, keyboard=keyboard, answers=answers, warm=warm
    ) as terminal:
        yield terminal
