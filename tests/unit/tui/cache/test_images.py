"""The pictures on disk: private, bounded, and never a reason to fail."""

import os
from pathlib import Path

from tui.cache.images import ImageCache


def test_what_was_kept_is_read_again_by_nobody_else(tmp_path: Path) -> None:
    """A picture is fetched once, and its file is for its person alone."""
    cache = ImageCache(tmp_path / "images")
    assert cache.read("https://chat/a.png") is None
    cache.keep("https://chat/a.png", b"red")
    assert cache.read("https://chat/a.png") == b"red"
    assert [file.stat().st_mode & 0o777 for file in (tmp_path / "images").iterdir()] == [0o600]


def test_the_pictures_seen_least_recently_make_room(tmp_path: Path) -> None:
    """The cache does not grow with every picture of a busy year."""
    cache = ImageCache(tmp_path, most_bytes=25)
    cache.keep("seen", bytes(10))
    cache.keep("old", bytes(10))
    for file in tmp_path.iterdir():
        os.utime(file, (1, 1))
    assert cache.read("seen") is not None
    cache.keep("new", bytes(10))
    assert [cache.read(name) is not None for name in ("seen", "old", "new")] == [True, False, True]


def test_without_a_disk_nothing_is_kept(tmp_path: Path) -> None:
    """A full disk costs a second download, and no error."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    cache = ImageCache(blocked / "images")
    cache.keep("a", b"red")
    assert cache.read("a") is None
