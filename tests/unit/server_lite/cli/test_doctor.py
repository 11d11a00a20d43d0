"""`chinwag-server doctor`: what it finds, what it advises, and that it lets the file alone."""

import json
import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from server_lite.maintenance import checks
from server_lite.store.instance_lock import Lock
from server_lite.store.migrations import APPLICATION_ID, build, newest
from tests.unit.server_lite.cli.conftest import Command


def findings(command: Command, db: Path, *words: str) -> tuple[int, dict[str, str]]:
    """The exit code, and the worst level of each check."""
    done = command("doctor", "--db", db, "--json", *words)
    worst: dict[str, str] = {}
    for one in json.loads(done.out):
        assert bool(one["remedy"]) == (one["level"] != "ok"), one
        worst[one["check"]] = max(one["level"], worst.get(one["check"], ""), key=LEVELS.index)
    return done.code, worst


LEVELS = ["", "ok", "warn", "fail"]


def changed(db: Path, *statements: str) -> None:
    """Spoil the content of a file."""
    connection = apsw.Connection(str(db))
    for statement in statements:
        connection.execute(statement)
    connection.close()


def readable(db: Path) -> None:
    db.chmod(0o644)


def readable_key(db: Path) -> None:
    key = db.with_name("team.db.key")
    key.write_bytes(bytes(32))
    key.chmod(0o640)


def cut_key(db: Path) -> None:
    key = db.with_name("team.db.key")
    key.write_bytes(b"x")
    key.chmod(0o600)


def lost_key(db: Path) -> None:
    changed(db, "INSERT INTO bot (user_id, key_salt) VALUES (2, x'00')")


def other_key(db: Path) -> None:
    lost_key(db)
    changed(db, "INSERT INTO api_key VALUES (x'00', 2, 'bot', 0, 0)")
    key = db.with_name("team.db.key")
    key.write_bytes(bytes(32))
    key.chmod(0o600)


