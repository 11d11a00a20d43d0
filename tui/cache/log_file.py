"""Appends to a log of limited size, with mode 0600. Makes no decision about its contents."""

import os
from pathlib import Path
from typing import Final

from tui.regular_file import open_regular

LARGEST: Final = 2**20
"""In bytes; a larger log starts over."""


def append(path: Path, entry: str) -> None:
    """Append an entry, with its last newline; folders are made. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_large = path.exists() and path.stat().st_size > LARGEST
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_large else os.O_APPEND)
    with os.fdopen(open_regular(path, flags), "w", encoding="utf-8") as log:
        log.write(entry)
