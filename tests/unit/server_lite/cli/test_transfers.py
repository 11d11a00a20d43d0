"""`chinwag-server export` and `import`: what leaves is everything, for each only theirs, and it comes back."""

import hashlib
import json
import re
import tempfile
from argparse import Namespace
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from server_lite.access.message_validation import normalize_content
from server_lite.access.messages import own_history, visible_messages_sql
from server_lite.access.recipients import ChannelRecipient, DirectRecipient
from server_lite.actions import flags, subscriptions, uploads, user_groups
from server_lite.actions.channels import NewChannel, archive, create_channel, rename
from server_lite.actions.message_deletion import delete_messages
from server_lite.actions.message_edits import edit_message
from server_lite.actions.messages import send_message
from server_lite.actions.reactions import react
from server_lite.actions.users import create_user, deactivate, set_role
from server_lite.cli.progress import time_left
from server_lite.cli.transfers import export_records, import_records
from server_lite.data_import.organization import import_file
from server_lite.errors import ApiError
from server_lite.export.zulip.writer import export_for_zulip
from server_lite.ids import ChannelId, UserId
from server_lite.objects.uploads import url_of
from server_lite.store import backups, channels, messages, search_index, users
from server_lite.store.database import Database, Tx
from server_lite.store.personal_settings import Visibility
from server_lite.store.users import Role
from tests.unit.server_lite.cli.conftest import Command


def exported(db: Path, name: str, person: str | None = None) -> tuple[bytes, dict[str, bytes]]:
    """The records and the files by their paths."""
    out = db.with_name(name)
    export_records(Namespace(db=db, out=out, person=person, format="jsonl", zulip=None))
    folder = out.with_name(f"{name}.files")
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    return out.read_bytes(), files


def records(text: bytes, kind: str) -> list[dict[str, Any]]:
    """The records of a type."""
    return [one for line in text.splitlines() if (one := json.loads(line))["type"] == kind]


def imported(db: Path, name: str, into: str) -> Path:
    """A new organization from an export."""
    new = db.with_name(into)
    import_records(Namespace(db=new, file=db.with_name(name), dry_run=False))
    return new


# The law


