"""All output of the server's commands, made inert for terminals. No other I/O.

Names in a database, in a foreign backup or in a path are untrusted. So every line is made inert here, at the
end, whatever it is made of.
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
    """Print a value as JSON in one line; invisible characters are escaped."""
    text = orjson.dumps(value).decode()
    _write(sys.stdout, "".join(c if c.isprintable() else _json_escape(c) for c in text) + "\n")


def warn(sentence: str) -> None:
    """Print a sentence to standard error, after the program's name."""
    _write(sys.stderr, f"chinwag-server: {inert(sentence)}\n")


def is_watched() -> bool:
    """Whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def draw(line: str) -> None:
    """Draw over the line of the cursor; an empty one clears it."""
    _write(sys.stderr, f"\r{inert(line)}" if line else "\r\x1b[K")


def inert(text: str) -> str:
    """Return the text with a replacement for each invisible character: controls, bidi marks."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _json_escape(char: str) -> str:
    units = char.encode("utf-16-be")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))


def write_nothing_more(*streams: TextIO | None) -> None:
    """Discard all further output to these streams, without errors."""
    for stream in streams:
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _write(stream: TextIO | None, text: str) -> None:
    """Write text; characters that the encoding lacks are escaped; a stream closed at the start is ignored."""
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
