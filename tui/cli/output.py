"""All output of the command line passes here, without anything that a terminal would obey. No other I/O.

Names given by others stand in lists and in errors alike, so everything is sanitized here, at the end.
"""

import errno
import os
import select
import sys
from typing import TextIO

from tui.content.sanitize import sanitize_line
from tui.errors import ConfigError


def show(line: str) -> None:
    """Print a line and flush it, for readers of a pipe; tabs separate its columns."""
    _write(sys.stdout, "\t".join(map(sanitize_line, line.split("\t"))) + "\n")


def warn(sentence: str) -> None:
    """Print a warning to standard error, after the program's name."""
    _write(sys.stderr, f"chinwag: {_inert(sentence)}\n")


def print_notice(sentence: str) -> None:
    """Print a line to standard error, beside the results of the command."""
    _write(sys.stderr, f"{_inert(sentence)}\n")


def progress(sentence: str) -> None:
    """Show progress in place of the last one; "" removes it. Only at a terminal."""
    if sys.stderr is not None and sys.stderr.isatty():
        _write(sys.stderr, f"\r\x1b[K{_inert(sentence)}")


def prompt(text: str) -> None:
    """Print a question; the answer is typed after it."""
    _write(
        sys.stderr,
        text[: len(text) - len(text.lstrip())] + _inert(text) + text[len(text.rstrip()) :],
    )


def end_line() -> None:
    """Put the shell's prompt below an unanswered question at a terminal."""
    if sys.stderr.isatty():
        _write(sys.stderr, "\n")


def is_closed() -> bool:
    """Whether standard output was closed: a pipe or a terminal without a reader."""
    if sys.platform == "win32":
        return False
    try:
        output = select.poll()
        output.register(sys.stdout.fileno(), 0)  # waits for nothing but its end
        return bool(output.poll(0))
    except (OSError, ValueError):  # not a real file
        return False


def write_nothing_more() -> None:
    """Discard all further output, so that nothing fails at the end."""
    write_nothing_more_to(sys.stdout)
    write_nothing_more_to(sys.stderr)


def write_nothing_more_to(stream: TextIO | None) -> None:
    """Discard all further output of a stream."""
    if stream is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _inert(text: str) -> str:
    return "\n".join(map(sanitize_line, text.strip().splitlines()))


def _write(stream: TextIO | None, text: str) -> None:
    """Write with characters escaped that the encoding lacks; a stream that is closed from the start is
    skipped.
    """
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError as error:
        if stream is sys.stderr:  # there is nowhere left to report it
            write_nothing_more()
        elif error.errno in {errno.EPIPE, errno.EIO}:  # the reader or the terminal has gone
            raise
        else:
            write_nothing_more_to(stream)
            raise ConfigError(f"the output cannot be written: {error.strerror}.") from error
