"""`import` of a later export of the same organization: what is new comes, everything else stays as it is here."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from server_lite.access.messages import visible_messages_sql
from server_lite.export import format as form
from server_lite.ids import ChannelId, MessageId
from server_lite.store import backups, search_index, users
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.rows import insert_row
from tests.unit.server_lite.cli.conftest import Command
from tests.unit.server_lite.cli.conftest import command as command
from tests.unit.server_lite.data_import.test_slack import CHANNELS, USERS, said

ANN, BEN, CY, DEE = 5, 6, 7, 8
OPEN, SECRET, NEW = 3, 4, 9


def person(number: int, name: str, **more: Any) -> form.Person:
    """An account."""
    email = f"{name.lower()}@x.org"
    return form.Person(
        id=number, email=email, name=name, joined=1e9 + number, **{"role": "member", **more}
    )


def channel(
    number: int, name: str, people: list[int], *, private: bool = False, after: int = 0
) -> form.Channel:
    """With these people, since a message."""
    members = [
        form.Membership(person=each, color="#76ce90", periods=[(after, None)]) for each in people
    ]
    return form.Channel(
        id=number, name=name, created=1e9, is_private=private, is_history_public=not private, people=members
    )  # fmt: skip


def message(number: int, sender: int, where: int, content: str, **more: Any) -> form.Message:
    """In the topic "tea"."""
    return form.Message(
        id=MessageId(number), sender=sender, channel=ChannelId(where), topic="tea",
        content=content, time=1.7e9 + number, **more,
    )  # fmt: skip


PEOPLE = [person(ANN, "Ann", role="owner"), person(BEN, "Ben"), person(CY, "Cy")]
FIRST: list[form.Record] = [
    form.Organization(settings={"name": "There"}),
    *PEOPLE,
    channel(OPEN, "open", [ANN, BEN]),
    channel(SECRET, "secret", [ANN, BEN], private=True),
    form.File(id=1, path="1/a/note.txt", name="note.txt", content_type="text/plain", person=ANN, created=1e9),
    message(10, ANN, OPEN, "first"),
    message(11, BEN, OPEN, "second"),
    message(12, ANN, SECRET, "psst"),
]  # fmt: skip
LATER: list[form.Record] = [
    form.Organization(settings={"name": "Renamed there"}),
    *PEOPLE,
    person(DEE, "Dee", owner=None),
    channel(OPEN, "open", [ANN, BEN, DEE], after=12),
    channel(SECRET, "secret", [ANN, DEE], private=True),
    channel(NEW, "here", [ANN, DEE]),
    FIRST[6],
    form.File(id=2, path="1/b/plan.txt", name="plan.txt", content_type="text/plain", person=DEE, created=2e9),
    *FIRST[7:],
    message(
        13, DEE, NEW, "@**Dee|8** see #narrow/channel/9-here/topic/tea/near/12 and [p](/user_uploads/1/b/plan.txt)",
        reactions=[form.Reaction(person=BEN, name="tea", kind="unicode_emoji", code="1f375")],
        flags={"mentioned": [DEE]}, unread=[ANN],
    ),
    message(15, ANN, SECRET, "new secret"),
    form.Message(id=MessageId(16), sender=DEE, people=[BEN, DEE], content="hi Ben", time=1.8e9),
]  # fmt: skip


def export(path: Path, records: list[form.Record]) -> Path:
    """A file in the plain form, with the bytes of its files."""
    total = form.Sum()
    with path.open("wb") as out:
        for record in records:
            line = form.to_line(record)
            total.add(record, line)
            out.write(line)
            if isinstance(record, form.File):
                folder = path.with_name(f"{path.name}.files") / "uploads"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / str(record.id)).write_text(record.name)
        out.write(form.to_line(total.end()))
    return path


@contextmanager
def opened(db: Path) -> Iterator[Db]:
    """To look into it."""
    database = Database(db)
    try:
        yield database.reader
    finally:
        database.close()


def live_here(tx: Tx) -> None:
    """What people do between two imports: a channel, a file and a message of their own; one is deleted."""
    insert_row(tx, "channel", name="here", name_key="here", date_created=tx.now)
    insert_row(
        tx,
        "upload",
        user_id=ANN,
        name="plan.txt",
        path_id="1/b/plan.txt",
        content_type="text/plain",
        size=0,
        created=tx.now,
    )
    tx.run("DELETE FROM message WHERE id = 11")


@pytest.fixture
def here(tmp_path: Path, command: Command) -> Path:
    """An organization that was imported, and lived in since."""
    db = tmp_path / "here.db"
    done = command("import", export(tmp_path / "first.jsonl", FIRST), "--db", db)
    assert (done.code, done.err) == (0, ""), done.err
    database = Database(db)
    try:
        database.write_now(live_here)
    finally:
        database.close()
    return db


def test_what_is_new_comes_and_the_rest_stays(here: Path, tmp_path: Path, command: Command) -> None:
    """People, channels, files and messages in numbers that are free here; mentions and links follow."""
    later = export(tmp_path / "later.jsonl", LATER)
    tried = command("import", later, "--db", here, "--dry-run")
    done = command("import", later, "--db", here)
    assert (done.code, done.err) == (0, ""), done.err
    assert tried.out.splitlines()[:-1] == done.out.splitlines()[:-1]
    assert "was not changed" in tried.out
    counted = {" ".join(line.split()) for line in done.out.splitlines()}
    assert {"1 account", "1 channel", "1 file", "3 messages"} <= counted
    assert (
        "Not imported: older messages that were deleted here, or are new in the export (1)."
        in done.out
    )
    assert backups.faults(here) == []
    with opened(here) as db:
        assert db.value("SELECT value FROM setting WHERE name = 'name'") == '"There"'
        names = db.column("SELECT name FROM channel ORDER BY id")
        assert names == ["open", "secret", "here", "here 2"]
        dee = db.value("SELECT id FROM user WHERE email = 'dee@x.org'")
        place = db.value("SELECT id FROM channel WHERE name = 'here 2'")
        new = db.rows("SELECT id, content FROM message WHERE id > 12 ORDER BY id")
        (one, text), (two, _), (_, direct) = new
        path = db.value("SELECT path_id FROM upload WHERE user_id = ?", dee)
        assert path != "1/b/plan.txt"
        assert text == (
            f"@**Dee|{dee}** see #narrow/channel/{place}-here/topic/tea/near/12"
            f" and [p](/user_uploads/{path})"
        )
        assert direct == "hi Ben"
        assert one > 1_000_000  # above all numbers that were given here
        assert db.rows("SELECT user_id, message_id FROM reaction") == [(BEN, one)]
        assert db.rows("SELECT user_id, message_id FROM unread") == [(ANN, one)]
        assert sees(db, dee) == {10, one, two, new[2][0]}
        assert sees(db, BEN) == {10, one, new[2][0]}
        # Ben left the private channel there before "new secret": here too.
        old = here.parent.glob("here.db.before-*")
        assert len(list(old)) == 1


def test_search_finds_what_was_there_and_what_comes(
    here: Path, tmp_path: Path, command: Command
) -> None:
    """Messages sent here just before may wait for the search index."""
    database = Database(here)
    topic = database.reader.row("SELECT channel_id, topic_id FROM message WHERE id = 10")
    assert topic is not None
    row = dict(zip(("channel_id", "topic_id"), topic, strict=True))
    text = dict.fromkeys(("content", "rendered", "plain"), "sent here")
    has = dict.fromkeys(("has_link", "has_image", "has_attachment"), False)

    def send(tx: Tx) -> None:
        insert_row(tx, "message", sender_id=ANN, timestamp=tx.now, client="x", **row, **text, **has)

    database.write_now(send)
    assert not search_index.is_complete(database.reader)
    database.close()
    assert command("import", export(tmp_path / "later.jsonl", LATER), "--db", here).code == 0
    with opened(here) as db:
        assert search_index.is_complete(db)
        assert search_index.missing(db) == []


def sees(db: Db, number: int) -> set[int]:
    """The messages that somebody may read."""
    user = users.by_id(db, number)  # type: ignore[arg-type]  # of a test
    assert user is not None
    condition, values = visible_messages_sql(db, user)
    return set(db.column(f"SELECT id FROM message WHERE {condition}", *values))


def test_a_third_export_goes_on_where_the_second_ended(
    here: Path, tmp_path: Path, command: Command
) -> None:
    """The same again adds nothing; what names messages of the second finds them."""
    later = export(tmp_path / "later.jsonl", LATER)
    assert command("import", later, "--db", here).code == 0
    content = here.read_bytes()
    for path in (later, tmp_path / "first.jsonl"):
        again = command("import", path, "--db", here)
        assert (again.code, "nothing to add" in again.out) == (0, True), again.err
    assert here.read_bytes() == content
    third = [*LATER, message(17, DEE, OPEN, "see #narrow/channel/9-here/topic/tea/near/13")]
    done = command("import", export(tmp_path / "third.jsonl", third), "--db", here)
    assert "1 message\n" in done.out, done.err
    with opened(here) as db:
        thirteen = db.value("SELECT id FROM message WHERE content LIKE '@**Dee%'")
        newest = db.value("SELECT content FROM message ORDER BY id DESC LIMIT 1")
        assert newest.endswith(f"/near/{thirteen}")


def test_nothing_private_there_becomes_public_here(
    here: Path, tmp_path: Path, command: Command
) -> None:
    """A channel that was closed since the first export: its new messages stay away, and that is said."""
    closed = replace(channel(OPEN, "open", [ANN], private=True))
    records = [closed if record == LATER[5] else record for record in LATER]
    records.append(message(17, ANN, OPEN, "not for all"))
    done = command("import", export(tmp_path / "later.jsonl", records), "--db", here)
    assert "private in the export, not here (1)." in done.out, done.err
    with opened(here) as db:
        assert db.column("SELECT 1 FROM message WHERE content = 'not for all'") == []


def test_an_export_of_another_organization_is_refused(
    here: Path, tmp_path: Path, command: Command
) -> None:
    """Whose first account is another; nothing is changed."""
    content = here.read_bytes()
    other = [replace(PEOPLE[0], joined=1e9) if each == PEOPLE[0] else each for each in FIRST]
    refused = command("import", export(tmp_path / "other.jsonl", other), "--db", here)
    assert (refused.code, "an export of another organization" in refused.err) == (1, True)
    assert here.read_bytes() == content


def test_a_later_export_of_slack_goes_on(tmp_path: Path, command: Command) -> None:
    """Its numbers are given anew with each export: people and channels are known by Slack's own."""
    db = tmp_path / "new.db"
    first = {"general/2020-09-13.json": [said(1, "hello"), said(2, "again", user="U2")]}
    renamed = [{**CHANNELS[1], "name": "first of all"}, {**CHANNELS[0], "name": "everything"}]
    later = {
        "everything/2020-09-13.json": first["general/2020-09-13.json"],
        "everything/2020-09-14.json": [said(90_000, "<@U2> back", user="U7")],
    }
    newcomer = {"id": "U7", "name": "zoe", "profile": {"email": "zoe@x.org"}}
    for name, days, people, places in (
        ("first.zip", first, USERS, CHANNELS),
        ("later.zip", later, [newcomer, *USERS], renamed),
    ):
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            archive.writestr("users.json", json.dumps(people))
            archive.writestr("channels.json", json.dumps(places))
            for day, rows in days.items():
                archive.writestr(day, json.dumps(rows))
        done = command("import", tmp_path / name, "--db", db)
        assert (done.code, done.err) == (0, ""), done.err
    with opened(db) as there:
        said_there = there.rows(
            "SELECT user.email, channel.name, content FROM message JOIN user ON user.id = sender_id"
            " JOIN channel ON channel.id = message.channel_id ORDER BY message.id"
        )
        assert said_there == [
            ("ann@x.org", "general", "hello"),
            ("ben@slack.invalid", "general", "again"),
            ("zoe@x.org", "general", "@**Ben Boil** back"),
        ]