@dataclass(slots=True)
class Life:
    """An organization to which things happen; what makes no sense at the moment does not."""

    path: Path
    database: Database = field(init=False)

    def __post_init__(self) -> None:
        self.database = Database(self.path)
        self.database.write_now(self._begin)

    def _begin(self, tx: Tx) -> None:
        roles = (Role.OWNER, Role.MEMBER, Role.MEMBER, Role.GUEST)
        people = [
            create_user(tx, email=f"p{n}@x.org", full_name=f"P{n}", role=role, password="secret")
            for n, role in enumerate(roles)
        ]
        for name, options in (
            ("open", NewChannel(is_default=True)),
            ("shut", NewChannel(invite_only=True)),
            ("late", NewChannel(invite_only=True, history_public_to_subscribers=True)),
        ):
            row = create_channel(tx, people[0], name=name, description="*d*", options=options)
            subscriptions.subscribe(tx, [row], people[:2])

    def do(self, operation: "Operation") -> None:
        """Let it happen; refusals of the server count as what makes no sense."""
        name, who, what, text = operation
        try:
            self.database.write_now(
                lambda tx: getattr(self, name)(tx, UserId(2 + who % 4), what, text)
            )
        except ApiError:
            return

    def say(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        sender, channel = users.by_id(tx, who), channels.by_id(tx, ChannelId(1 + what % 3))
        assert sender is not None
        assert channel is not None
        topic = f"{what % 4 or ''}"
        send_message(
            tx,
            sender,
            ChannelRecipient(channel, topic),
            normalize_content(text),
            client="x",
            read_by=[UserId(2)],
        )

    def whisper(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        people = users.by_ids(tx, {who, UserId(2 + what % 4), UserId(2 + what // 4 % 4)})
        sender = next(one for one in people if one.id == who)
        send_message(
            tx, sender, DirectRecipient(tuple(people)), normalize_content(text), client="x"
        )

    def edit(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        row, user = self._message(tx, what), users.by_id(tx, who)
        assert user is not None
        edit_message(tx, user, row, content=normalize_content(text), move=None)

    def react(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        user = users.by_id(tx, who)
        assert user is not None
        react(tx, user, self._message(tx, what), name="tea", code=None, type=None)

    def star(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        user = users.by_id(tx, who)
        assert user is not None
        flags.set_flag(tx, user, "starred", [self._message(tx, what).id])

    def come_in(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        self._moved(tx, who, what, subscriptions.subscribe)

    def go_out(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        self._moved(tx, who, what, subscriptions.unsubscribe)

    def _moved(self, tx: Tx, who: UserId, what: int, how: Callable[..., object]) -> None:
        user, channel = users.by_id(tx, who), channels.by_id(tx, ChannelId(1 + what % 3))
        how(tx, [channel], [user])

    def upload(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        user = users.by_id(tx, who)
        assert user is not None
        data = text.encode() * 3
        row = uploads.store(tx, user, name="ü a.txt", content_type="text/plain", data=data)
        link = f"[a]({url_of(row)})"
        self.say(tx, who, what, link)

    def group(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        user = users.by_id(tx, who)
        assert user is not None
        there = tx.column("SELECT id FROM user_group WHERE NOT is_system")
        user_groups.create(
            tx,
            user,
            name=f"g{len(there)}",
            description=text,
            members=[UserId(2 + what % 4)],
            subgroups=there[:1],
            group_settings={},
        )

    def change(self, tx: Tx, who: UserId, what: int, text: str) -> None:
        user, channel = users.by_id(tx, who), channels.by_id(tx, ChannelId(1 + what % 3))
        assert user is not None
        assert channel is not None
        match what % 5:
            case 0 if who != 2:
                deactivate(tx, user)
            case 1 if who != 2:
                set_role(tx, user, Role.MODERATOR)
            case 2:
                archive(tx, channel)
            case 3:
                rename(tx, channel, f"{channel.name}x")
            case _:
                delete_messages(tx, [self._message(tx, what)])

    def _message(self, tx: Tx, what: int) -> messages.MessageRow:
        ids = tx.column("SELECT id FROM message ORDER BY id")
        if not ids:
            raise ApiError("nothing was said yet")
        row = messages.by_id(tx, ids[what % len(ids)])
        assert row is not None
        return row


OPERATIONS = (
    *("say", "say", "say", "whisper", "whisper", "edit", "react", "star", "come_in", "go_out"),
    *("upload", "group", "change"),
)
Operation = tuple[str, int, int, str]
TEXTS = st.one_of(
    st.sampled_from(("hi", "@**P1** `x`", "/poll tea?\na\nb", "#**shut** :tea:", "@*g0* ```\na")),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20),
)
OPERATION = st.tuples(st.sampled_from(OPERATIONS), st.integers(0, 3), st.integers(0, 99), TEXTS)


def through_zulip(db: Path) -> dict[str, object]:
    """What is left of an organization that went through the layout of a full server."""
    archive, new = db.with_name("z.tar.gz"), db.with_name("z.db")
    export_for_zulip(db, archive, version=12, tell=lambda _done, _of: None)
    import_file(new, archive, lambda _done, _of: None)
    assert backups.faults(new) == []
    return summary(new)


def _texts(history: str) -> list[dict[str, object]]:
    """An edit history without HTML, which a group that stayed behind is not in."""
    entries: list[dict[str, object]] = json.loads(history)
    return [{name: one[name] for name in one if "rendered" not in name} for one in entries]


def summary(db: Path) -> dict[str, object]:
    """People, channels, messages with what hangs on them, and who may read which: all that must survive."""
    database = Database(db)
    try:
        there = database.reader
        told = "SELECT id, sender_id, channel_id, topic, timestamp, has_attachment, edit_history,"
        return {
            "people": there.rows("SELECT id, email, role, is_active FROM user WHERE id > 1"),
            "channels": there.rows("SELECT id, name, invite_only, is_archived FROM channel"),
            "subscriptions": there.rows(
                "SELECT user_id, channel_id, active, color FROM subscription"
            ),
            "messages": [
                (*row, _texts(history), re.sub(r"\|[0-9]+\*\*", "**", content))
                for *row, history, content in there.rows(
                    f"{told} content FROM (SELECT message.*, topic.name AS topic"
                    " FROM message LEFT JOIN topic ON topic.id = topic_id) ORDER BY id"
                )
            ],
            "reactions": there.rows(
                "SELECT message_id, user_id, emoji_code, emoji_name FROM reaction"
                " ORDER BY message_id, user_id"
            ),
            "unread": there.rows("SELECT user_id, message_id FROM unread WHERE user_id > 1"),
            "flags": there.rows("SELECT user_id, flag, message_id FROM flag WHERE user_id > 1"),
            "files": there.rows("SELECT path_id, name, size, content_type FROM upload ORDER BY id"),
            "links": there.rows("SELECT upload_id, message_id FROM upload_link"),
            "visible": [
                there.column(f"SELECT id FROM message WHERE {condition} ORDER BY id", *values)
                for user in users.everyone(there)
                if not user.is_system_bot
                for condition, values in (
                    visible_messages_sql(there, user),
                    own_history(there, user).condition,
                )
            ],
        }
    finally:
        database.close()


# Not shrunk: an example is hundreds of writes to a disk.
@settings(max_examples=settings().max_examples // 4, phases=[Phase.generate])
@given(st.lists(OPERATION, min_size=8, max_size=25))
def test_what_left_and_came_leaves_the_same(operations: list[Operation]) -> None:
    """Whatever happened: nothing is lost on the way or added, and one person takes what they could read."""
    with tempfile.TemporaryDirectory() as folder:
        life = Life(Path(folder) / "team.db")
        for operation in operations:
            life.do(operation)
        life.database.close()
        whole = exported(life.path, "a.jsonl")
        there = imported(life.path, "a.jsonl", "there.db")
        assert exported(there, "b.jsonl") == whole
        assert backups.faults(there) == []
        assert through_zulip(life.path) == summary(life.path)
        before, after = Database(life.path), Database(there)
        try:
            for member in users.everyone(before.reader):
                seen, values = visible_messages_sql(before.reader, member)
                query = f"SELECT id FROM message WHERE {seen} ORDER BY id"
                ids = before.reader.column(query, *values)
                assert after.reader.column(query, *values) == ids
                if not member.is_bot:
                    name = f"{member.id}.jsonl"
                    text, _ = exported(life.path, name, member.email)
                    assert [one["id"] for one in records(text, "message")] == ids
                    if member.is_guest:
                        own = imported(life.path, name, "guest.db")
                        assert exported(own, "again.jsonl")[0] == text
        finally:
            before.close()
            after.close()


# Cases


@pytest.fixture
def example(tmp_path: Path, command: Command) -> Path:
    """The example organization, with something of everything."""
    db = tmp_path / "demo.db"
    assert command("demo", "--db", db).code == 0
    return db


def test_what_came_looks_and_is_found_as_before(example: Path, command: Command) -> None:
    """Mentions, pictures, code and quotes are shown as they were, and search finds the words."""
    assert command("export", "--db", example, "--out", example.with_name("a.jsonl")).code == 0
    new = example.with_name("new.db")
    assert command("import", example.with_name("a.jsonl"), "--db", new).code == 0
    shown = []
    for db in (example, new):
        database = Database(db)
        database.write_now(search_index.require)
        rows = database.reader.rows(
            "SELECT id, rendered, has_image, (SELECT count(*) FROM message_text WHERE rowid = id"
            " AND message_text MATCH 'glass OR lamp OR boxes') FROM message ORDER BY id"
        )
        shown.append([(at, html.replace("/with/19", ""), *rest) for at, html, *rest in rows])
        database.close()
    assert [one for one in zip(*shown, strict=True) if one[0] != one[1]] == []
    assert sum(row[3] for row in shown[0]) >= 3
    assert command("doctor", "--db", new).code == 0


def test_no_secret_leaves(example: Path, command: Command) -> None:
    """Whoever gets the file cannot sign in with it, and only I can read it."""
    command("invite", "--db", example)
    out = example.with_name("a.jsonl")
    command("export", "--db", example, "--out", out)
    text = out.read_bytes()
    assert b"argon2" not in text
    assert b"digest" not in text
    assert out.stat().st_mode & 0o077 == 0
    assert example.with_name("a.jsonl.files").stat().st_mode & 0o077 == 0


def test_one_persons_export_shows_nothing_of_others(example: Path, command: Command) -> None:
    """A colleague who leaves takes what they could read, and no private channel, address or star."""
    database = Database(example)
    database.write_now(
        lambda tx: users.set_settings(
            tx, UserId(2), {"email_address_visibility": Visibility.ADMINISTRATORS}
        )
    )
    database.close()
    out = example.with_name("sam.jsonl")
    done = command("export", "--db", example, "--out", out, "--person", "sam@lighthouse.example")
    assert done.code == 0
    text = out.read_bytes()
    assert b"storm" in text
    assert b"foundation" not in text  # the private channel
    assert b"Ferry" not in text  # others' direct messages
    assert b"robin@" not in text
    assert [one["email"] for one in records(text, "person")].count("sam@lighthouse.example") == 1
    assert not any("starred" in one["flags"] for one in records(text, "message"))
    assert b"mei@" in text  # who shows it to everybody
    unknown = command("export", "--db", example, "--out", out.with_name("b"), "--person", "x@y.z")
    assert (unknown.code, "No account has the email address" in unknown.err) == (1, True)


def test_nothing_is_overwritten(example: Path, command: Command) -> None:
    """Neither an export nor an organization disappears under another one."""
    out = example.with_name("a.jsonl")
    command("export", "--db", example, "--out", out)
    for words in (("export", "--db", example, "--out", out), ("import", out, "--db", example)):
        before = example.read_bytes(), out.read_bytes()
        refused = command(*words)
        assert (refused.code, "already exists" in refused.err) == (1, True)
        assert (example.read_bytes(), out.read_bytes()) == before


ORGANIZATION = '{"type":"organization","version":1}'
ANN = '{"type":"person","id":7,"email":"a@x.org","name":"Ann","role":"owner","joined":1}'
GENERAL = '{"type":"channel","id":1,"name":"general","created":1'
SAID = '{"type":"message","id":1,"sender":7,"people":[7],"content":"a","time":1'


def ended(lines: list[str]) -> str:
    """The lines, and the one that says that they are all; none after what is no record."""
    text = "".join(f"{line}\n" for line in lines)
    try:
        counts = Counter(json.loads(line)["type"] for line in lines)
    except ValueError:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()
    end = json.dumps({"type": "end", "counts": counts, "sha256": digest})
    return f"{text}{end}\n" if lines else ""


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([], "is empty"),
        (["hello"], "Line 1 of"),
        ([ANN], "the organization must be the first line"),
        ([ORGANIZATION, ORGANIZATION], "the organization must be the first line"),
        (['{"type":"organization","version":3}'], "Line 1 of"),
        (['{"type":"organization","settings":{"name":5}}'], "the setting name"),
        ([ORGANIZATION, '{"type":"cookie"}'], "Line 2 of"),
        ([ORGANIZATION, ANN.replace('"id":7', '"id":-7')], "Line 2 of"),
        ([ORGANIZATION, ANN.replace("a@x.org", "a")], "Enter a valid email address."),
        ([ORGANIZATION, ANN.replace("Ann", "A\\u001b[2J")], "Invalid characters in name!"),
        ([ORGANIZATION, ANN, ANN], "Line 3 of"),
        ([ORGANIZATION, ANN, SAID.replace("7,", "8,", 1) + "}"], "unknown sender 8"),
        ([ORGANIZATION, ANN, SAID.replace("[7]", "[7,9]") + "}"], "is inconsistent"),
        (
            [ORGANIZATION, ANN, f'{GENERAL},"permissions":{{"can_subscribe_group":{{"x":[7]}}}}}}'],
            "Line 3 of",
        ),
        ([ORGANIZATION, ANN, SAID + ',"rendered":"<script>"}'], "Line 3 of"),
        ([ORGANIZATION, ANN, SAID + ',"flags":{"x":[7]}}'], "unknown flag x"),
        ([ORGANIZATION, ANN, SAID + ',"history":[{"a":1}]}'], "invalid edit history"),
        (
            [
                *(ORGANIZATION, ANN),
                '{"type":"file","id":1,"path":"../a","name":"a","content_type":"b","person":7,"created":1}',
            ],
            "cannot be read",
        ),
    ],
)
def test_what_is_no_export_is_refused_whole(
    tmp_path: Path, command: Command, lines: list[str], sentence: str
) -> None:
    """One sentence with the line, and no half an organization."""
    source, db = tmp_path / "a.jsonl", tmp_path / "new.db"
    source.write_text(ended(lines))
    refused = command("import", source, "--db", db)
    assert (refused.code, refused.err.count("\n")) == (1, 1), refused.err
    assert sentence in refused.err
    assert {path.name for path in tmp_path.iterdir()} == {"a.jsonl"}


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (lambda lines: lines[:-1], "is incomplete: it stops after line"),
        (lambda lines: lines[:-5], "is incomplete: it stops after line"),
        (lambda lines: [*lines[:-1], lines[-1][:40]], "is not JSON"),
        (lambda lines: [*lines[:-3], *lines[-2:]], "was changed or damaged"),
        (lambda lines: [*lines[:-2], lines[-2].replace(b":", b": ", 1), lines[-1]], "was changed"),
        (lambda lines: [*lines, lines[-2]], "continues after its end"),
    ],
)
def test_an_export_that_is_not_whole_is_refused(
    example: Path,
    command: Command,
    damage: Callable[[list[bytes]], list[bytes]],
    sentence: str,
) -> None:
    """A full disk, an interrupted copy or an edit is noticed, wherever the file was cut."""
    out, new = example.with_name("a.jsonl"), example.with_name("new.db")
    command("export", "--db", example, "--out", out)
    out.write_bytes(b"".join(damage(out.read_bytes().splitlines(keepends=True))))
    refused = command("import", out, "--db", new)
    assert (refused.code, refused.err.count("\n")) == (1, 1), refused.err
    assert sentence in refused.err
    assert not new.exists()


@pytest.mark.parametrize(
    ("elapsed", "share", "words"),
    [
        (1.0, 0.5, ""),
        (10.0, 0.0, ""),
        (10.0, 0.5, "10 s left"),
        (4.0, 0.1, "40 s left"),
        (60.0, 0.1, "9 min left"),
        (10.0, 1.0, "0 s left"),
    ],
)
def test_the_time_that_is_left_is_said_when_it_can_be_known(
    elapsed: float, share: float, words: str
) -> None:
    """At the speed so far; at the very beginning nothing."""
    assert time_left(elapsed, share).strip() == words
