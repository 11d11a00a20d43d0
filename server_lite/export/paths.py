"""Files of an export: whether a path of somebody else stays inside its folder, and files nobody else reads."""

import os
from pathlib import Path
from typing import BinaryIO, Final

LONGEST: Final = 500
"""Characters of a path; each of its parts may have 255 bytes, as file systems want it."""


def is_inside(path: str) -> bool:
    """Whether it is a relative path with `/` that leads to a file in the folder, on every system."""
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
    """A new file that only its owner can read, in folders that only they can open."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb")
