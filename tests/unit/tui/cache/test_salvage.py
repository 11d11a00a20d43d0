"""A damaged file costs no draft in silence: what can be read is back, and a copy is kept."""

import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.tui.cache.test_database import DRAFT, MESSAGE
from tui.cache import salvage
from tui.cache.database import Database
from tui.cache.drafts import DraftFile
from tui.cache.outbox import OutboxFile
from tui.store.drafts import LocalDraft, LocalDraftId


def _draft(number: int) -> LocalDraft:
    return replace(DRAFT, local_id=LocalDraftId(f"d{number}"), content=f"words {number}. " * 200)


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """The files as kill -9 leaves them: ten drafts and a message, most of them in the log only."""
    there = tmp_path / "there"
    there.mkdir()
    database = Database(there / "account.db")
    drafts = DraftFile(database)
    for number in range(10):
        drafts.put(_draft(number), otherwise=LocalDraftId("other"))
    outbox = OutboxFile(database, there)
    outbox.put(MESSAGE)
    here = tmp_path / "here"
    shutil.copytree(there, here)
    outbox.close()
    database.close()
    return here / "account.db"


def _wal(path: Path) -> Path:
    return Path(f"{path}-wal")


def _flip(path: Path) -> None:
    data = bytearray(_wal(path).read_bytes())
    data[len(data) // 3] ^= 0x40
    _wal(path).write_bytes(data)


def _halve(path: Path) -> None:
    _wal(path).write_bytes(_wal(path).read_bytes()[: _wal(path).stat().st_size // 2])


def _wipe_the_middle(path: Path) -> None:
    data = bytearray(_wal(path).read_bytes())
    third = len(data) // 3
    data[third : third + 4096] = bytes(4096)
    _wal(path).write_bytes(data)


def _wipe(path: Path) -> None:
    _wal(path).write_bytes(bytes(_wal(path).stat().st_size))


def _delete(path: Path) -> None:
    _wal(path).unlink()


def _scramble_the_header(path: Path) -> None:
    data = bytearray(_wal(path).read_bytes())
    data[:8] = b"garbage!"
    _wal(path).write_bytes(data)


def _replace_by_another(path: Path) -> None:
    other = path.with_name("other.db")
    database = Database(other)
    database.run("INSERT INTO lost_draft VALUES (1)")
    shutil.copy(f"{other}-wal", _wal(path))
    database.close()


def _found(database: Database) -> set[str]:
    return {each.content for each in DraftFile(database).load()}


def test_files_of_a_killed_client_are_whole(left: Path) -> None:
    """No alarm where nothing is wrong, and everything is there."""
    database = Database(left)
    assert database.set_aside is None
    assert _found(database) == {_draft(n).content for n in range(10)}
    again = Database(left)  # a second window, while the first has the file open
    assert again.set_aside is None
    again.close()
    database.close()


@pytest.mark.parametrize(
    ("damage", "least"),
    [
        (_flip, 9),
        (_halve, 3),
        (_wipe_the_middle, 9),
        (_wipe, 0),
        (_delete, 0),
        (_scramble_the_header, 0),
        (_replace_by_another, 0),
    ],
)
def test_a_damaged_log_is_told_and_kept(
    left: Path, damage: Callable[[Path], None], least: int
) -> None:
    """What is readable is back; the copy has the rest, for whoever can do more; the client starts."""
    damage(left)
    bytes_of_before = _wal(left).read_bytes() if _wal(left).exists() else None
    database = Database(left)
    assert database.set_aside is not None
    if bytes_of_before is not None:
        assert _wal(database.set_aside).read_bytes() == bytes_of_before
    texts = _found(database)
    assert len(texts & {_draft(n).content for n in range(10)}) >= least
    DraftFile(database).put(_draft(11), otherwise=LocalDraftId("other"))
    database.close()
    again = Database(left)
    assert again.set_aside is None
    assert _found(again) == texts | {_draft(11).content}
    again.close()


def test_a_damaged_index_costs_nothing(left: Path) -> None:
    """SQLite makes `-shm` anew."""
    Path(f"{left}-shm").write_bytes(b"\xff" * 32768)
    database = Database(left)
    assert _found(database) == {_draft(n).content for n in range(10)}
    database.close()


def test_what_is_left_of_a_damaged_file_is_read(left: Path) -> None:
    """One broken page costs what was on it."""
    Database(left).close()  # all of it in the file itself now
    with sqlite3.connect(left) as connection:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.close()
    data = bytearray(left.read_bytes())
    data[(pages - 1) * 4096 :] = b"\xaa" * 4096
    left.write_bytes(data)
    database = Database(left)
    assert database.set_aside is not None
    assert len(_found(database)) >= 5
    database.close()


def test_nobody_else_can_read_the_copy(left: Path) -> None:
    """What was private stays so."""
    _flip(left)
    database = Database(left)
    assert database.set_aside is not None
    for path in left.parent.glob("*.damaged-*"):
        assert path.stat().st_mode & 0o077 == 0, path
        assert not path.name.endswith(".trial")
    database.close()
    assert salvage.read_log(left) is None