def unreadable_pages(db: Path) -> None:
    data = bytearray(db.read_bytes())
    for page in range(20, len(data) // 4096, 2):
        data[page * 4096 : page * 4096 + 2000] = os.urandom(2000)
    db.write_bytes(data)


def changed_letter(db: Path) -> None:
    data = bytearray(db.read_bytes())
    data[data.rindex(b"Olive")] = ord("C")
    db.write_bytes(data)


def cut_reference(db: Path) -> None:
    changed(db, "PRAGMA foreign_keys = OFF", "UPDATE message SET sender_id = 77 WHERE id = 1")


INDEXED = "UPDATE search_index_progress SET indexed = 4"


def unindexed(db: Path) -> None:
    changed(db, INDEXED, "DELETE FROM message_text WHERE rowid = 3")


def to_be_indexed(db: Path) -> None:
    changed(
        db,
        INDEXED,
        "INSERT INTO search_backlog VALUES (4)",
        "DELETE FROM message_text WHERE rowid < 4",
    )


def stale_index_ids(db: Path) -> None:
    changed(db, "INSERT INTO message_text (rowid, topic, plain) VALUES (99, 'a', 'b')")


def unlisted(db: Path) -> None:
    changed(
        db,
        "INSERT OR IGNORE INTO unread VALUES (1, 2)",
        "DELETE FROM unread_by_user",
        "UPDATE unread_index_progress SET indexed = 9",
    )


def without_places(db: Path) -> None:
    changed(
        db,
        "INSERT INTO unread_by_user SELECT user_id, message_id FROM unread",
        "UPDATE unread_index_progress SET indexed = 99, goal = 99",
    )


def misplaced(db: Path) -> None:
    without_places(db)
    changed(db, "INSERT INTO message_place SELECT id, 99 FROM message")


def without_progress(db: Path) -> None:
    changed(db, "DELETE FROM unread_index_progress")


def listed_for_ever(db: Path) -> None:
    changed(db, "INSERT INTO unread_by_user VALUES (2, 99)")


UPLOAD = (
    "INSERT INTO upload (user_id, name, path_id, content_type, size, created, is_complete)"
    " VALUES (2, 'a', 'b', 'text/plain', 5, 1, {})"
)


def short_upload(db: Path) -> None:
    changed(db, UPLOAD.format(1))


def unfinished_upload(db: Path) -> None:
    changed(db, UPLOAD.format(0))


def said_tomorrow(db: Path) -> None:
    changed(
        db,
        f"UPDATE message SET timestamp = {time.time() + 86400} WHERE id = (SELECT max(id) FROM message)",
    )


def nobodys(db: Path) -> None:
    changed(db, "UPDATE user SET role = 400")


def of_yesterday(db: Path) -> None:
    db.unlink()
    connection = apsw.Connection(str(db))
    build(connection, newest() - 1)
    connection.pragma("application_id", APPLICATION_ID)
    connection.pragma("user_version", newest() - 1)
    connection.close()
    db.chmod(0o600)


def of_tomorrow(db: Path) -> None:
    changed(db, "PRAGMA user_version = 999")


def test_a_healthy_file_is_found_healthy_and_let_alone(team: Path, command: Command) -> None:
    """Nothing to do: exit code 0, a line for each thing, and not one byte is changed."""
    before = team.read_bytes()
    told = command("doctor", "--db", team)
    assert (told.code, told.err) == (0, "")
    assert {line.split()[0] for line in told.out.splitlines()} == {"ok"}
    assert len(told.out.splitlines()) >= 12
    assert team.read_bytes() == before


@pytest.mark.parametrize(
    ("spoil", "check", "level"),
    [
        (readable, "modes", "fail"),
        (readable_key, "modes", "fail"),
        (cut_key, "key", "fail"),
        (lost_key, "key", "warn"),
        (other_key, "key", "warn"),
        (unreadable_pages, "pages", "fail"),
        (changed_letter, "pages", "fail"),
        (cut_reference, "references", "fail"),
        (unindexed, "search", "warn"),
        (stale_index_ids, "search", "warn"),
        (to_be_indexed, "search", "warn"),
        (unlisted, "unread", "warn"),
        (listed_for_ever, "unread", "warn"),
        (without_progress, "unread", "warn"),
        (short_upload, "uploads", "fail"),
        (unfinished_upload, "uploads", "warn"),
        (said_tomorrow, "clock", "warn"),
        (nobodys, "people", "fail"),
        (of_yesterday, "schema", "warn"),
        (of_tomorrow, "schema", "fail"),
    ],
)
def test_what_is_wrong_is_found(
    team: Path, command: Command, spoil: Callable[[Path], None], check: str, level: str
) -> None:
    """Each trouble has its line, says what to do, and only failures end with exit code 1."""
    spoil(team)
    code, worst = findings(command, team)
    assert worst[check] == level
    assert code == (1 if level == "fail" else 0)


def test_a_file_in_use_is_told(team: Path, command: Command) -> None:
    """Some program holds it and says nothing of itself."""
    lock = Lock(team)
    assert lock.take()
    assert findings(command, team)[1]["server"] == "warn"
    assert command("doctor", "--db", team, "--repair").code == 1
    lock.release()


def test_little_room_and_a_long_log_are_told(
    team: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fills up is told before it is full, and a log that never ends."""
    team.with_name("team.db-wal").write_bytes(b"")
    for name in ("LITTLE_SPACE", "LARGE_LOG"):
        monkeypatch.setattr(checks, name, 2**62 if name == "LITTLE_SPACE" else -1)
    code, worst = findings(command, team)
    assert (code, worst["space"], worst["log"]) == (1, "fail", "warn")


@pytest.mark.parametrize("spoil", [unindexed, stale_index_ids, to_be_indexed])
def test_search_is_repaired(team: Path, command: Command, spoil: Callable[[Path], None]) -> None:
    """Every message is found again, and none that is gone."""
    spoil(team)
    assert findings(command, team, "--repair")[1]["search"] == "ok"
    assert findings(command, team)[1]["pages"] == "ok"


@pytest.mark.parametrize(
    "spoil", [unlisted, listed_for_ever, without_places, misplaced, without_progress]
)
def test_lists_of_unread_messages_are_repaired(
    team: Path, command: Command, spoil: Callable[[Path], None]
) -> None:
    """What is unread for whom is kept by message, too, so that nothing is lost."""
    spoil(team)
    with closing(apsw.Connection(str(team))) as connection:
        unread = connection.execute(
            "SELECT user_id, message_id FROM unread ORDER BY 1, 2"
        ).fetchall()
        assert findings(command, team, "--repair")[1]["unread"] == "ok"
        listed = connection.execute("SELECT * FROM unread_by_user ORDER BY 1, 2").fetchall()
    assert listed == unread
