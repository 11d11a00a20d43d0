"""The one way out of the server's commands: nothing that a terminal would obey gets through. No other I/O.

Names in a database, in a backup of somebody else or in a path are whatever their makers wrote. So they
are made inert here, at the end, whatever a line is made of.
"""

import os
import sys
from typing import TextIO

import orjson

from server_lite.errors import StartError


def show(line: str) -> None:
    """Print a line at once."""
    _write(sys.stdout, f"{inert(line)}\n")


def show_json(value: object) -> None:
    """Print a value as JSON in one line; what does not show is escaped, and means the same."""
    text = orjson.dumps(value).decode()
    _write(sys.stdout, "".join(c if c.isprintable() else _json_escape(c) for c in text) + "\n")


def warn(sentence: str) -> None:
    """Tell whoever watches, beside what is printed: a line behind the program's name."""
    _write(sys.stderr, f"chinwag-server: {inert(sentence)}\n")


def is_watched() -> bool:
    """Whether a person sees what is told beside the output."""
    return sys.stderr is not None and sys.stderr.isatty()


def draw(line: str) -> None:
    """Draw over the line at which the cursor is; an empty one wipes it away."""
    _write(sys.stderr, f"\r{inert(line)}" if line else "\r\x1b[K")


def inert(text: str) -> str:
    """The text with a mark in place of each character that does not show: controls, bidi marks."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def write_nothing_more(*streams: TextIO | None) -> None:
    """What is written to them still, at the end too, goes nowhere and fails nowhere."""
    for stream in streams:
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _write(stream: TextIO | None, text: str) -> None:
    """What the terminal's encoding lacks is escaped; a stream that was closed at the start takes nothing."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    try:
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except BrokenPipeError:
        if stream is sys.stdout:
            raise
        write_nothing_more(stream)
    except OSError as error:
        write_nothing_more(stream)
        if stream is sys.stdout:
            raise StartError(f"The output cannot be written: {error.strerror}.") from error
