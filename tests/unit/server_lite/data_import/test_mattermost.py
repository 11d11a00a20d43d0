"""`import` of a bulk export of Mattermost: people, teams, threads, files and texts arrive as they were."""

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from server_lite.store.connection import Db
from server_lite.store.database import Database
from tests.unit.server_lite.cli.conftest import Command
from tests.unit.server_lite.cli.conftest import command as command
from tests.unit.server_lite.test_image_header import png

Line = dict[str, Any]
BEGIN = 1_600_000_000_000


def line(kind: str, **content: object) -> Line:
    """A line of the export."""
    return {"type": kind, kind: content}


def user(name: str, roles: str, *channels: str, **more: object) -> Line:
    """A person of the team."""
    inside = [{"name": one, "roles": "channel_user", "favorite": one == "tea"} for one in channels]
    teams = [{"name": "kettle", "roles": "team_user", "channels": inside}]
    address = f"{name}@x.org"
    return line("user", username=name, email=address, roles=roles, teams=teams, **more)


def post(at: int, who: str, text: str, channel: str = "tea", **more: object) -> Line:
    """A post, so many seconds after the beginning."""
    where = {"team": "kettle", "channel": channel}
    return line("post", **where, user=who, message=text, create_at=BEGIN + at * 1000, **more)


def reply(at: int, who: str, text: str, **more: object) -> dict[str, object]:
    """An answer in a thread."""
    return {"user": who, "message": text, "create_at": BEGIN + at * 1000, **more}


LINES = [
    line("version", version=1),
    line("emoji", name="kettle", image="emoji/kettle.png"),
    line("emoji", name="broken", image="emoji/none.png"),
    line("role", name="some"),
    line("team", name="kettle", display_name="The Kettle", type="O"),
    line("channel", team="kettle", name="tea", display_name="Tea time", type="O", purpose="*All*"),
    line("channel", team="kettle", name="plans", display_name="Plans", type="P", deleted_at=5),
    user("ann", "system_admin system_user", "tea", "plans", first_name="Ann", last_name="Arbor"),
    user("ben", "system_user", "tea", nickname="Ben"),
    user("guest.one", "system_guest", "tea", delete_at=7),
    line("bot", username="helper", owner="ann", display_name="Helper"),
    post(5, "ben", "last"),
    post(
        1,
        "ann",
        "**Lunch** today?",
        replies=[
            reply(3, "ben", "Yes", reactions=[{"user": "ann", "emoji_name": "thumbsup"}]),
            reply(6, "helper", "booked"),
        ],
        reactions=[
            {"user": "ben", "emoji_name": "kettle"},
            {"user": "ben", "emoji_name": "nothing"},
        ],
        flagged_by=["ben"],
        edit_at=BEGIN + 2500,
    ),
    post(2, "ann", "joined", type="system_join_channel"),
    post(4, "ann", "", attachments=[{"path": "20200913/a ü.txt"}, {"path": "gone.txt"}]),
    post(7, "left", "hush", channel="plans"),
    post(8, "ann", "*waves*", type="me"),
    line("direct_channel", members=["ann", "ben"]),
    line("direct_post", channel_members=["ann", "ben"], **reply(9, "ann", "psst")),
    line("direct_post", channel_members=["ann"], **reply(10, "ann", "to me")),
]
TEXTS = {
    "@ann and @Ben. and @nobody": "@**Ann Arbor** and @**Ben**. and @nobody",
    "mail ann@ann.org, `@ann` ~tea": "mail ann@ann.org, `@ann` #**Tea time**",
    "@here @all @channel": "@**all** @**all** @**all**",
    "~~gone~~ ~nothing ~tea": "~~gone~~ ~nothing #**Tea time**",
    "_slanted_ __bold__ snake_case_name": "*slanted* **bold** snake_case_name",
    "```\n_a_ @ann\n```\n_b_": "```\n_a_ @ann\n```\n*b*",
    "![cat](https://x.org/c.png) [l](https://x.org/_a_)": "[cat](https://x.org/c.png) [l](https://x.org/_a_)",
}


def written(path: Path, lines: list[Line]) -> Path:
    """The file."""
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    return path


