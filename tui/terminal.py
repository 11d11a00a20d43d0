"""What the terminal can draw, and which keys it sends: queried while the program is still loading.

Terminals disagree on how wide some emoji are. So a few are printed on a line that is cleared at once, each
with a query of the cursor's position; those with another width than Textual counts are drawn in another form
(`tui.widgets.emoji_width_filter`). Reads and writes the terminal itself; no Textual.
"""

from __future__ import annotations

import os
import re
import select
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, Literal, TypeAlias

from tui.dataclass import dataclass

Cluster: TypeAlias = Literal["variation", "keycap", "tone", "joined", "flag", "recent"]
"""Kinds of emoji made of several characters, and those that older terminals do not know."""

Graphics: TypeAlias = Literal["kitty", "sixel", "blocks"]
Colors: TypeAlias = Literal["all", "256", "16"]
"""All: any color (24 bit)."""

SAMPLES: Final[Mapping[Cluster, str]] = {
    "variation": "\u2764\ufe0f",
    "keycap": "1\ufe0f\u20e3",
    "tone": "\U0001f44d\U0001f3fd",
    "joined": "\U0001f469\u200d\U0001f4bb",
    "flag": "\U0001f1e9\U0001f1ea",
    "recent": "\U0001fae9",
}
"""Each takes two cells where Textual draws it."""

CELLS: Final = 2
UNKNOWN_CELL: Final = (10, 20)
TIMEOUT: Final = 0.05
"""Seconds that a start waits at most, after everything is loaded."""
QUICK: Final = 0.15
"""Seconds; a terminal that answers later gets no further query, whose answer would be late too."""

_CURSOR: Final = re.compile(rb"\x1b\[\d{1,7};(\d{1,7})R")
_ATTRIBUTES: Final = re.compile(rb"\x1b\[\?([\d;]*)c")
_KITTY: Final = re.compile(rb"\x1b\[\?\d+u")
_OTHER_KEYS: Final = re.compile(rb"\x1b\[>4;?\d*m")
"""Two protocols of exact keys; a terminal answers only for one that it has."""
_ANSWER: Final = re.compile(rb"\x1b\[(?:\d+;\d+R|\?[\d;]*c|\?\d+u|>4;?\d*m|[\d;?>]*$)")
_SIXEL: Final = b"4"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terminal:
    """`cell` is a cell's (width, height) in pixels; `broken` are the kinds of emoji with wrong widths."""

    graphics: Graphics = "blocks"
    colors: Colors = "all"
    cell: tuple[int, int] = UNKNOWN_CELL
    broken: frozenset[Cluster] = frozenset()
    exact_keys: bool = True
    """Whether it tells Escape and a letter from Alt with it, and sends Shift+Enter."""
    key_level: int = 0
    """The level of xterm's `modifyOtherKeys` that was requested; see `other_keys`."""
    typed: str = ""
    """The input during the queries, as the terminal sent it."""
    modes: list[Any] | None = None
    """Its modes before the queries, as `termios` has them; None where they are unchanged."""


def other_keys(level: int) -> str:
    """Return the sequence that requests `modifyOtherKeys` from a terminal; 0 resets it.

    2 covers every key that is ambiguous otherwise. 1 leaves Alt with a letter as it was: tmux turns Escape
    and a letter into that itself, so that programs in it cannot tell them apart.
    """
    return f"\x1b[>4;{level}m" if level else "\x1b[>4m"


def terminal_of(app: object) -> Terminal:
    """Return the terminal of an application; one without faults where it was not queried."""
    terminal = getattr(app, "terminal", None)
    return terminal if isinstance(terminal, Terminal) else Terminal()


def question() -> bytes:
    """Return the queries: the key protocols; then all samples, each with the cursor's position; the line is
    cleared.

    A terminal that knows neither of the first two may have taken one for an attribute: it is reset.
    """
    samples = "".join(f"\r{sample}\x1b[6n" for sample in SAMPLES.values())
    return f"\x1b[?u\x1b[?4m\x1b[0m{samples}\r\x1b[K".encode()


def broken(columns: list[int]) -> frozenset[Cluster]:
    """Return the kinds with wrong widths, from the cursor's column after each sample, from 1.

    A sample without an answer counts as broken.
    """
    answers = [*columns, *[0] * len(SAMPLES)]
    return frozenset(
        kind for kind, column in zip(SAMPLES, answers, strict=False) if column != 1 + CELLS
    )


def known_graphics(environment: Mapping[str, str]) -> Graphics | None:
    """Return the way to draw pictures that is known without a query; a multiplexer passes no pictures on."""
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    multiplexed = environment.get("TMUX") or environment.get("STY")
    if multiplexed or term.startswith(("tmux", "screen")):
        return "blocks"
    # Others draw pictures by Kitty's protocol too, but not in cells of text.
    if term in ("xterm-kitty", "xterm-ghostty") or program == "ghostty":
        return "kitty"
    return None


