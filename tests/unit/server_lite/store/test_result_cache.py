"""What is computed of tables is kept as long as it is true, and no longer."""

from collections.abc import Callable
from pathlib import Path

import pytest

from server_lite.store import result_cache as computed_module
from server_lite.store import settings
from server_lite.store.connection import Db, now
from server_lite.store.database import Database, Tx
from server_lite.store.result_cache import ResultCache


class Counted:
    """Functions of a database, and how often each ran."""

    def __init__(self) -> None:
        self.runs: list[str] = []

    def setting(self, db: Db, name: str) -> int:
        self.runs.append(name)
        value: int = settings.value(db, name, 0)
        return value

    def both(self, db: Db) -> tuple[int, int]:
        self.runs.append("both")
        return db.cached(self.setting, "a"), db.cached(self.setting, "b")

    def people(self, db: Db) -> int:
        self.runs.append("people")
        return len(db.column("SELECT id FROM user"))

    def messages(self, db: Db) -> int:
        self.runs.append("messages")
        return len(db.column("SELECT id FROM message"))

    def later(self, db: Db) -> float:
        self.runs.append("later")
        return now(db)

    def with_messages(self, db: Db) -> int:
        self.runs.append("with messages")
        return db.cached(self.people) + db.cached(self.messages)


def store(name: str, value: int) -> Callable[[Tx], None]:
    return lambda tx: settings.store(tx, name, value)


def test_results_hold_until_a_table_changes_that_was_read(tmp_path: Path) -> None:
    """By each other's way as well: what uses a result depends on the tables that it was made of."""
    database = Database(tmp_path / "x.db")
    db, counted = database.reader, Counted()
    for _ in range(2):
        assert db.cached(counted.both) == (0, 0)
        assert db.cached(counted.people) == 1
    assert counted.runs == ["both", "a", "b", "people"]
    database.write_now(store("a", 7))
    assert db.cached(counted.both) == (7, 0)
    assert db.cached(counted.people) == 1
    assert counted.runs[4:] == ["both", "a", "b"]
    database.write_now(lambda tx: tx.run("UPDATE user SET timezone = 'Asia/Tokyo'"))
    assert db.cached(counted.both) == (7, 0)
    assert db.cached(counted.people) == 1
    assert counted.runs[7:] == ["people"]
    database.close()


def test_what_often_changes_is_computed_each_time(tmp_path: Path) -> None:
    """Tables of messages, and the clock; and what is made of them, though not all that it is made of."""
    database = Database(tmp_path / "x.db")
    db, counted = database.reader, Counted()
    for _ in range(2):
        db.cached(counted.later)
        db.cached(counted.with_messages)
    assert counted.runs == [
        *("later", "with messages", "people", "messages"),
        *("later", "with messages", "messages"),
    ]
    database.close()


def test_changes_see_themselves_and_a_refused_one_leaves_nothing(tmp_path: Path) -> None:
    """A result from inside of a change that was undone is of no use to anybody."""
    database = Database(tmp_path / "x.db")
    counted = Counted()
    seen: list[int] = []

    def change(tx: Tx) -> None:
        settings.store(tx, "a", 1)
        seen.append(tx.cached(counted.setting, "a"))
        settings.store(tx, "a", 2)
        seen.append(tx.cached(counted.setting, "a"))
        raise LookupError

    with pytest.raises(LookupError):
        database.write_now(change)
    assert seen == [1, 2]
    assert database.reader.cached(counted.setting, "a") == 0
    database.write_now(lambda tx: None)
    assert database.reader.cached(counted.setting, "a") == 0
    database.close()


async def test_threads_share_what_is_true_for_both(tmp_path: Path) -> None:
    """A read that began before a change goes on with what was true then, and gives it to no other."""
    database = Database(tmp_path / "x.db")
    counted = Counted()

    def read(db: Db) -> int:
        return db.cached(counted.setting, "a")

    assert await database.long_reads.read(read) == 0
    assert database.reader.cached(counted.setting, "a") == 0
    assert counted.runs == ["a"]

    def slow(db: Db) -> tuple[int, int]:
        database.write_now(store("a", 5))
        return database.reader.cached(counted.setting, "a"), db.cached(counted.setting, "a")

    assert await database.long_reads.read(slow) == (5, 0)
    assert database.reader.cached(counted.setting, "a") == 5
    assert await database.long_reads.read(read) == 5
    database.close()


def test_results_are_told_apart_by_what_they_were_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the oldest go when there are too many; without a memory all is computed."""
    monkeypatch.setattr(computed_module, "MOST", 2)
    database = Database(tmp_path / "x.db")
    database.write_now(store("b", 3))
    db, counted = database.reader, Counted()
    assert [db.cached(counted.setting, name) for name in "aba"] == [0, 3, 0]
    assert counted.runs == ["a", "b"]
    db.cached(counted.setting, "c")
    assert [db.cached(counted.setting, name) for name in "ab"] == [0, 3]
    assert counted.runs == ["a", "b", "c", "b"]
    alone = Db(db.connection)
    assert [alone.cached(counted.setting, name) for name in "bb"] == [3, 3]
    assert counted.runs[4:] == ["b", "b"]
    assert ResultCache().find((counted.setting, ("b",), ()), {}) is None
    database.close()
