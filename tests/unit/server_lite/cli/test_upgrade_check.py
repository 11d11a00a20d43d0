"""`serve --check`: what an upgrade would do, said before it is done."""

import gzip
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from server_lite.store.database import Database
from server_lite.store.migrations import newest
from tests.unit.server_lite.cli.conftest import Command

STORED = Path(__file__).parents[3] / "data" / "schema-030.db.gz"


class Disk(NamedTuple):
    """What `shutil.disk_usage` answers."""

    total: int
    used: int
    free: int


def as_it_is(folder: Path) -> dict[str, bytes]:
    """Every file of a folder with its bytes."""
    return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A file that an earlier version made."""
    path = tmp_path / "team.db"
    path.write_bytes(gzip.decompress(STORED.read_bytes()))
    return path


def test_an_upgrade_is_told_and_not_made(old: Path, command: Command) -> None:
    """The steps, the copy, the room it takes; then `serve` does just that, and there is nothing left."""
    before = as_it_is(old.parent)
    told = command("serve", "--db", old, "--check")
    assert (told.code, told.err) == (3, "")
    assert as_it_is(old.parent) == before
    assert f"schema 30. This version would upgrade it to schema {newest()}" in told.out
    assert "031-page-checksums" in told.out
    assert "030-" not in told.out
    kept = f"team.db.before-schema-{newest()}"
    assert kept in told.out
    assert f"up to {2 * old.stat().st_size / 1e6:,.1f} MB" in told.out
    Database(old).close()
    assert (old.parent / kept).exists()
    again = command("serve", "--db", old, "--check")
    assert (again.code, again.out.count("\n")) == (0, 1)
    assert "Nothing would be changed" in again.out


def test_what_was_never_checkpointed_counts(old: Path, command: Command) -> None:
    """After a crash the newest schema may stand in the write-ahead log alone."""
    killed = old.with_name("killed.db")
    database = Database(old)
    for end in ("", "-wal"):
        shutil.copy(old.with_name(old.name + end), killed.with_name(killed.name + end))
    database.close()
    assert command("serve", "--db", killed, "--check").code == 0


def damaged(db: Path, _: pytest.MonkeyPatch) -> None:
    data = bytearray(db.read_bytes())
    for page in range(10, len(data) // 4096, 3):
        data[page * 4096 : page * 4096 + 2000] = os.urandom(2000)
    db.write_bytes(data)


def of_tomorrow(db: Path, _: pytest.MonkeyPatch) -> None:
    connection = apsw.Connection(str(db))
    connection.pragma("user_version", 999)
    connection.close()


def no_room(db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def usage(_: Any) -> Disk:
        return Disk(10**9, 10**9, db.stat().st_size)

    monkeypatch.setattr(shutil, "disk_usage", usage)


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (damaged, "team.db"),
        (of_tomorrow, "made by a newer version"),
        (no_room, "Free disk space"),
    ],
)
def test_what_would_fail_says_so_before(
    old: Path,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[Path, pytest.MonkeyPatch], None],
    sentence: str,
) -> None:
    """Exit code 1 and the reason, while the old version still serves."""
    spoil(old, monkeypatch)
    before = as_it_is(old.parent)
    told = command("serve", "--db", old, "--check")
    assert told.code == 1
    assert sentence in told.err
    assert as_it_is(old.parent) == before
