"""The one way out of the command line: nothing that a terminal would obey gets through. No other I/O.

What others named things stands in lists and in errors alike, so everything is made inert here, at the
end, whatever it is made of.
"""

import errno
import os
import select
import sys
from typing import TextIO

from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError


def show(line: str) -> None:
    """Print a line at once, so that whoever reads a pipe has it; tabs part its columns."""
    _write(sys.stdout, "\t".join(map(sanitize_line, line.split("\t"))) + "\n")


def warn(sentence: str) -> None:
    """Tell whoever watches, beside what is printed: a line each, behind the program's name."""
    _write(sys.stderr, f"chinwag: {_inert(sentence)}\n")


def print_notice(sentence: str) -> None:
    """A line beside the answers of the command."""
    _write(sys.stderr, f"{_inert(sentence)}\n")


def progress(sentence: str) -> None:
    """How far it is, in place of what was there before; "" removes it. Only where a person watches."""
    if sys.stderr is not None and sys.stderr.isatty():
        _write(sys.stderr, f"\r\x1b[K{_inert(sentence)}")


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
    write_nothing_more_to(sys.stdout)
    write_nothing_more_to(sys.stderr)


def write_nothing_more_to(stream: TextIO | None) -> None:
    """The same of one of them."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _inert(text: str) -> str:
    return "\n".join(map(sanitize_line, text.strip().splitlines()))


def _write(stream: TextIO | None, text: str) -> None:
    """What the terminal's encoding lacks is escaped; a stream that was closed at the start takes nothing."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError as error:
        if stream is sys.stderr:  # nobody can be told that nobody can be told
            write_nothing_more()
        elif error.errno in {errno.EPIPE, errno.EIO}:  # the reader or the terminal has gone
            raise
        else:
            write_nothing_more_to(stream)
            raise ConfigError(f"the output cannot be written: {error.strerror}.") from error
