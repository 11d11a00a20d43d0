"""`import` of a full server's export: what an organization exports for one comes back as it was."""

import json
import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server_lite.access.messages import own_history, visible_messages_sql
from server_lite.data_import.organization import import_file
from server_lite.export.files import export_file
from server_lite.export.zulip.writer import export_for_zulip
from server_lite.store import backups, settings, users
from server_lite.store.database import Database
from server_lite.store.user_groups import SystemGroup
from tests.unit.server_lite.cli.conftest import Command
from tests.unit.server_lite.cli.conftest import command as command
from tests.unit.server_lite.export.organization import rich_organization
from tests.unit.server_lite.export.test_zulip_layout import TABLES, columns

Record = dict[str, Any]
SILENT: Callable[[int, int], None] = lambda _done, _of: None  # noqa: E731  # of a type that is named


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An organization with something of everything."""
    path = tmp_path_factory.mktemp("rich") / "team.db"
    rich_organization(path)
    for version in (8, 12):
        out = path.with_name(f"zulip-{version}")
        export_for_zulip(path, out, version=version, tell=SILENT)
    return path


def plain(db: Path, name: str) -> tuple[dict[tuple[str, object], Record], dict[str, bytes]]:
    """The records of the plain form by type and name or number, and the files."""
    out = db.with_name(name)
    export_file(db, out, person=None, tell=SILENT)
    records = {}
    for line in out.read_text("utf-8").splitlines():
        record = json.loads(line)
        if record["type"] != "end":
            key = record.get("id") or record.get("name") or record.get("content", "")
            records[record["type"], key] = record
    folder = out.with_name(f"{name}.files")
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
    return records, files


def who_reads_what(db: Path) -> dict[str, tuple[list[int], list[int]]]:
    """Address -> the messages somebody may read, and those of their own history."""
    database = Database(db)
    try:
        ids_by_email = {}
        for user in users.everyone(database.reader):
            if not user.is_system_bot:
                lists = []
                for condition, values in (
                    visible_messages_sql(database.reader, user),
                    own_history(database.reader, user).condition,
                ):
                    query = f"SELECT id FROM message WHERE {condition} ORDER BY id"
                    lists.append(database.reader.column(query, *values))
                ids_by_email[user.email] = (lists[0], lists[1])
        return ids_by_email
    finally:
        database.close()


def less(record: Record, version: int) -> Record:
    """The record without what the layout of a version cannot hold; the exporter lists all of it."""
    kind = record["type"]
    one = {**record}
    if kind == "message":
        one["content"] = one["content"].replace("@**Mei Tanaka|5**", "@**Mei Tanaka**")
        for name, number in (("Iris Moreau", 6), ("Robin Keeper", 2)):
            one["content"] = one["content"].replace(f"@**{name}|{number}**", f"@**{name}**")
        flags = {flag: [who for who in ids if who != 1] for flag, ids in one["flags"].items()}
        one["flags"] = {flag: ids for flag, ids in flags.items() if ids}
        one["unread"] = [who for who in one["unread"] if who != 1]
        if version < 10:
            one["parts"] = one["parts"][:1]
    elif kind == "person":
        one["settings"] = {**one["settings"]}
        one["settings"].pop("web_font_size_px", None)
        if version < 10:
            one["snippets"] = []
    elif kind == "channel":
        one["people"] = [
            {name: value for name, value in member.items() if name != "periods"}
            for member in one["people"]
        ]
        kept = {"can_send_message_group"}
        one["permissions"] = {n: v for n, v in one["permissions"].items() if n in kept}
        if version < 11:
            one |= {"folder": None, "topics_policy": "inherit", "creator": None}
    elif kind == "group":
        one |= {"creator": None, "created": None, "permissions": {}}
    return one


LOST = {8: {"folder"}, 12: {"group"}}
"""Types of records that a version has no place for."""


@pytest.mark.parametrize("version", [8, 12])
def test_an_organization_comes_back_as_it_was(rich: Path, version: int) -> None:
    """Everything but what the exporter listed: people, places, messages, flags, files, settings."""
    new = rich.with_name(f"back-{version}.db")
    imported = import_file(new, rich.with_name(f"zulip-{version}"), SILENT)
    assert backups.faults(new) == []
    before, files = plain(rich, f"before-{version}.jsonl")
    after, files_after = plain(new, f"after-{version}.jsonl")
    wanted = {key: less(one, version) for key, one in before.items() if key[0] not in LOST[version]}
    copied = {key: less(one, version) for key, one in after.items()}
    assert copied.keys() == wanted.keys()
    assert [copied[key] for key in wanted if copied[key] != wanted[key]] == [
        wanted[key] for key in wanted if copied[key] != wanted[key]
    ]
    assert files_after == files
    assert who_reads_what(new) == who_reads_what(rich)
    votes = {"polls and to-do lists that come without votes": 2} if version < 10 else {}
    assert imported.left_out == {"sign-in methods": 1, **votes}
    database = Database(new)
    try:
        assert database.reader.column("SELECT password FROM user WHERE password IS NOT NULL") == []
        assert settings.value(database.reader, "organization_generation", "") != ""
    finally:
        database.close()


@pytest.mark.parametrize("name", ["tom", "sam", "robin"])
def test_one_persons_export_can_be_imported(rich: Path, command: Command, name: str) -> None:
    """Whatever they muted, filled in and scheduled: it names nothing that stays behind, and nobody else's."""
    out, db = rich.with_name(f"{name}.jsonl"), rich.with_name(f"{name}.db")
    address = f"{name}@lighthouse.example"
    assert command("export", "--db", rich, "--out", out, "--person", address).code == 0
    done = command("import", out, "--db", db)
    assert (done.code, done.err) == (0, "")
    people = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    concerned = [
        one["email"]
        for one in people
        if one["type"] == "person" and (one["settings"] or one["muted"] or one["alert_words"])
    ]
    assert concerned in ([], [address])


