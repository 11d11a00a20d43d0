"""A disk that takes nothing, or has no locks: a sentence says what to do."""

import errno
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import Bugs
from tests.unit.tui.cache.test_database import MESSAGE
from tui.api.model import MessageId
from tui.cache import database as database_module
from tui.cache import locks
from tui.cache.database import Database
from tui.cache.drafts import DraftFile
from tui.cache.edits import EditFile, KeptEdit
from tui.cache.outbox import OutboxFile
from tui.errors import ConfigError
from tui.store.drafts import LocalDraft, LocalDraftId


def test_a_full_disk_is_said_to_be_full(tmp_path: Path) -> None:
    """I read what is the matter, where my words are, and what to do."""
    database = Database(tmp_path / "account.db")
    used = database.rows("PRAGMA page_count")[0][0]
    database.rows(f"PRAGMA max_page_count = {used}")
    with pytest.raises(
        ConfigError, match=r"^The disk is full: .* in memory only\. Free some space"
    ):
        database.run("INSERT INTO edit VALUES (1, 0, '', ?)", "long " * 10_000)
    database.close()


def _refusal(name: str) -> Callable[[Path], sqlite3.Connection]:
    def refuses(_path: Path) -> sqlite3.Connection:
        error = sqlite3.OperationalError("refused")
        error.sqlite_errorname = name
        raise error

    return refuses


def test_a_file_that_another_program_locks_is_said_to_be_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start I read what to do, not what SQLite calls it."""
    monkeypatch.setattr(database_module, "_open", _refusal("SQLITE_BUSY"))
    with pytest.raises(ConfigError, match="is locked by another program"):
        Database(tmp_path / "account.db")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("SQLITE_READONLY_DBMOVED", "cannot be written: .* in memory only"),
        ("SQLITE_IOERR_SHMSIZE", "The disk is full: .* in memory only"),
    ],
)
def test_a_start_on_a_disk_that_takes_nothing_shows_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    """I can read, my drafts are there, nothing is sent that is not on the disk; with space it goes on."""
    path = tmp_path / "account.db"
    earlier = Database(path)
    earlier.run("INSERT INTO draft VALUES ('a', 1, 0, '{}')")  # in the log, which nobody closed
    monkeypatch.setattr(database_module, "_open", _refusal(name))
    database = Database(path)
    assert re.search(sentence, database.trouble)
    assert database.rows("SELECT local_id FROM draft") == [("a",)]
    outbox = OutboxFile(database, tmp_path)
    with pytest.raises(ConfigError, match=sentence):
        outbox.put(MESSAGE)
    assert not list(tmp_path.glob("outbox-*.lock"))
    monkeypatch.undo()
    outbox.put(MESSAGE)
    assert not database.trouble
    assert earlier.rows("SELECT local_id FROM outbox") == [(MESSAGE.local_id,)]
    assert OutboxFile(earlier, tmp_path).adopt() == [], "its owner is alive"
    outbox.close()
    database.close()
    earlier.close()


def test_a_change_is_kept_in_memory_until_there_is_room(tmp_path: Path, bugs: Bugs) -> None:
    """The message that I was editing is not lost by going elsewhere."""
    database = Database(tmp_path / "account.db")
    edits = EditFile(database)
    kept = [
        KeptEdit(message_id=MessageId(n), was="a", content="b", updated=float(n)) for n in (1, 2)
    ]
    database.rows("PRAGMA query_only = 1")
    edits.put(kept[0])
    assert edits.get(MessageId(1)) == kept[0]
    database.rows("PRAGMA query_only = 0")
    edits.put(kept[1])
    assert EditFile(database).all() == [kept[1], kept[0]]
    assert len(bugs.take()) == 1
    database.close()


def test_a_folder_in_place_of_a_lock_is_told(tmp_path: Path) -> None:
    """One sentence with its path, not a bug."""
    (tmp_path / "drafts.lock").mkdir()
    with pytest.raises(ConfigError, match=r"drafts\.lock cannot be created: Is a directory"):
        locks.try_lock(tmp_path / "drafts.lock")


def test_a_file_system_without_locks_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on some network disks: I am told to put the folder elsewhere."""

    def refuses(_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(locks, "_lock", refuses)
    with pytest.raises(ConfigError, match="Set CHINWAG_HOME to a folder on a local disk"):
        locks.try_lock(tmp_path / "outbox.lock")


def test_a_disk_that_fills_at_the_last_step_is_no_other_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What could not be written is the same draft when it can: no second one, nothing cleared."""
    database = Database(tmp_path / "account.db")
    file = DraftFile(database)
    draft = LocalDraft(
        local_id=LocalDraftId("a"), destination=None, content="b", updated=1.0, draft_id=None, synced=None
    )  # fmt: skip
    transaction = database.transaction

    @contextmanager
    def never_committed() -> Iterator[None]:
        with transaction():
            yield
            database.rows("SELECT * FROM nowhere")

    monkeypatch.setattr(database, "transaction", never_committed)
    with pytest.raises(ConfigError):
        file.put(draft, otherwise=LocalDraftId("other"))
    monkeypatch.undo()
    fresh = DraftFile(database)
    assert file.put(draft, otherwise=LocalDraftId("other")) == draft
    assert fresh.load() == [draft]
    database.close()
