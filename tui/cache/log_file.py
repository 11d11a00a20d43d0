"""Appends to a log for this person alone, which stays small. Decides nothing about what is written."""

import os
from pathlib import Path
from typing import Final

LARGEST: Final = 2**20
"""Bytes; a log that is larger begins anew."""


def append(path: Path, entry: str) -> None:
    """Write an entry, with its last newline; folders are made. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    is_large = path.exists() and path.stat().st_size > LARGEST
    flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_large else os.O_APPEND)
    with os.fdopen(os.open(path, flags, 0o600), "w", encoding="utf-8") as log:
        log.write(entry)