def test_the_same_export_again_adds_nothing(rich: Path, command: Command) -> None:
    """As a folder and as an archive; nothing is changed."""
    folder, db = rich.with_name("zulip-12"), rich.with_name("twice.db")
    first = command("import", folder, "--db", db)
    assert (first.code, first.err) == (0, "")
    content = db.read_bytes()
    archive = rich.with_name("twice.tar.gz")
    with tarfile.open(archive, "w:gz") as out:
        out.add(folder, arcname="any name")
    for path in (folder, archive):
        again = command("import", path, "--db", db)
        assert (again.code, "nothing to add" in again.out) == (0, True), again.err
        assert db.read_bytes() == content


@pytest.mark.parametrize("step", [1, 2])
def test_an_interrupted_command_leaves_nothing(rich: Path, tmp_path: Path, step: int) -> None:
    """Ctrl+C on the way in, and on the way out: no half of anything, and the next try works."""
    steps = 0

    def interrupt(_done: int, _of: int) -> None:
        nonlocal steps
        steps += 1
        if steps == step:
            raise KeyboardInterrupt

    new, out = tmp_path / "new.db", tmp_path / "out.tar.gz"
    with pytest.raises(KeyboardInterrupt):
        import_file(new, rich.with_name("zulip-12"), interrupt)
    steps = step - 1
    with pytest.raises(KeyboardInterrupt):
        export_for_zulip(rich, out, version=12, tell=interrupt)
    assert not list(tmp_path.iterdir())
    import_file(new, rich.with_name("zulip-12"), SILENT)
    export_for_zulip(rich, out, version=12, tell=SILENT)
    assert {path.name for path in tmp_path.iterdir()} == {"new.db", "new.db.lock", "out.tar.gz"}


def test_a_dry_run_says_what_would_come(rich: Path, command: Command) -> None:
    """The same lines as the import itself, and no file."""
    db, there = rich.with_name("never.db"), set(rich.parent.iterdir())
    tried = command("import", rich.with_name("zulip-8"), "--db", db, "--dry-run")
    assert (tried.code, tried.err) == (0, "")
    assert "9 accounts" in tried.out
    assert "Not imported: polls and to-do lists that come without votes (2)." in tried.out
    assert "was not created" in tried.out
    assert set(rich.parent.iterdir()) <= there


def change(folder: Path, table: str, **changed: object) -> None:
    """Write columns of all rows of a table anew; `...` removes one."""
    for path in (folder / "realm.json", *folder.glob("messages-*.json")):
        data = json.loads(path.read_bytes())
        for row in data.get(table, []):
            row.update(changed)
            for name in [name for name, value in changed.items() if value is ...]:
                del row[name]
        path.write_text(json.dumps(data, indent=1))


@pytest.fixture
def export(rich: Path, tmp_path: Path) -> Path:
    """A copy of an export that a test may change."""
    return shutil.copytree(rich.with_name("zulip-12"), tmp_path / "export")


def renumber(folder: Path, numbers: dict[int, int]) -> None:
    """Give accounts other numbers, in every table that names them."""
    for path in (
        *(folder / "realm.json", folder / "attachment.json"),
        *folder.glob("messages-*.json"),
        *folder.glob("*/records.json"),
    ):
        data = json.loads(path.read_bytes())
        tables = data if isinstance(data, dict) else {"": data}
        for table, rows in tables.items():
            kinds = columns(TABLES[table], 12) if table in TABLES else {}
            names = {name for name, (kind, _) in kinds.items() if kind in PEOPLE}
            names |= {"id"} if "userprofile" in table else {"user_profile_id", "author"}
            for row in rows if isinstance(rows, list) else ():
                for name in names & row.keys():
                    row[name] = numbers.get(row[name], row[name])
                if table == "zerver_recipient" and row["type"] == 1:
                    row["type_id"] = numbers.get(row["type_id"], row["type_id"])
        path.write_text(json.dumps(data))


