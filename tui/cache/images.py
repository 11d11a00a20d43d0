"""A cache of fetched pictures on disk, of limited size. Safe to delete.

Blocking: to be called in a thread. No network. A full or missing disk is as if the cache were empty.
"""

import contextlib
import os
from pathlib import Path
from typing import Final

from tui.digests import sha256_of
from tui.regular_file import read_bytes, replacing

MOST_BYTES: Final = 64 * 2**20
"""Most bytes of all files together; the least recently used ones go first."""


class ImageCache:
    """Files of one folder, each named by a digest of its URL; with mode 0600."""

    def __init__(self, folder: Path, *, most_bytes: int = MOST_BYTES) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def read(self, url: str) -> bytes | None:
        """Return the cached file of a URL; None if there is none."""
        path = self._path(url)
        try:
            data = read_bytes(path)
            os.utime(path)
        except OSError:
            return None
        return data

    def keep(self, url: str, data: bytes) -> None:
        """Cache a file, completely or not at all, and delete others if there are too many."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(self._path(url), ".part-", synced=False) as file:
                file.write(data)
            self._make_room()

    def _path(self, url: str) -> Path:
        return self._folder / sha256_of(url)

    def _make_room(self) -> None:
        with os.scandir(self._folder) as entries:
            stats = [(entry.stat(), entry.path) for entry in entries]
        entries_by_age = sorted((stat.st_mtime_ns, stat.st_size, path) for stat, path in stats)
        over = sum(size for _, size, _ in entries_by_age) - self._most_bytes
        for _, size, path in entries_by_age:
            if over <= 0:
                break
            Path(path).unlink(missing_ok=True)
            over -= size
