"""The disk space of a person's folder, and freeing some. Knows no sessions."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

CACHE: Final = "cache"
"""The part of a person's folder that can be fetched again."""


def taken(folder: Path) -> int:
    """Return the bytes of all files below; those that vanish meanwhile do not count."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                status = os.lstat(os.path.join(where, name))
            except OSError:
                continue
            total += status.st_blocks * 512
    return total


def make_room(folder: Path, most: int) -> bool:
    """Return whether the folder takes no more than `most` bytes, if need be without its cache. Not for
    folders in use.
    """
    if taken(folder) <= most:
        return True
    shutil.rmtree(folder / CACHE, ignore_errors=True)
    return taken(folder) <= most
