"""Something else in the place of a file: the client starts, says which file it is, and waits for nothing."""

import logging
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests import eg
from tui import accounts, config_file
from tui.cache import log_file, snapshots
from tui.cache.archive import Archive
from tui.cache.database import Database
from tui.cache.images import ImageCache
from tui.cache.last_place import LastPlace
from tui.commands import devices
from tui.config import Folders, Settings, read_settings
from tui.errors import ConfigError
from tui.narrow import AllMessages
from tui.regular_file import read_bytes, read_text, replacing
from tui.store import Store
from tui.themes.own import read_themes


def _link_to_a_pipe(path: Path) -> None:
    os.mkfifo(f"{path}.other")
    path.symlink_to(f"{path}.other")


PLACED: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "folder": Path.mkdir,
    "loop": lambda path: path.symlink_to(path),
    "link to a pipe": _link_to_a_pipe,
}

placed = pytest.mark.parametrize("place", [pytest.param(PLACED[name], id=name) for name in PLACED])


@placed
def test_what_is_no_file_is_not_read(tmp_path: Path, place: Callable[[Path], None]) -> None:
    """A pipe that nobody writes to would stop the program without a word."""
    place(tmp_path / "x")
    for read in (read_bytes, read_text):
        with pytest.raises(OSError, match=r"regular file|symbolic links"):
            read(tmp_path / "x")


@placed
def test_settings_have_their_defaults(tmp_path: Path, place: Callable[[Path], None]) -> None:
    """A sentence names the file, when it is read and when a setting is saved."""
    path = tmp_path / "config.toml"
    place(path)
    settings, (trouble,) = read_settings(path)
    assert settings == Settings()
    assert trouble.startswith(f"{path} cannot be read: ")
    assert "Errno" not in trouble
    with pytest.raises(ConfigError, match="cannot be read"):
        config_file.save(path, ("theme",), "x")


@placed
def test_drafts_and_messages_say_which_file(
    tmp_path: Path, place: Callable[[Path], None], caplog: pytest.LogCaptureFixture
) -> None:
    """The archive and the last state can be done without; drafts cannot."""
    for name in ("account.db", "messages.db", "snapshot.json", "last"):
        place(tmp_path / name)
    with pytest.raises(ConfigError, match=r"account\.db cannot be used: ") as raised:
        Database(tmp_path / "account.db")
    assert "Errno" not in str(raised.value)
    with caplog.at_level(logging.WARNING):
        assert Archive(tmp_path / "messages.db").before(AllMessages(), 10, 1) == []
        assert snapshots.load(tmp_path / "snapshot.json") is None
    assert "messages.db cannot be used" in caplog.text
    assert LastPlace(tmp_path / "last").read(Store.from_snapshot(eg.snapshot())) is None


@placed
def test_other_files_are_left_out(tmp_path: Path, place: Callable[[Path], None]) -> None:
    """The list of accounts, the note of this device, a theme, a log, a picture."""
    folders = Folders(config=tmp_path, data=tmp_path, state=tmp_path, cache=tmp_path)
    for path in (accounts._list_file(folders), tmp_path / devices.NOTE, tmp_path / "a.toml"):
        path.parent.mkdir(exist_ok=True)
        place(path)
    assert accounts.known(folders) == []
    assert devices.this_one(tmp_path) is None
    themes, (trouble,) = read_themes(tmp_path, frozenset())
    assert themes == []
    assert "a.toml cannot be read" in trouble
    place(tmp_path / "log")
    with pytest.raises(OSError, match=r"regular file|directory|symbolic links"):
        log_file.append(tmp_path / "log", "entry\n")
    pictures = ImageCache(tmp_path / "pictures")
    (tmp_path / "pictures").mkdir()
    place(pictures._path("http://x"))
    assert pictures.read("http://x") is None


def test_a_log_that_is_kept_nowhere_is_no_error(tmp_path: Path) -> None:
    """A link to `/dev/null` is how people switch one off."""
    (tmp_path / "log").symlink_to(os.devnull)
    log_file.append(tmp_path / "log", "entry\n")
    assert read_text(tmp_path / "log") == ""


def test_a_file_is_replaced_whole(tmp_path: Path) -> None:
    """It is private, also if the old one was not; nothing else is left beside it."""
    path = tmp_path / "x"
    path.write_text("old")
    with replacing(path, ".new-") as file:
        file.write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["x"]


def test_a_file_that_cannot_be_written_stays_as_it_was(tmp_path: Path) -> None:
    """Whatever fails: the disk, what makes the contents, or the user who ends the program."""
    path = tmp_path / "x"
    path.write_text("old")

    def interrupted() -> bytes:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), replacing(path, ".new-") as file:
        file.write(b"n" + interrupted())
    assert (path.read_text(), os.listdir(tmp_path)) == ("old", ["x"])
    path.unlink()
    path.mkdir()
    with pytest.raises(OSError, match="directory"), replacing(path, ".new-"):
        pass
    assert os.listdir(tmp_path) == ["x"]
