"""The log of the SSH service: one line per event, for fail2ban and people. No secrets."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Final, TextIO

from tui.content.sanitize import sanitize_line

LARGEST: Final = 10 * 2**20
"""Largest file in bytes; then it is rotated, in the place of the one before."""
LONGEST: Final = 128
"""Longest value in characters; a version string or a user name is as long as a stranger likes."""


class Log:
    """Writes `NAME peer=ADDRESS key=value …` with the time before it; values with spaces are quoted."""

    def __init__(self, path: Path | None, stream: TextIO | None = None) -> None:
        """Log to a file with mode 0600, and to `stream` (standard error)."""
        self._path = path
        self._stream = stream or sys.stderr

    def write(self, event: str, *, peer: str = "-", **fields: object) -> None:
        """Write one line; errors are ignored."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        parts = [moment, "chinwag-ssh:", event, f"peer={value(peer)}"]
        parts += [f"{name}={value(each)}" for name, each in fields.items()]
        line = " ".join(parts) + "\n"
        try:
            if self._path is not None:
                if self._path.exists() and self._path.stat().st_size > LARGEST:
                    self._path.replace(self._path.with_suffix(".log.1"))
                flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
                with open(os.open(self._path, flags, 0o600), "a", encoding="utf-8") as file:
                    file.write(line)
            self._stream.write(line)
            self._stream.flush()
        except (OSError, ValueError):
            return


def value(given: object) -> str:
    """Return a value that cannot imitate another: one line, no quotation marks or `=` within."""
    text = sanitize_line(str(given))[:LONGEST]
    text = "".join("_" if each in "\"'\\=" else each for each in text)
    return f'"{text}"' if not text or any(each.isspace() for each in text) else text
