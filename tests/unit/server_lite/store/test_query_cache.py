"""What is remembered of tables is what they say: after every change, undone change and failure."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.store import settings
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.query_cache import OFTEN, SELDOM, TEXT, QueryCache, meaning_of


def test_every_table_is_known_and_none_takes_rows_of_a_remembered_one_with_it(
    tmp_path: Path,
) -> None:
    """A new table must say whether it is remembered; deletions that cascade are seen as no statement."""
    database = Database(tmp_path / "x.db")
    tables = database.reader.column(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        " AND name NOT LIKE 'message_text_%'"
    )
    assert set(tables) == SELDOM | OFTEN
    assert not SELDOM & OFTEN
    for table in SELDOM:
        for row in database.reader.rows(f"PRAGMA foreign_key_list({table})"):
            assert row[6] in ("NO ACTION", "RESTRICT") or row[2] in SELDOM, (table, row)
    database.close()


@pytest.mark.parametrize(
    ("sql", "keeps", "tables"),
    [
        ("SELECT user.avatar FROM user WHERE id = ?", True, {"user"}),
        ("SELECT 1 FROM user JOIN message ON sender_id = user.id", False, set()),
        ("SELECT unixepoch() - date_joined FROM user", False, set()),
        ("INSERT OR IGNORE INTO unread SELECT user_id, ? FROM subscription", False, set()),
        ("UPDATE OR IGNORE subscription SET active = 0", False, {"subscription"}),
        ("INSERT INTO setting VALUES (?) ON CONFLICT DO UPDATE SET x = 1", False, {"setting"}),
        ("DELETE FROM queue WHERE id = ? RETURNING id", False, {"queue"}),
        ("DROP TABLE user", False, {"user"}),
    ],
)
def test_what_statements_are(sql: str, keeps: bool, tables: set[str]) -> None:
    """Only what reads remembered tables and nothing else is kept, and whatever changes one is seen."""
    meaning = meaning_of(sql)
    assert (meaning.keeps, set(meaning.tables)) == (keeps, tables)


names = st.sampled_from(["a", "b"])
steps = st.one_of(
    st.tuples(st.just("read"), names, st.just(0)),
    st.tuples(st.just("store"), names, st.integers(0, 2)),
    st.tuples(st.just("refused"), names, st.integers(0, 2)),
    st.tuples(st.just("delete"), names, st.just(0)),
)


@given(st.lists(steps, max_size=12))
def test_what_is_remembered_is_what_is_stored(history: list[tuple[str, str, int]]) -> None:
    """Reads inside and outside of changes, and after refused ones, are those of a dictionary."""
    database = shared()
    database.write_now(lambda tx: tx.run("DELETE FROM setting"))
    stored: dict[str, int] = {}
    for what, name, number in history:

        def change(
            tx: Tx,
            what: str = what,
            name: str = name,
            number: int = number,
            before: dict[str, int] = stored,
        ) -> None:
            assert settings.stored(tx) == before
            remember(tx, before)
            if what == "delete":
                tx.run("DELETE FROM setting WHERE name = ?", name)
            else:
                settings.store(tx, name, number)
            remember(tx, settings.stored(tx))  # must not outlive the refusal
            settings.value(tx, name, None)
            if what == "refused":
                raise LookupError

        if what == "refused":
            with pytest.raises(LookupError):
                database.write_now(change)
        elif what != "read":
            database.write_now(change)
            stored = {one: value for one, value in stored.items() if one != name}
            if what == "store":
                stored[name] = number
        assert settings.stored(database.reader) == stored
        remember(database.reader, stored)
        assert settings.value(database.reader, name, None) == stored.get(name)


def remember(db: Db, stored: Mapping[str, int]) -> None:
    """Put values into the dictionary of the table, which has nothing else."""
    memo = db.memo(settings.value, "setting")
    assert memo.items() <= stored.items()
    memo.update(stored)


_SHARED: list[Database] = []


def shared() -> Database:
    """One file for all examples: to open one is dear."""
    return _SHARED[0]


@pytest.fixture(autouse=True, scope="module")
def _open(tmp_path_factory: pytest.TempPathFactory) -> None:
    _SHARED[:] = [Database(tmp_path_factory.mktemp("remembered") / "x.db")]


def test_a_remembered_answer_can_be_changed_by_who_got_it(tmp_path: Path) -> None:
    """Lists are copies."""
    database = Database(tmp_path / "x.db")
    database.reader.rows("SELECT id FROM user").append((7,))
    database.reader.column("SELECT id FROM user").append(7)
    assert database.reader.column("SELECT id FROM user") == [1]
    database.close()


def test_too_much_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory has a limit, and beyond it answers are as right."""
    monkeypatch.setattr("server_lite.store.query_cache.ALL", 3)
    monkeypatch.setattr("server_lite.store.query_cache.MOST", 1)
    database = Database(tmp_path / "x.db")
    query_cache = QueryCache()
    db = Db(database.reader.connection, query_cache)
    for _ in range(2):
        for number in range(5):
            assert db.value("SELECT id FROM user WHERE id = ?", number) == (
                1 if number == 1 else None
            )
            assert len(db.rows("SELECT id FROM user_group")) > 1
    database.close()


def test_long_statements_are_limited_by_their_length(tmp_path: Path) -> None:
    """Lists of other lengths make other statements, of 90 KB each: ten thousand would take a gigabyte."""
    database = Database(tmp_path / "x.db")
    query_cache = QueryCache()
    db = Db(database.reader.connection, query_cache)
    for count in range(25_000, 25_030):
        marks = ", ".join("?" * count)
        assert len(db.rows(f"SELECT id FROM user WHERE id IN ({marks})", *range(count))) == 1
        assert db.value(f"SELECT max(id) FROM user WHERE id IN ({marks})", *range(count)) == 1
    assert sum(map(len, query_cache.meanings)) <= TEXT
    assert query_cache._size <= 2 * count
    assert sum(map(len, query_cache.firsts)) <= TEXT
    query_cache.change("DELETE FROM user WHERE id = 7")
    assert query_cache._size == 0
    database.close()


async def test_long_reads_remember_until_a_change(tmp_path: Path) -> None:
    """A thread of a later moment does not answer with an earlier one's."""
    database = Database(tmp_path / "x.db")
    for number in range(3):
        await database.write(lambda tx, number=number: settings.store(tx, "a", number))  # type: ignore[misc]  # bound per round
        for _ in range(2):
            assert (await database.long_reads.read(settings.stored))["a"] == number
    database.close()
