"""Drafts and outbox on disk: private, whole after a crash, shared by two processes."""

import signal
import sqlite3
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tui.api.destination import DirectDestination, TopicDestination
from tui.api.model import ChannelId, DraftId, LocalId, MessageId, QueueId, UserId
from tui.cache.account_folder import account_folder
from tui.cache.database import Database
from tui.cache.drafts import DraftFile
from tui.cache.edits import EditFile, KeptEdit
from tui.cache.locks import try_lock
from tui.cache.outbox import OutboxFile
from tui.config import Folders
from tui.errors import ConfigError
from tui.store.drafts import LocalDraft, LocalDraftId
from tui.store.outbox import OutgoingMessage

MESSAGE = OutgoingMessage(
    local_id=LocalId("local"),
    idempotency_key="key",
    destination=TopicDestination(channel_id=ChannelId(9), topic="tea"),
    content="hello 🌍\n",
    created=1.5,
    state="sending",
    error="",
    attempted=2.5,
    attempted_after=MessageId(7),
    queue_id=QueueId("queue"),
    message_id=None,
)
DRAFT = LocalDraft(
    local_id=LocalDraftId("draft"),
    destination=DirectDestination(user_ids=frozenset({UserId(1), UserId(2)})),
    content="hel",
    updated=1.5,
    draft_id=DraftId(3),
    synced="he",
)


@pytest.fixture
def database(tmp_path: Path) -> Database:
    return Database(tmp_path / "account.db")


