"""Files of older versions are brought up to date: whole or not at all, with a copy of what was before.

`tests/data/schema-NNN.db.gz` is a file as a version with that schema wrote it (`chinwag-server demo`).
Such files stay for ever: a migration that was released must go on to lead from them to today.
"""

import gzip
import os
from pathlib import Path
from typing import Any

import apsw
import pytest

from server_lite.errors import StartError
from server_lite.store import backups, opening, search_index, unread_messages
from server_lite.store.connection import open_writer
from server_lite.store.database import Database
from server_lite.store.migrations import APPLICATION_ID, build, newest
from tests.live import live, until

STORED = sorted((Path(__file__).parents[1] / "data").glob("schema-*.db.gz"))
OLD = 6


def old(path: Path, version: int = OLD) -> Path:
    """A file of an early version with a person in it."""
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    build(connection, version)
    connection.execute(
        "INSERT INTO user (id, email, full_name, role, date_joined) VALUES (7, 'a@x.org', 'Ann', 100, 1)"
    )
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", version)
    connection.close()
    return path


def names(path: Path) -> list[str]:
    """Who is in a file."""
    with backups.opened(path) as db:
        return db.column("SELECT full_name FROM user WHERE email = 'a@x.org'")


@pytest.mark.parametrize("stored", STORED, ids=lambda path: path.name)
def test_a_stored_file_of_an_older_version_opens(stored: Path, tmp_path: Path) -> None:
    """After an update of the program my organization is there, with everything in it."""
    path = tmp_path / "team.db"
    path.write_bytes(gzip.decompress(stored.read_bytes()))
    pairs = "SELECT user_id, message_id FROM unread ORDER BY 1, 2"
    with backups.opened(path) as db:
        before, unread = backups.count(db), db.rows(pairs)
    Database(path).close()
    assert backups.faults(path) == []
    with backups.opened(path) as db:
        after = backups.count(db)
        assert db.value("PRAGMA user_version") == newest()
        assert db.rows(pairs) == unread
        assert unread_messages.count_wrong(db) == 0
        assert all(unread_messages.indexed_until(db, user_id) > 10 for user_id, _ in unread)
    assert before["message"] > 10
    assert unread
    assert {name: after[name] for name in ("user", "channel", "message", "reaction")} == {
        name: before[name] for name in ("user", "channel", "message", "reaction")
    }


@pytest.mark.parametrize("most_bytes", [1, search_index.BYTES_AT_ONCE])
async def test_what_was_indexed_otherwise_is_found_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most_bytes: int
) -> None:
    """The server answers at once after the update, and search finds the newest first, then all."""
    path = tmp_path / "chinwag.db"
    path.write_bytes(gzip.decompress(STORED[0].read_bytes()))
    database = Database(path)
    with backups.opened(path) as db:
        newest_id = db.value("SELECT max(id) FROM message")
    assert search_index.backlog(database.reader) == newest_id
    assert database.write_now(lambda tx: search_index.add_earlier(tx, 3))
    assert database.write_now(lambda tx: search_index.update(tx, [1])) is None  # edited meanwhile
    assert search_index.missing(database.reader)[-1] < newest_id - 2
    database.close()
    monkeypatch.setattr(search_index, "BYTES_AT_ONCE", most_bytes)
    async with live(tmp_path) as server:
        await until(lambda: search_index.backlog(server.app.database.reader) == 0)
        assert search_index.missing(server.app.database.reader) == []
    assert backups.faults(path) == []


def test_there_is_a_copy_of_what_was_before(tmp_path: Path) -> None:
    """If the new version is not for me, I go back to the file as it was; older copies make room."""
    path = old(tmp_path / "team.db")
    (tmp_path / "team.db.before-schema-3").write_bytes(b"of an upgrade long ago")
    Database(path).close()
    kept = tmp_path / f"team.db.before-schema-{newest()}"
    assert names(kept) == names(path) == ["Ann"]
    assert kept.stat().st_mode & 0o077 == 0
    assert not (tmp_path / "team.db.before-schema-3").exists()
    Database(path).close()
    assert sorted(os.listdir(tmp_path)) == ["team.db", f"team.db.before-schema-{newest()}"]


def test_without_room_for_a_copy_nothing_is_upgraded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file stays as it is, the sentence says what to do, and nothing lies around."""

    def full(*_: object) -> None:
        raise apsw.FullError("database or disk is full")

    path = old(tmp_path / "team.db")
    monkeypatch.setattr(backups, "copy", full)
    with pytest.raises(StartError, match="Free disk space"):
        Database(path)
    with backups.opened(path) as db:
        assert db.value("PRAGMA user_version") == OLD
    assert [name for name in os.listdir(tmp_path) if "before" in name] == []


def _opens_until(path: Path, statement: int) -> bool:
    """Open the file in a process that is killed before its Nth statement; whether it came to its end."""
    pid = os.fork()
    if pid == 0:  # pragma: no cover - in the child
        left = statement

        def mortal(where: Path) -> apsw.Connection:
            def trace(*_: Any) -> bool:
                nonlocal left
                left -= 1
                if left == 0:
                    os._exit(9)
                return True

            connection = open_writer(where)
            connection.exec_trace = trace
            return connection

        setattr(opening, "open_writer", mortal)  # noqa: B010  # in a process that ends here
        try:
            Database(path)
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def test_an_upgrade_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    """The power fails at any statement of any step: the next start finishes it, and nobody is lost."""
    path, kept = tmp_path / "team.db", tmp_path / f"team.db.before-schema-{newest()}"
    ends = []
    for statement in range(1, 200, 7):
        for name in os.listdir(tmp_path):
            (tmp_path / name).unlink()
        old(path)
        ends.append(_opens_until(path, statement))
        Database(path).close()
        assert backups.faults(path) == []
        assert names(path) == names(kept) == ["Ann"]
    assert ends.count(False) > 10
