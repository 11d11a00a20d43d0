"""A database has one owner, and what was not created leaves no lock behind."""

import os
from pathlib import Path

import pytest

from server_lite.store import instance_lock, secret_key
from server_lite.store.instance_lock import Lock, beside, server_info


def test_a_lock_stays_beside_its_database(tmp_path: Path) -> None:
    """Removed at the end of a command, it would cost each command a file."""
    db = tmp_path / "team.db"
    db.touch()
    lock = Lock(db)
    assert lock.take()
    lock.release()
    assert lock.path.exists()


def test_without_a_database_it_is_removed(tmp_path: Path) -> None:
    """An import that fails leaves the folder as it was."""
    lock = Lock(tmp_path / "team.db")
    assert lock.take()
    lock.release()
    assert os.listdir(tmp_path) == []


def test_a_lock_that_is_removed_while_another_waits_has_one_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second command opened the file before the first removed it: it locks the next file instead."""
    db = tmp_path / "team.db"
    first, second, third = Lock(db), Lock(db), Lock(db)
    assert first.take()
    locked = instance_lock._locked

    def late(descriptor: int) -> bool:
        first.release()
        return locked(descriptor)

    monkeypatch.setattr(instance_lock, "_locked", late)
    assert second.take()
    monkeypatch.setattr(instance_lock, "_locked", locked)
    assert not third.take()
    second.release()


def test_a_pipe_in_place_of_a_file_stops_no_command(tmp_path: Path) -> None:
    """Opened to be read, it would wait for a writer forever."""
    db = tmp_path / "team.db"
    os.mkfifo(beside(db, "server.json"))
    assert server_info(db) is None
    os.mkfifo(secret_key.path_beside(db))
    with pytest.raises(OSError, match="not a regular file"):
        secret_key.secret(secret_key.path_beside(db))
