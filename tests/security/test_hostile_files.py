"""A file that somebody hands over as a backup: nothing in it is executed before it is known to be ours."""

import os
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from server_lite.store import identity
from server_lite.store.connection import Db
from server_lite.store.database import Database
from server_lite.store.migrations import build, migrations, newest
from tests.unit.server_lite.cli.conftest import Command, command, team

__all__ = ["command", "team"]

ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
PLANTED = "INSERT INTO api_key VALUES (randomblob(32), 2, 'evil', 0, 0)"


def execute(*statements: str) -> Callable[[Path], None]:
    """Change a file as its maker may."""

    def change(path: Path) -> None:
        connection = apsw.Connection(str(path))
        connection.config(apsw.SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1)
        for statement in statements:
            connection.execute(statement.replace("{here}", str(path.parent)))
        connection.close()

    return change


def of_the_future(path: Path) -> None:
    """Name a format that SQLite does not know, where no checksum of the page shows the change."""
    data = bytearray(path.read_bytes())
    data[20], data[47] = 9, 9
    path.write_bytes(data)


EVIL = {
    "a format of the future": of_the_future,
    "a table's name that writes a file": execute(
        """CREATE TABLE "user"" GROUP BY 'x' HAVING 0; COMMIT; PRAGMA query_only=OFF;"""
        """ VACUUM INTO '{here}/written'; BEGIN; SELECT 1 --" (x)"""
    ),
    "a trigger that plants a key": execute(
        f"CREATE TRIGGER evil AFTER DELETE ON queue BEGIN {PLANTED}; END"
    ),
    "a trigger without an end": execute(
        f"CREATE TRIGGER evil AFTER UPDATE ON event_counter BEGIN {ENDLESS}; END"
    ),
    "a view in a table's place": execute(
        "DROP TABLE used_token", f"CREATE VIEW used_token AS {ENDLESS}"
    ),
    "a virtual table": execute("CREATE VIRTUAL TABLE evil USING fts5 (x)"),
    "a generated column": execute(
        "ALTER TABLE draft ADD COLUMN evil TEXT AS (hex(zeroblob(400000000))) VIRTUAL"
    ),
    "an index on an expression": execute("CREATE INDEX evil ON user (length(zeroblob(400000000)))"),
    "a check of a column": execute(
        "UPDATE sqlite_schema SET sql = replace(sql, 'content   TEXT NOT NULL',"
        " 'content   TEXT NOT NULL CHECK (length(zeroblob(400000000)))') WHERE name = 'draft'"
    ),
    "a table without its index": execute("DROP INDEX draft_user"),
    "a schema that never was": execute("PRAGMA user_version = 7"),
    "ours by its number alone": execute("PRAGMA writable_schema = ON", "DELETE FROM sqlite_schema"),
}


@pytest.mark.parametrize("name", EVIL)
def test_nothing_of_a_strangers_file_is_executed(
    name: str, team: Path, command: Command, tmp_path: Path
) -> None:
    """Restoring, copying, examining, exporting or serving it says what is strange, and does nothing."""
    evil = tmp_path / "evil.db"
    os.link(team, evil)
    team.unlink()
    EVIL[name](evil)
    before, names = evil.read_bytes(), sorted(os.listdir(tmp_path))
    out = tmp_path / "out"
    commands = [
        ["restore", evil, "--db", out],
        ["backup", "--db", evil, out],
        ["export", "--db", evil, "--out", out],
        ["doctor", "--db", evil],
        ["doctor", "--db", evil, "--repair"],
        ["user", "list", "--db", evil],
    ]
    for words in commands:
        done = command(*words)
        assert done.code == 1, (words, done)
        assert "evil.db" in done.err, words
        assert done.err.count("\n") == 1, done.err
    left = {"evil.db.lock", "out.lock", "evil.db-shm", "evil.db-wal"}
    assert set(os.listdir(tmp_path)) - left == set(names) - left
    assert evil.read_bytes() == before


def test_a_name_of_a_strangers_file_cannot_reach_the_terminal(team: Path, command: Command) -> None:
    """Escape sequences in the name of a table are spelled out in the sentence that refuses it."""
    execute('CREATE TABLE "\x1b]0;owned\x07" (x)')(team)
    said = command("doctor", "--db", team).out
    assert "\x1b" not in said
    assert "\\x1b]0;owned" in said


def test_every_schema_of_ours_is_known(tmp_path: Path) -> None:
    """A file of an older version of this program is ours, and one with statistics of ANALYZE too."""
    for number, _ in migrations():
        connection = apsw.Connection(":memory:")
        build(connection, number)
        assert identity.strange(Db(connection), number) == []
    path = tmp_path / "team.db"
    Database(path).close()
    execute("INSERT INTO setting VALUES ('name', '1')", "ANALYZE")(path)
    Database(path).close()


@pytest.mark.parametrize(
    "statement",
    [
        "ATTACH 'x.db' AS x",
        "VACUUM",
        "VACUUM INTO 'x.db'",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA user_version = 3",
        "PRAGMA writable_schema = ON",
        "PRAGMA query_only = OFF",
        "DELETE FROM user",
        "CREATE TEMP TABLE x (y)",
    ],
)
def test_a_confined_connection_reads_and_nothing_else(statement: str) -> None:
    """Whatever a name in the file smuggles into a statement, it writes nothing anywhere."""
    connection = apsw.Connection(":memory:")
    build(connection, newest())
    identity.confine(connection)
    with pytest.raises(apsw.AuthError):
        connection.execute(statement)
    assert list(connection.execute("PRAGMA integrity_check")) == [("ok",)]
