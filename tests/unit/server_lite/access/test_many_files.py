"""Messages with many files, and a file in many messages: changes that do the same with more of them."""

from functools import partial
from pathlib import Path

import pytest

from server_lite.access.recipients import ChannelRecipient
from server_lite.actions import uploads
from server_lite.actions.channels import create_channel
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.events.messages import AttachmentUpdated
from server_lite.ids import UserId
from server_lite.objects.uploads import url_of
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Database, Tx
from server_lite.store.uploads import UploadRow
from server_lite.store.users import Role, UserRow
from tests.call_counter import statements

Town = tuple[list[UserRow], ChannelRow, list[UploadRow]]


def _found(tx: Tx, count: int) -> Town:
    """Return two users, their channel, and files of the first, which a message there links."""
    people = [
        create_user(tx, email=f"p{n}@x.de", full_name=f"P {n}", role=Role.MEMBER, password=None)
        for n in range(2)
    ]
    channel = create_channel(tx, None, name="c")
    subscribe(tx, [channel], people)
    files = [
        uploads.store(tx, people[0], name=f"{n}.txt", content_type="text/plain", data=b"x")
        for n in range(count)
    ]
    _say(tx, people[0], channel, files)
    return people, channel, files


def _say(tx: Tx, sender: UserRow, channel: ChannelRow, files: list[UploadRow]) -> list[list[int]]:
    """Send a message that links the files; returns the links in the events about them."""
    text = " ".join(f"[x]({url_of(file)})" for file in files)
    send_message(tx, sender, ChannelRecipient(channel, "t"), text, client="test")
    events = [one.event for one in tx.entries if isinstance(one.event, AttachmentUpdated)]
    return [event.attachment["message_ids"] for event in events]


def test_more_files_in_a_message_are_checked_at_once(tmp_path: Path) -> None:
    """A message with 286 files of another user held all others for 400 ms; one look-up for each is left, and its links."""

    def count(number: int) -> int:
        database = Database(tmp_path / f"{number}.db")
        people, channel, files = database.write_now(lambda tx: _found(tx, number))
        with statements(database._writer) as sql:
            database.write_now(lambda tx: _say(tx, people[1], channel, files))
        database.close()
        each = ("SELECT message_id FROM upload_link", "FROM upload WHERE", "one.value", "INSERT")
        return len([one for one in sql if not any(part in one for part in each)])

    assert count(3) == count(12)


def test_events_about_a_file_in_many_messages_have_the_newest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that 100,000 messages linked held all others for 230 ms with each further one, and when it was deleted."""
    monkeypatch.setattr(uploads, "LINKS", 2)
    database = Database(tmp_path / "x.db")
    people, channel, files = database.write_now(lambda tx: _found(tx, 1))
    links = [database.write_now(lambda tx: _say(tx, people[1], channel, files)) for _ in range(12)]
    ((newest,),) = links[-1:]
    assert newest == sorted(newest)
    assert (len(newest), len(links[0][0])) == (10, 2)
    unlinked = [database.write_now(partial(uploads.unlink_some, upload=files[0])) for _ in range(7)]
    assert unlinked == [True] * 6 + [False]
    database.close()


def test_whose_many_files_are_linked_registers_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "FILES", 2)
    database = Database(tmp_path / "x.db")
    people, channel, files = database.write_now(lambda tx: _found(tx, 3))

    def say(tx: Tx) -> tuple[list[list[int]], set[UserId]]:
        return _say(tx, people[1], channel, files), set(tx.ended_queues)

    assert database.write_now(say) == ([], {people[0].id})
    database.close()