def known_colors(environment: Mapping[str, str]) -> Colors:
    """Return how many colors the terminal has, from the environment; by Rich's rules, as Rich draws."""
    if environment.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return "all"
    suffix = environment.get("TERM", "").strip().lower().rpartition("-")[2]
    return "256" if suffix in ("256color", "kitty") else "16"


class Probe:
    """Sends the queries when it is made; `finish` ends them and returns the terminal's abilities."""

    def __init__(self, source: int, target: int, *, asks_sixel: bool = True) -> None:
        """`source` and `target` are descriptors of the terminal's two directions."""
        import termios
        import tty

        self._source = source
        self._target = target
        self._known = known_graphics(os.environ)
        self._asks_sixel = asks_sixel and self._known is None
        self._received = b""
        self._key_level = 0
        self._stopped = threading.Event()
        self._before = termios.tcgetattr(source)
        tty.setcbreak(source, termios.TCSANOW)
        _keep_enter(source)
        os.write(target, question())
        self._asked_at = time.monotonic()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def finish(self, timeout: float = TIMEOUT) -> Terminal:
        """Wait for the rest of the answers, but not longer than `timeout` seconds.

        The terminal's modes stay as they are, so that input until the first frame is not echoed on the
        screen, and Enter stays Enter; `restore` ends that.
        """
        self._reader.join(timeout)
        self._stopped.set()
        self._reader.join()
        columns = [int(column) for column in _CURSOR.findall(self._received)]
        is_kitty = _KITTY.search(self._received) is not None
        has_other_keys = not is_kitty and _OTHER_KEYS.search(self._received) is not None
        multiplexed = bool(os.environ.get("TMUX"))
        self._key_level = 1 if multiplexed else 2 if has_other_keys else 0
        if self._key_level:
            os.write(self._target, other_keys(self._key_level).encode())
        attributes = _ATTRIBUTES.search(self._received)
        has_sixel = attributes is not None and _SIXEL in attributes[1].split(b";")
        return Terminal(
            graphics=self._known or ("sixel" if has_sixel else "blocks"),
            colors=known_colors(os.environ),
            cell=_cell(self._target),
            broken=broken(columns),
            exact_keys=is_kitty or (has_other_keys and not multiplexed),
            key_level=self._key_level,
            typed=_ANSWER.sub(b"", self._received).decode(errors="ignore"),
            modes=self._before,
        )

    def restore(self) -> None:
        """Restore the terminal's modes."""
        import termios

        if self._key_level:
            with suppress(OSError):  # it has hung up
                os.write(self._target, other_keys(0).encode())
        termios.tcsetattr(self._source, termios.TCSANOW, self._before)

    def _read(self) -> None:
        """Read everything up to the last answer, with the input in between."""
        if not self._read_until(lambda: len(_CURSOR.findall(self._received)) == len(SAMPLES)):
            return
        if self._asks_sixel and time.monotonic() - self._asked_at < QUICK:
            os.write(self._target, b"\x1b[c")
            self._read_until(lambda: _ATTRIBUTES.search(self._received) is not None)

    def _read_until(self, done: Callable[[], bool]) -> bool:
        while not done():
            if self._stopped.is_set():
                return False
            ready, _, _ = select.select([self._source], [], [], 0.01)
            if ready:
                self._received += os.read(self._source, 1024)
        return True


def begin(*, asks_sixel: bool) -> Probe | None:
    """Send the queries, where standard input and output are a terminal that can be queried."""
    if sys.platform == "win32" or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    return Probe(sys.stdin.fileno(), sys.stdout.fileno(), asks_sixel=asks_sixel)


def _keep_enter(descriptor: int) -> None:
    """Keep Enter as it is: not all releases of Python do in `setcbreak`."""
    import termios

    modes = termios.tcgetattr(descriptor)
    modes[0] &= ~termios.ICRNL
    termios.tcsetattr(descriptor, termios.TCSANOW, modes)


def _cell(descriptor: int) -> tuple[int, int]:
    """Return the size of a cell in pixels, where the terminal reports it to the system."""
    import fcntl
    import termios

    try:
        size = fcntl.ioctl(descriptor, termios.TIOCGWINSZ, bytes(8))
    except OSError:
        return UNKNOWN_CELL
    rows, columns, width, height = struct.unpack("HHHH", size)
    if not (rows and columns and width and height):
        return UNKNOWN_CELL
    return max(1, width // columns), max(1, height // rows)