def test_nobody_else_can_read_it(tmp_path: Path) -> None:
    """Other people of the machine see neither files nor folders."""
    folders = Folders(config=tmp_path, data=tmp_path, state=tmp_path / "s", cache=tmp_path / "c")
    places = account_folder(folders, site="https://chat.example.com", email="iris@example.com")
    database = Database(places.state / "account.db")
    DraftFile(database).put(DRAFT, otherwise=LocalDraftId("other"))
    for path in (places.state, places.state.parent, tmp_path / "s", places.cache, tmp_path / "c"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700
    for path in places.state.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    database.close()


def test_accounts_with_alike_names_are_kept_apart(tmp_path: Path) -> None:
    """`a/b` and `a_b` do not share drafts."""
    folders = Folders(config=tmp_path, data=tmp_path, state=tmp_path, cache=tmp_path)
    one = account_folder(folders, site="https://x/y", email="iris@example.com")
    two = account_folder(folders, site="https://x_y", email="iris@example.com")
    assert one.state != two.state


def test_what_is_read_is_what_was_written(database: Database, tmp_path: Path) -> None:
    """Every field of messages and drafts survives the disk."""
    first = OutboxFile(database, tmp_path)
    first.put(MESSAGE)
    first.close()
    assert OutboxFile(database, tmp_path).adopt() == [MESSAGE]
    DraftFile(database).put(DRAFT, otherwise=LocalDraftId("other"))
    assert DraftFile(database).load() == [DRAFT]


def test_a_living_process_keeps_its_messages(database: Database, tmp_path: Path) -> None:
    """Two clients of one account do not both send what one of them has under way."""
    first, second = OutboxFile(database, tmp_path), OutboxFile(database, tmp_path)
    first.put(MESSAGE)
    assert second.adopt() == []
    first.close()
    assert second.adopt() == [MESSAGE]
    second.put(replace(MESSAGE, state="waiting"))
    assert OutboxFile(database, tmp_path).adopt() == []


def test_kill_9_leaves_its_messages_to_the_next(tmp_path: Path) -> None:
    """A client that is killed the moment after Enter has lost nothing."""
    code = (
        "import os, sys, signal\n"
        "from pathlib import Path\n"
        "from tests.unit.tui.cache.test_database import MESSAGE\n"
        "from tui.cache.database import Database\n"
        "from tui.cache.outbox import OutboxFile\n"
        "folder = Path(sys.argv[1])\n"
        "OutboxFile(Database(folder / 'account.db'), folder).put(MESSAGE)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    run = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert run.returncode == -signal.SIGKILL
    assert OutboxFile(Database(tmp_path / "account.db"), tmp_path).adopt() == [MESSAGE]


def test_a_draft_changed_in_two_places_becomes_two(database: Database) -> None:
    """The same draft written on in two windows: both texts stay."""
    here, there = DraftFile(database), DraftFile(database)
    here.put(DRAFT, otherwise=LocalDraftId("x"))
    there.load()
    here.put(replace(DRAFT, content="here"), otherwise=LocalDraftId("x"))
    kept = there.put(replace(DRAFT, content="there"), otherwise=LocalDraftId("other"))
    assert (kept.local_id, kept.draft_id) == ("other", None)
    assert {d.content for d in DraftFile(database).load()} == {"here", "there"}


def test_a_draft_changed_elsewhere_is_not_deleted(database: Database) -> None:
    """Sending in one window does not throw away what was written on in the other."""
    here, there = DraftFile(database), DraftFile(database)
    here.put(DRAFT, otherwise=LocalDraftId("x"))
    there.load()
    here.put(replace(DRAFT, content="more"), otherwise=LocalDraftId("x"))
    there.remove(DRAFT.local_id)
    assert [draft.content for draft in here.load()] == ["more"]
    here.remove(DRAFT.local_id)
    assert here.load() == []


def test_another_process_is_noticed(tmp_path: Path) -> None:
    """What the other window wrote can be looked at."""
    here = DraftFile(Database(tmp_path / "account.db"))
    there = DraftFile(Database(tmp_path / "account.db"))
    here.load()
    assert not here.changed_elsewhere()
    there.put(DRAFT, otherwise=LocalDraftId("x"))
    assert here.changed_elsewhere()


def test_a_damaged_file_is_kept_and_replaced(tmp_path: Path) -> None:
    """Nothing that might still be rescued is overwritten, and the client starts."""
    path = tmp_path / "account.db"
    path.write_bytes(b"this is not a database, but it may have been one" * 100)
    database = Database(path)
    assert database.set_aside is not None
    assert database.set_aside.read_bytes().startswith(b"this is not")
    assert OutboxFile(database, tmp_path).adopt() == []


@pytest.mark.parametrize("size", [16, 100, 2000, 4096])
@pytest.mark.parametrize("by", [b"\0", b"\xa5"])
def test_a_damaged_first_page_costs_no_draft(tmp_path: Path, size: int, by: bytes) -> None:
    """It has no words of mine, but says where they are; a new file has the same."""
    path = tmp_path / "account.db"
    database = Database(path)
    drafts, outbox, edits = DraftFile(database), OutboxFile(database, tmp_path), EditFile(database)
    contents = {f"draft {number} " + "long " * 500 for number in range(20)}
    for number, content in enumerate(contents):
        draft = replace(DRAFT, local_id=LocalDraftId(str(number)), content=content)
        drafts.put(draft, otherwise=LocalDraftId("x"))
    outbox.put(MESSAGE)
    edits.put(KeptEdit(message_id=MessageId(1), was="", content="edit", updated=1.0))
    outbox.close()
    database.close()
    data = path.read_bytes()
    path.write_bytes(by * size + data[size:])
    again = Database(path)
    assert again.trouble
    assert {each.content for each in DraftFile(again).load()} == contents
    assert OutboxFile(again, tmp_path).adopt() == [MESSAGE]
    assert [each.content for each in EditFile(again).all()] == ["edit"]
    again.close()


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    """An older Chinwag says that the file is newer, instead of breaking it."""
    path = tmp_path / "account.db"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(ConfigError, match="newer"):
        Database(path)


@pytest.mark.parametrize("version", [0, 1, -1, 2**31 - 1])
def test_a_damaged_version_costs_no_draft(tmp_path: Path, version: int) -> None:
    """Four bytes of the first page are wrong: the file is kept and replaced, with all that was in it."""
    path = tmp_path / "account.db"
    database = Database(path)
    database.run("INSERT INTO draft VALUES ('a', 1, 1.0, '{}')")
    database.run(f"PRAGMA user_version = {version}")
    database.close()
    opened = Database(path)
    assert opened.set_aside is not None
    assert opened.rows("SELECT local_id FROM draft") == [("a",)]
    opened.close()
    again = Database(path)
    assert again.set_aside is None
    again.close()


def test_a_missing_table_is_made(tmp_path: Path) -> None:
    """What else was in the file is kept, and the next draft is saved."""
    path = tmp_path / "account.db"
    database = Database(path)
    database.run("INSERT INTO edit VALUES (1, 1.0, 'a', 'b')")
    database.run("DROP TABLE draft")
    database.close()
    opened = Database(path)
    opened.run("INSERT INTO draft VALUES ('a', 1, 1.0, '{}')")
    assert opened.rows("SELECT message_id FROM edit") == [(1,)]
    opened.close()


def test_a_row_that_cannot_be_read_does_not_hide_the_others(
    database: Database, tmp_path: Path
) -> None:
    """One broken entry costs that entry, and it stays where it is."""
    first = OutboxFile(database, tmp_path)
    first.put(MESSAGE)
    first.put(replace(MESSAGE, local_id=LocalId("broken")))
    database.run("UPDATE outbox SET message = '{}' WHERE local_id = 'broken'")
    first.close()
    assert OutboxFile(database, tmp_path).adopt() == [MESSAGE]
    assert database.rows("SELECT count(*) FROM outbox") == [(2,)]


def _damaged(path: Path, was: bytes) -> None:
    """Change one byte of the file, in the middle of `was`, to one that UTF-8 does not have there."""
    data = bytearray(path.read_bytes())
    assert data.count(was) == 1
    data[data.index(was) + len(was) // 2] = 0xF9
    path.write_bytes(data)


def test_a_damaged_byte_costs_a_character_of_one_draft(tmp_path: Path) -> None:
    """Not all drafts, edits and messages; and a message that is not what was written is not sent."""
    path = tmp_path / "account.db"
    database = Database(path)
    drafts, outbox, edits = (
        DraftFile(database),
        OutboxFile(database, tmp_path),
        EditFile(database),
    )
    for word in ("broken", "whole"):
        draft = replace(DRAFT, local_id=LocalDraftId(word), content=f"a {word} draft")
        drafts.put(draft, otherwise=LocalDraftId("x"))
        outbox.put(replace(MESSAGE, local_id=LocalId(word), content=f"a {word} message"))
        number = MessageId(len(word))
        edits.put(KeptEdit(message_id=number, was="", content=f"a {word} edit", updated=1.0))
    outbox.close()
    database.close()
    for noun in ("draft", "message", "edit"):
        _damaged(path, f"broken {noun}".encode())
    again = Database(path)
    assert {each.content for each in DraftFile(again).load()} == {
        "a broken\ufffddraft",
        "a whole draft",
    }
    assert {each.content for each in EditFile(again).all()} == {
        "a broke\ufffd edit",
        "a whole edit",
    }
    (message,) = OutboxFile(again, tmp_path).adopt()
    assert message.content == "a whole message"
    assert again.rows("SELECT count(*) FROM outbox") == [(2,)]
    again.close()


def test_a_file_whose_tables_cannot_be_named_is_kept_and_replaced(tmp_path: Path) -> None:
    """SQLite quotes the damaged name in its error, and Python cannot read that."""
    path = tmp_path / "account.db"
    Database(path).close()
    _damaged(path, b"CREATE TABLE draft")
    again = Database(path)
    assert again.set_aside is not None
    again.close()


@pytest.mark.parametrize(
    ("was", "becomes"),
    [('"sending"', '"sendjng"'), ('"attempted_after": 7', '"attempted_after": 1e999')],
)
def test_a_message_that_nothing_could_be_done_with_is_left(
    database: Database, tmp_path: Path, was: str, becomes: str
) -> None:
    """A damaged state or number stops no other message."""
    first = OutboxFile(database, tmp_path)
    first.put(replace(MESSAGE, local_id=LocalId("broken")))
    database.run("UPDATE outbox SET message = replace(message, ?, ?)", was, becomes)
    first.put(MESSAGE)
    first.close()
    assert OutboxFile(database, tmp_path).adopt() == [MESSAGE]


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    """Half a change is no change."""

    def change() -> None:
        with database.transaction():
            database.run("INSERT INTO lost_draft VALUES (1)")
            raise KeyError

    with pytest.raises(KeyError):
        change()
    assert DraftFile(database).deletions() == []


def test_a_lock_is_free_when_its_holder_is_gone(tmp_path: Path) -> None:
    """Locks of clients that crashed stand in nobody's way."""
    path = tmp_path / "a.lock"
    held = try_lock(path)
    assert held is not None
    assert try_lock(path) is None
    held.release()
    assert not path.exists()