PEOPLE = {"@zerver_userprofile", "@anybody"}


def test_a_number_that_is_taken_here_is_given_anew(export: Path, command: Command) -> None:
    """Account 1 there is the server's own bot here: the person gets a free number, and keeps all they had."""
    renumber(export, {1: 77, 4: 1})
    db = export.with_name("new.db")
    done = command("import", export, "--db", db)
    assert (done.code, done.err) == (0, "")
    database = Database(db)
    try:
        tom = users.by_email(database.reader, "tom@lighthouse.example")
        assert tom is not None
        assert tom.id == 11
        assert tom.avatar is not None
        senders = database.reader.column("SELECT sender_id FROM message")
        assert senders.count(tom.id) > 5
        assert 1 in senders
        assert 4 not in senders
    finally:
        database.close()


def edited(path: Path, edit: Callable[[dict[str, Any]], None]) -> None:
    """Change a file with tables."""
    data = json.loads(path.read_bytes())
    edit(data)
    path.write_text(json.dumps(data))


def test_groups_of_newer_versions_are_those_of_older_ones(rich: Path, tmp_path: Path) -> None:
    """Names in a table of their own, small numbers, and groups without a name for one permission."""
    export = shutil.copytree(rich.with_name("zulip-8"), tmp_path / "export")

    def renew(data: dict[str, Any]) -> None:
        groups = data["zerver_usergroup"]
        for row in groups:
            row["id"] -= 90 * (row["id"] >= 100)  # as on a server where they were the first
        data["zerver_namedusergroup"] = [
            {**row, "usergroup_ptr": row["id"], "deactivated": False, "creator": 4}
            for row in groups
        ]
        data["zerver_usergroup"] = [{"id": row["id"], "realm": 1} for row in groups]
        data["zerver_usergroup"].append({"id": 77, "realm": 1})
        for table, column in (
            ("zerver_usergroupmembership", "user_group"),
            ("zerver_groupgroupmembership", "supergroup"),
            ("zerver_groupgroupmembership", "subgroup"),
        ):
            for row in data[table]:
                row[column] -= 90 * (row[column] >= 100)
        member = {"id": 900, "user_group": 77, "user_profile": 5}
        data["zerver_usergroupmembership"].append(member)
        data["zerver_groupgroupmembership"].append({"id": 901, "supergroup": 77, "subgroup": 10})
        del data["zerver_stream"][0]["stream_post_policy"]
        data["zerver_stream"][0]["can_send_message_group"] = 77
        data["zerver_stream"][1]["can_send_message_group"] = 3
        data["zerver_realm"][0] |= {"can_create_groups": 10, "can_invite_users_group": 77}

    edited(export / "realm.json", renew)
    new = tmp_path / "new.db"
    import_file(new, export, SILENT)
    records, _ = plain(new, "new.jsonl")
    groups = {one["name"]: one for key, one in records.items() if key[0] == "group"}
    assert groups.keys() == {"keepers", "both"}
    assert groups["keepers"]["id"] == 110
    assert groups["keepers"]["members"] == [4, 5]
    assert groups["both"]["groups"] == [110]
    assert groups["both"]["creator"] == 4
    some = {"direct_members": [5], "direct_subgroups": [110]}
    assert records["channel", 1]["permissions"]["can_send_message_group"] == some
    assert records["channel", 2]["permissions"]["can_send_message_group"] == 3
    organization = next(one for key, one in records.items() if key[0] == "organization")
    assert organization["permissions"] == {
        "can_create_groups": 110,
        "can_invite_users_group": some,
    }


def test_rights_of_older_versions_are_numbers(rich: Path, tmp_path: Path) -> None:
    """Nobody may do more after the move than before."""
    export = shutil.copytree(rich.with_name("zulip-8"), tmp_path / "export")
    given = {
        "create_private_stream_policy": 2,
        "invite_to_realm_policy": 6,
        "wildcard_mention_policy": 7,
        "private_message_policy": 2,
        "edit_topic_policy": 4,
        "create_public_stream_policy": 99,
    }
    edited(export / "realm.json", lambda data: data["zerver_realm"][0].update(given))
    edited(
        export / "realm.json", lambda data: data["zerver_stream"][2].update(stream_post_policy=3)
    )
    new = tmp_path / "new.db"
    import_file(new, export, SILENT)
    records, _ = plain(new, "new.jsonl")
    organization = next(one for key, one in records.items() if key[0] == "organization")
    assert organization["permissions"] == {
        "can_create_private_channel_group": SystemGroup.ADMINISTRATORS,
        "can_invite_users_group": SystemGroup.NOBODY,
        "can_mention_many_users_group": SystemGroup.MODERATORS,
        "can_move_messages_between_topics_group": SystemGroup.MODERATORS,
        "direct_message_permission_group": SystemGroup.NOBODY,
    }
    assert records["channel", 3]["permissions"] == {"can_send_message_group": 4}


