"""The one way out of the command line: nothing that a terminal would obey gets through. No other I/O.

What others named things stands in lists and in errors alike, so everything is made inert here, at the
end, whatever it is made of.
"""

import os
import select
import sys
from typing import TextIO

from tui.content.sanitise import sanitise_line


def show(line: str) -> None:
    """Print a line at once, so that whoever reads a pipe has it; tabs part its columns."""
    _write(sys.stdout, "\t".join(map(sanitise_line, line.split("\t"))) + "\n")


def warn(sentence: str) -> None:
    """Tell whoever watches, beside what is printed: a line each, behind the program's name."""
    _write(sys.stderr, f"chinwag: {_inert(sentence)}\n")


def tell(sentence: str) -> None:
    """A line beside the answers of the command."""
    _write(sys.stderr, f"{_inert(sentence)}\n")


def prompt(text: str) -> None:
    """What is asked; the answer is typed behind it."""
    _write(
        sys.stderr,
        text[: len(text) - len(text.lstrip())] + _inert(text) + text[len(text.rstrip()) :],
    )


def end_line() -> None:
    """The shell's prompt goes below what was asked at a terminal."""
    if sys.stderr.isatty():
        _write(sys.stderr, "\n")


def is_closed() -> bool:
    """Whether nobody reads what is printed any more: a pipe or a terminal that was closed."""
    if sys.platform == "win32":
        return False
    try:
        output = select.poll()
        output.register(sys.stdout.fileno(), 0)  # asks for nothing but its end
        return bool(output.poll(0))
    except (OSError, ValueError):  # no file of the system
        return False


def write_nothing_more() -> None:
    """What is written still, at the end too, goes nowhere and fails nowhere."""
    for stream in (sys.stdout, sys.stderr):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _inert(text: str) -> str:
    return "\n".join(map(sanitise_line, text.strip().splitlines()))


def _write(stream: TextIO, text: str) -> None:
    """What the terminal's encoding lacks is escaped."""
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
    stream.flush()