@contextmanager
def opened(db: Path) -> Iterator[Db]:
    """The organization that was made."""
    database = Database(db)
    try:
        yield database.reader
    finally:
        database.close()


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The lines with their files."""
    lines = written(tmp_path / "import.jsonl", LINES)
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as out:
        out.write(lines, "import.jsonl")
        out.writestr("data/20200913/a ü.txt", "contents")
        out.writestr("data/emoji/kettle.png", png(8, 8))
    lines.unlink()
    return path


def test_a_team_arrives(archive: Path, command: Command) -> None:
    """Posts and replies in the order of time, threads as topics, files and emoji of the archive."""
    db = archive.with_name("new.db")
    done = command("import", archive, "--db", db)
    assert (done.code, done.err) == (0, "")
    with opened(db) as there:
        assert there.value("SELECT value FROM setting WHERE name = 'name'") == '"The Kettle"'
        people = there.rows(
            "SELECT full_name, email, role, is_active, bot_type, is_imported_stub FROM user"
            " WHERE id > 1 ORDER BY id"
        )
        assert people == [
            ("Ann Arbor", "ann@x.org", 100, 1, None, 0),
            ("Ben", "ben@x.org", 400, 1, None, 0),
            ("guest.one", "guest.one@x.org", 600, 0, None, 0),
            ("Helper", "helper@mattermost.invalid", 400, 1, 1, 0),
            ("left", "left@mattermost.invalid", 400, 0, None, 1),
        ]
        assert there.rows("SELECT name, invite_only, is_archived, description FROM channel") == [
            ("Tea time", 0, 0, "*All*"),
            ("Plans", 1, 1, ""),
        ]
        pinned = there.column("SELECT user_id FROM subscription WHERE pin_to_top")
        assert pinned == [2, 3, 4]
        rest = "imported from Mattermost"
        messages = there.rows(
            "SELECT sender_id, topic.name, content, timestamp FROM message"
            " LEFT JOIN topic ON topic.id = topic_id ORDER BY message.id"
        )
        assert messages == [
            (2, "Lunch today?", "**Lunch** today?", 1600000001.0),
            (3, "Lunch today?", "Yes", 1600000003.0),
            (2, rest, "[a ü.txt](/user_uploads/1/mattermost/1/a-ü.txt)", 1600000004.0),
            (3, rest, "last", 1600000005.0),
            (5, "Lunch today?", "booked", 1600000006.0),
            (6, rest, "hush", 1600000007.0),
            (2, rest, "/me waves", 1600000008.0),
            (2, None, "psst", 1600000009.0),
            (2, None, "to me", 1600000010.0),
        ]
        assert there.column("SELECT members FROM conversation ORDER BY id") == ["2,3", "2"]
        assert there.rows("SELECT user_id, emoji_name, reaction_type FROM reaction") == [
            (3, "kettle", "realm_emoji"),
            (2, "+1", "unicode_emoji"),
        ]
        assert there.rows("SELECT user_id, message_id, flag FROM flag") == [(3, 1, "starred")]
        assert there.column("SELECT last_edit FROM message WHERE last_edit > 0") == [1600000002.5]
        assert there.value("SELECT count(*) FROM upload_link") == 1
    for noun in (
        "notes of Mattermost itself (joins, renames) (1)",
        "custom emoji without an image that can be shown (1)",
        "reactions with emoji that are not known here (1)",
        "files that are missing (1)",
        "email addresses that the export does not have (1)",
    ):
        assert f"Not imported: {noun}." in done.out, done.out


def test_texts_mean_what_they_meant(tmp_path: Path, command: Command) -> None:
    """Each construct of Mattermost's format becomes ours, and nothing in code is touched."""
    head = [one for one in LINES if one["type"] not in ("post", "direct_post", "emoji")]
    posts = [post(number, "ann", text) for number, text in enumerate(TEXTS)]
    lines = written(tmp_path / "a.jsonl", head + posts)
    assert command("import", lines, "--db", tmp_path / "new.db").code == 0
    with opened(tmp_path / "new.db") as there:
        contents = there.column("SELECT content FROM message ORDER BY id")
        assert dict(zip(TEXTS, contents, strict=True)) == TEXTS


def test_files_of_one_name_in_one_post_all_arrive(tmp_path: Path, command: Command) -> None:
    """Screenshots are all called alike, in folders of their own."""
    head = [one for one in LINES if one["type"] not in ("post", "direct_post", "emoji")]
    files = [{"path": "1/image.png"}, {"path": "2/image.png"}]
    lines = written(tmp_path / "import.jsonl", [*head, post(1, "ann", "two", attachments=files)])
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as out:
        out.write(lines, "import.jsonl")
        for file in files:
            out.writestr(f"data/{file['path']}", file["path"])
    done = command("import", tmp_path / "export.zip", "--db", tmp_path / "new.db")
    assert (done.code, done.err) == (0, "")
    with opened(tmp_path / "new.db") as there:
        assert there.value("SELECT count(*) FROM upload_link") == 2


def test_several_teams_show_each_other_nothing(tmp_path: Path, command: Command) -> None:
    """They become one organization: a channel that one team could see is open to its members alone."""
    other = [
        line("team", name="pot", display_name="Pot"),
        line("channel", team="pot", name="tea", display_name="Tea time", type="O"),
    ]
    lines = written(tmp_path / "a.jsonl", LINES + other)
    done = command("import", lines, "--db", tmp_path / "new.db")
    assert (done.code, done.err) == (0, "")
    with opened(tmp_path / "new.db") as there:
        assert there.rows("SELECT name, invite_only FROM channel") == [
            ("Tea time (kettle)", 1),
            ("Plans (kettle)", 1),
            ("Tea time (pot)", 1),
        ]
    assert "private because there are several teams (2)." in done.out


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "Line 21 of a.jsonl is not JSON"),
        ("5", "Line 21 of a.jsonl has no type"),
        ('{"type":"post","post":5}', "Line 21 of a.jsonl"),
        ('{"type":"post","post":{"team":"a"}}', "Line 21 of a.jsonl"),
        ('{"type":"user","user":{"username":""}}', "Line 21 of a.jsonl"),
        ('{"type":"user","user":{"username":"a","delete_at":1e400}}', "Line 21 of a.jsonl"),
        ("[" * 100_000, "Line 21 of a.jsonl is not JSON"),
    ],
)
def test_a_line_that_cannot_be_is_named(
    tmp_path: Path, command: Command, text: str, sentence: str
) -> None:
    """One sentence, and nothing stays behind."""
    lines = written(tmp_path / "a.jsonl", LINES)
    lines.write_text(f"{lines.read_text()}{text}\n")
    refused = command("import", lines, "--db", tmp_path / "new.db")
    assert (refused.code, refused.err.count("\n")) == (1, 1), refused.err
    assert sentence in refused.err
    assert {one.name for one in tmp_path.iterdir()} == {"a.jsonl"}
