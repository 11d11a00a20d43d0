"""A database has one owner, and what was not created leaves no lock behind."""

import os
from pathlib import Path

import pytest

from server_lite.store import instance_lock
from server_lite.store.instance_lock import Lock


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