def test_files_of_another_realm_are_linked_as_before(export: Path) -> None:
    """Paths begin with the number that the organization had there."""
    (export / "uploads" / "1").rename(export / "uploads" / "23")
    for path in (
        *(export / "uploads" / "records.json", export / "attachment.json"),
        *export.glob("messages-*.json"),
    ):
        text = path.read_text("utf-8")
        for before in ('"path":"', '"s3_path":"', '"path_id":"', "/user_uploads/"):
            text = text.replace(f"{before}1/", f"{before}23/")
        path.write_text(text)
    new = export.with_name("new.db")
    import_file(new, export, SILENT)
    database = Database(new)
    try:
        assert database.reader.value("SELECT count(*) FROM upload_link") == 2
        assert (
            database.reader.column("SELECT path_id FROM upload WHERE path_id NOT LIKE '1/%'") == []
        )
    finally:
        database.close()


def test_who_was_away_long_keeps_what_they_could_read(export: Path) -> None:
    """A server writes no receipts for people who are idle for weeks; they are subscribed all the same."""
    path = export / "messages-000001.json"

    def forget(data: dict[str, Any]) -> None:
        data["zerver_usermessage"] = [
            row
            for row in data["zerver_usermessage"]
            if (row["user_profile"], row["message"] > 20) != (3, True)
        ]

    edited(path, forget)
    strict, kept = export.with_name("strict.db"), export.with_name("kept.db")
    import_file(strict, export, SILENT)
    edited(
        export / "realm.json",
        lambda data: next(row for row in data["zerver_userprofile"] if row["id"] == 3).update(
            long_term_idle=True
        ),
    )
    import_file(kept, export, SILENT)
    vera = "vera@lighthouse.example"
    history = {db: who_reads_what(db)[vera][1] for db in (strict, kept)}
    assert set(history[strict]) < set(history[kept])
    assert set(history[kept]) <= set(who_reads_what(kept)[vera][0])


@pytest.mark.parametrize(
    ("table", "changed", "sentence"),
    [
        ("zerver_userprofile", {"role": 5}, "Row 1 of zerver_userprofile"),
        ("zerver_userprofile", {"email": ...}, "email"),
        ("zerver_userprofile", {"delivery_email": "no address"}, "Enter a valid email address"),
        ("zerver_message", {"sender": 999}, "unknown person, 999"),
        ("zerver_message", {"recipient": 999}, "unknown recipient, 999"),
        ("zerver_message", {"content": "x" * 20_001}, "longer than 20,000 characters"),
        ("zerver_message", {"edit_history": "[[]]"}, "Message"),
        ("zerver_message", {"edit_history": "{"}, "is not JSON"),
        ("zerver_message", {"id": 5}, "Message 5"),
        ("zerver_usermessage", {"flags_mask": "1"}, "zerver_usermessage in messages-000001.json"),
        ("zerver_stream", {"name": ""}, "Row 1 of zerver_stream"),
        ("zerver_customprofilefield", {"field_data": "[]"}, "field_data is not an object"),
    ],
)
def test_rows_that_cannot_be_are_named(
    export: Path, command: Command, table: str, changed: dict[str, object], sentence: str
) -> None:
    """One sentence that says where, and nothing stays behind."""
    change(export, table, **changed)
    db = export.with_name("new.db")
    done = command("import", export, "--db", db)
    assert (done.code, done.err.count("\n")) == (1, 1), done.err
    assert sentence in done.err
    assert {path.name for path in db.parent.iterdir()} == {"export"}


def test_what_others_name_and_nobody_has_is_counted(export: Path, command: Command) -> None:
    """Reactions to messages that stayed behind, files that are missing, rules that cannot be used here."""
    change(export, "zerver_reaction", message=10**12)
    change(export, "zerver_realmfilter", pattern="(?<=x)y")
    change(export, "zerver_realmplayground", url_template="javascript:{code}")
    shutil.rmtree(export / "uploads" / "1")
    shutil.rmtree(export / "emoji" / "1")
    (export / "avatars" / "1" / "4.original").write_bytes(b"no picture")
    done = command("import", export, "--db", export.with_name("new.db"))
    assert (done.code, done.err) == (0, "")
    for noun in (
        "reactions to messages that are not in the export (31)",
        "linkifiers that cannot be used here (1)",
        "playgrounds that cannot be used here (1)",
        "files that are missing (2)",
        "custom emoji without an image that can be shown (1)",
        "pictures of people in a format that is not shown (1)",
    ):
        assert f"Not imported: {noun}." in done.out, done.out
