"""A byte that changed on the disk is seen wherever pages are read, in any version of a file that can know."""

import gzip
import random
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from server_lite.cli.arguments import run
from server_lite.errors import StartError
from server_lite.maintenance.damage import look_for_damage
from server_lite.store import backups, checksums
from server_lite.store.database import Database
from server_lite.store.migrations import newest

pytestmark = pytest.mark.usefixtures("created_anew")

PAGE = 4096
OLD = Path(__file__).parents[3] / "data" / "schema-030.db.gz"


def changed(path: Path, at: int, to: bytes | None = None) -> None:
    """Put other bytes into a file, or another one at that place."""
    with path.open("r+b") as file:
        file.seek(at)
        before = file.read(1)[0]
        file.seek(at)
        file.write(to or bytes([before ^ 0x20]))


@pytest.fixture
def sound(tmp_path: Path) -> Path:
    """A copy without free pages, with a page of each kind."""
    made = tmp_path / "made.db"
    Database(made).close()
    copy = tmp_path / "sound.db"
    backups.copy(made, copy, lambda _done, _of: None)
    assert backups.faults(copy) == []
    return copy


def test_a_byte_anywhere_is_seen(sound: Path, tmp_path: Path) -> None:
    """Half of such changes alter a text or a number and no structure: SQLite alone finds nothing wrong."""
    chance = random.Random(7)
    pages = sound.stat().st_size // PAGE
    for page in chance.sample(range(1, pages), 30):
        path = tmp_path / f"{page}.db"
        path.write_bytes(sound.read_bytes())
        changed(path, page * PAGE + chance.randrange(PAGE))
        assert any(checksums.MISMATCH in fault for fault in backups.faults(path)), page


async def test_a_changed_letter_is_told_at_the_start_and_never_served(tmp_path: Path) -> None:
    """Nobody reads words that were not written, and the owner hears of it."""
    path = tmp_path / "team.db"
    database = Database(path)
    database.write_now(lambda tx: tx.run("INSERT INTO setting VALUES ('greeting', '\"welcome\"')"))
    database.close()
    changed(path, path.read_bytes().index(b"welcome"))
    assert await look_for_damage(path)
    with pytest.raises((StartError, apsw.IOError)), closing(Database(path)) as damaged:
        damaged.reader.value("SELECT value FROM setting WHERE name = 'greeting'")


def test_commands_name_the_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who copies a damaged file is told what is wrong with it, not of a disk that failed to answer."""
    path, other = tmp_path / "team.db", str(tmp_path / "other")
    Database(path).close()
    changed(path, 100)  # the page of the schema: nothing can be read
    for words in (
        ["backup", "--db", str(path), other],
        ["restore", str(path), "--db", other],
        ["export", "--db", str(path), "--out", other],
        ["serve", "--check", "--db", str(path)],
    ):
        assert run(words) == 1, words
        assert checksums.MISMATCH in capsys.readouterr().err, words


def test_what_was_not_yet_brought_into_the_file_is_checked_too(tmp_path: Path) -> None:
    """A kill leaves the write-ahead log: it is played in as ever, and its pages get their checksums."""
    path, killed = tmp_path / "team.db", tmp_path / "killed.db"
    database = Database(path)
    database.write_now(lambda tx: tx.run("INSERT INTO setting VALUES ('greeting', '\"welcome\"')"))
    for end in ("", "-wal"):
        killed.with_name(f"killed.db{end}").write_bytes(
            path.with_name(f"team.db{end}").read_bytes()
        )
    database.close()
    database = Database(killed)
    assert database.reader.value("SELECT value FROM setting WHERE name = 'greeting'") == '"welcome"'
    database.close()
    assert checksums.has_checksums(killed)
    assert backups.faults(killed) == []


def test_an_older_file_gets_them_when_it_is_copied(tmp_path: Path) -> None:
    """An upgrade alone rewrites nothing; the first backup has them, with the same rows."""
    path = tmp_path / "team.db"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    as_it_was = tmp_path / "as-it-was.db"
    backups.copy(path, as_it_was, lambda _done, _of: None)
    Database(path).close()
    backup = tmp_path / "backup.db"
    counts = backups.copy(path, backup, lambda _done, _of: None)
    kept = path.with_name(f"team.db.before-schema-{newest()}")
    assert [*map(checksums.has_checksums, (as_it_was, kept, path, backup))] == [
        False,  # the program of its time would write it without
        False,
        False,
        True,
    ]
    assert backups.faults(backup, counts=counts) == []
    assert backup.stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob("*.checked*"))


LARGE = 3 * 1024 * 1024
"""Bytes: more than the cache of a connection holds, so that pages are written before the first page is."""


def _is_copied(path: Path, copy: Path) -> bool:
    counts = backups.copy(path, copy, lambda _done, _of: None)
    return checksums.has_checksums(copy) and backups.faults(copy, counts=counts) == []


def test_a_large_file_is_copied_while_it_is_served(tmp_path: Path) -> None:
    """Pages that are only in the write-ahead log have no checksums there; in the copy they have."""
    path = tmp_path / "team.db"
    Database(path).close()
    # Another reader: what is written after its snapshot stays in the log.
    with closing(Database(path)) as database, backups.opened(path):
        database.write_now(
            lambda tx: tx.run("INSERT INTO setting VALUES ('greeting', ?)", "a" * LARGE)
        )
        assert _is_copied(path, tmp_path / "backup.db")


def test_a_large_file_without_checksums_gets_them_when_it_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of a build without the extension, which moved to a build that has it."""
    path = tmp_path / "team.db"
    with monkeypatch.context() as without:
        without.setattr(checksums, "begin", lambda _connection: None)
        with closing(Database(path)) as database:
            database.write_now(
                lambda tx: tx.run("INSERT INTO setting VALUES ('greeting', ?)", "a" * LARGE)
            )
    assert not checksums.has_checksums(path)
    assert _is_copied(path, tmp_path / "backup.db")


def test_without_the_extension_nothing_is_written_that_would_look_like_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file with checksums is refused by a build that cannot compute them; a new file does without."""
    path = tmp_path / "team.db"
    Database(path).close()
    monkeypatch.setattr(checksums, "extension_path", lambda: None)
    checksums.available.cache_clear()
    try:
        with pytest.raises(StartError, match="Install apsw as a wheel"):
            Database(path)
        Database(tmp_path / "other.db").close()
    finally:
        checksums.available.cache_clear()
    assert not checksums.has_checksums(tmp_path / "other.db")
