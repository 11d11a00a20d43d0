"""Paths in an export: whether an untrusted one stays inside its folder; private files."""

import os
from pathlib import Path
from typing import BinaryIO, Final

LONGEST: Final = 500
"""Maximum characters of a path; each of its parts may have 255 bytes, the limit of file systems."""


def is_inside(path: str) -> bool:
    """Whether it is a relative path with `/` to a file inside the folder, on every operating system."""
    parts = path.split("/")
    return (
        len(path) <= LONGEST
        and path.isprintable()
        and "\\" not in path
        and all(
            part not in ("", ".", "..") and len(part.encode("utf-8", "replace")) <= 255
            for part in parts
        )
        and ":" not in parts[0]
    )


def private(path: Path) -> BinaryIO:
    """Create a file that only its owner can read, in folders that only the owner can open."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
