"""`import` of a Slack export: people, channels and threads arrive, and texts mean what they meant."""

import io
import json
import stat
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

USERS: list[dict[str, Any]] = [
    {
        "id": "U1",
        "name": "ann",
        "is_primary_owner": True,
        "is_owner": True,
        "tz": "Europe/Berlin",
        "profile": {"real_name": "Ann Arbor", "email": "ann@x.org"},
    },
    {"id": "U2", "name": "ben", "real_name": "Ben *Boil*", "is_admin": True, "profile": {}},
    {
        "id": "U3",
        "name": "cy",
        "deleted": True,
        "is_restricted": True,
        "profile": {"real_name": "Ann Arbor", "email": "ANN@x.org"},
    },
    {
        "id": "U4",
        "name": "deploy",
        "is_bot": True,
        "profile": {"real_name": "Deploy", "bot_id": "B1"},
    },
]
CHANNELS: list[dict[str, Any]] = [
    {
        "id": "C1",
        "name": "general",
        "created": 1_600_000_000,
        "creator": "U1",
        "is_general": True,
        "members": ["U1", "U2", "U3", "U9"],
        "purpose": {"value": "For *all*"},
    },
    {
        "id": "C2",
        "name": "über-tee",
        "created": 1_600_000_001,
        "is_archived": True,
        "members": ["U2"],
    },
]
MENTIONS = {
    "<@U1>": "@**Ann Arbor|2**",
    "<@U2|whoever>": "@**Ben Boil**",
    "<@U99|zoe>": "@zoe",
    "<#C2|über-tee>": "#**über-tee**",
    "<#C99|gone>": "#gone",
    "<!here>": "@**all**",
    "<!channel|@channel>": "@**all**",
    "<!subteam^S1|@devs>": "@devs",
}
TEXTS = {
    **MENTIONS,
    "*bold* and _slanted_ and ~gone~": "**bold** and *slanted* and ~~gone~~",
    "2*3*4 and snake_case_name": "2*3*4 and snake_case_name",
    "`a *b* _c_` *d*": "`a *b* _c_` **d**",
    "```x = *p;```": "```x = *p;```",
    "<https://x.org/a_b_c|the page>": "[the page](https://x.org/a_b_c)",
    "<https://x.org>": "https://x.org",
    "<mailto:a@x.org|a@x.org>": "[a@x.org](mailto:a@x.org)",
    "1 &lt; 2 &amp;&amp; 3 &gt; 2": "1 < 2 && 3 > 2",
    "&gt; said before": "> said before",
    "• one\n• two": "• one\n• two",
}
"""What is written in Slack -> what it is here."""


def said(at: int, text: str = "", user: str | None = "U1", **more: object) -> dict[str, Any]:
    """A message of a day."""
    return {
        "type": "message",
        "ts": f"{1_600_000_100 + at}.000{at:03}",
        "user": user,
        "text": text,
    } | more


DAYS: dict[str, list[dict[str, Any]]] = {
    "general/2020-09-13.json": [
        said(0, "has joined", subtype="channel_join"),
        said(1, "hello"),
        said(3, "*Lunch* today?", thread_ts="1600000103.000003", reply_count=2),
        said(5, "Yes", user="U2", thread_ts="1600000103.000003"),
        said(
            6,
            "done",
            user=None,
            bot_id="B1",
            reactions=[
                {"name": "thumbsup::skin-tone-3", "users": ["U1", "U2"], "count": 2},
                {"name": "partyparrot", "users": ["U1"]},
            ],
        ),
        said(7, "from outside", user="U77", user_profile={"real_name": "Guest Star"}),
        said(8, "", user=None, bot_id="B7", username="CI", attachments=[{"text": "build *ok*"}]),
        said(10, "by name", user=None, username="Old hook", reactions=None, files=None),
        said(9, "waves", subtype="me_message", edited={"user": "U1", "ts": "1600000999.5"}),
    ],
    "general/2020-09-14.json": [
        said(80_000, "Late", thread_ts="1600000103.000003"),
        said(
            80_001,
            "*Lunch* today?",
            user="U2",
            thread_ts="1600080101.00080001",
            ts="1600080101.00080001",
        ),
        said(
            80_002,
            "two files",
            files=[
                {"id": "F1", "name": "a ü.txt", "mimetype": "text/plain"},
                {
                    "id": "F2",
                    "name": "b.txt",
                    "url_private": "https://files.slack.com/b?t=xoxe-secret",
                },
                {"id": "F3", "name": "c.txt", "mode": "tombstone"},
            ],
        ),
    ],
    "über-tee/2020-09-13.json": [said(2, "between", user="U2"), said(4, "later", user="U2")],
    "secret/2020-09-13.json": [said(20, "hush")],
    "D1/2020-09-13.json": [said(30, "psst"), said(31, "yes?", user="U2")],
    "mpdm-1/2020-09-13.json": [said(40, "three of us")],
}
LISTS = {
    "users.json": USERS,
    "channels.json": CHANNELS,
    "groups.json": [{"id": "G1", "name": "secret", "members": ["U1"]}],
    "dms.json": [{"id": "D1", "members": ["U1", "U2"]}],
    "mpims.json": [{"id": "G2", "name": "mpdm-1", "members": ["U1", "U2", "U4"]}],
}


class Unmarked(zipfile.ZipInfo):
    """A member whose name is UTF-8, and does not say so."""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:  # noqa: N802  # overrides the library's
        return self.filename.encode(), self.flag_bits & ~0x800


def packed(path: Path, files: dict[str, Any]) -> Path:
    """The archive of an export; names are UTF-8 that is not said to be, as Slack writes them."""
    with zipfile.ZipFile(path, "w") as out:
        for name, content in files.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            out.writestr(Unmarked(name), data)
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
    """An export with everything."""
    files = {**LISTS, **DAYS, "__uploads/F1/a ü.txt": b"contents"}
    return packed(tmp_path / "Kettle Slack export Jan 1 2020.zip", files)


def test_a_workspace_arrives(archive: Path, command: Command) -> None:
    """Everybody and everything under a number here, and a list of what stayed behind."""
    db = archive.with_name("new.db")
    done = command("import", archive, "--db", db)
    assert (done.code, done.err) == (0, "")
    with opened(db) as there:
        assert there.value("SELECT value FROM setting WHERE name = 'name'") == '"Kettle"'
        people = there.rows(
            "SELECT full_name, email, role, is_active, bot_type, is_imported_stub FROM user"
            " WHERE id > 1 ORDER BY id"
        )
        assert people == [
            ("Ann Arbor", "ann@x.org", 100, 1, None, 0),
            ("Ben Boil", "ben@slack.invalid", 200, 1, None, 0),
            ("Ann Arbor", "cy@slack.invalid", 600, 0, None, 0),
            ("Deploy", "deploy@slack.invalid", 400, 1, 1, 0),
            ("Guest Star", "guest-star@slack.invalid", 400, 0, None, 1),
            ("CI", "ci@slack.invalid", 400, 0, 1, 0),
            ("Old hook", "old-hook@slack.invalid", 400, 0, 1, 0),
        ]
        channels = there.rows(
            "SELECT name, invite_only, is_archived, is_default, description FROM channel"
        )
        assert channels == [
            ("general", 0, 0, 1, "For **all**"),
            ("über-tee", 0, 1, 0, ""),
            ("secret", 1, 0, 0, ""),
        ]
        assert there.column("SELECT user_id FROM subscription WHERE channel_id = 1") == [2, 3, 4]
        assert there.rows("SELECT user_id, message_id FROM unread") == []
    for noun in (
        "notes of Slack itself (joins, renames, pins) (1)",
        "reactions with emoji that are not known here (1)",
        "files that stay with Slack, as links (1)",
        "files that Slack had deleted (1)",
        "email addresses that the export does not have (3)",
    ):
        assert f"Not imported: {noun}." in done.out, done.out


def test_messages_come_in_the_order_of_time_and_threads_are_topics(
    archive: Path, command: Command
) -> None:
    """Over all channels; a thread is called after its first message, also where two begin alike."""
    db = archive.with_name("new.db")
    assert command("import", archive, "--db", db).code == 0
    with opened(db) as there:
        rows = there.rows(
            "SELECT channel.name, topic.name, content FROM message"
            " LEFT JOIN topic ON topic.id = topic_id LEFT JOIN channel"
            " ON channel.id = message.channel_id ORDER BY message.id"
        )
        rest = "imported from Slack"
        link = "[a ü.txt](/user_uploads/1/slack/1/a-ü.txt)"
        assert rows == [
            ("general", rest, "hello"),
            ("über-tee", rest, "between"),
            ("general", "Lunch today?", "**Lunch** today?"),
            ("über-tee", rest, "later"),
            ("general", "Lunch today?", "Yes"),
            ("general", rest, "done"),
            ("general", rest, "from outside"),
            ("general", rest, "build **ok**"),
            ("general", rest, "/me waves"),
            ("general", rest, "by name"),
            ("secret", rest, "hush"),
            (None, None, "psst"),
            (None, None, "yes?"),
            (None, None, "three of us"),
            ("general", "Lunch today?", "Late"),
            ("general", "Lunch today? (2)", "**Lunch** today?"),
            (
                "general",
                rest,
                f"two files\n{link}\n[b.txt](https://files.slack.com/b)\n*c.txt* (deleted)",
            ),
        ]
        assert there.column("SELECT members FROM conversation") == ["2,3", "2,3,5"]
        reactions = there.rows("SELECT user_id, emoji_name, emoji_code FROM reaction")
        assert reactions == [(2, "+1", "1f44d"), (3, "+1", "1f44d")]
        assert there.column("SELECT last_edit FROM message WHERE last_edit > 0") == [1600000999.5]
        assert there.rows("SELECT name, size FROM upload") == [("a ü.txt", 8)]
        assert there.value("SELECT count(*) FROM upload_link") == 1


def test_files_of_one_name_in_one_message_all_arrive(tmp_path: Path, command: Command) -> None:
    """Screenshots are all called alike."""
    files = [{"id": f"F{number}", "name": "image.png"} for number in (1, 2)]
    days = {"general/2020-09-13.json": [said(1, "two", files=files)]}
    uploads = {f"__uploads/{file['id']}/image.png": b"contents" for file in files}
    path = packed(tmp_path / "a.zip", {**LISTS, **days, **uploads})
    done = command("import", path, "--db", tmp_path / "new.db")
    assert (done.code, done.err) == (0, "")
    with opened(tmp_path / "new.db") as there:
        assert there.value("SELECT count(*) FROM upload_link") == 2


def test_texts_mean_what_they_meant(tmp_path: Path, command: Command) -> None:
    """Each construct of Slack's format becomes ours, and nothing in code is touched."""
    day = [said(number, text) for number, text in enumerate(TEXTS)]
    archive = packed(tmp_path / "a.zip", {**LISTS, "general/2020-09-13.json": day})
    assert command("import", archive, "--db", tmp_path / "new.db").code == 0
    with opened(tmp_path / "new.db") as there:
        contents = there.column("SELECT content FROM message ORDER BY id")
        assert dict(zip(TEXTS, contents, strict=True)) == TEXTS


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("users.json", [{"name": "x"}], "Element 1 of users.json is not valid"),
        ("users.json", b"[", "users.json is damaged"),
        ("channels.json", [{"id": 5}], "Element 1 of channels.json"),
        ("general/2020-09-13.json", [{"ts": "soon"}], "Element 1 of general/2020-09-13.json"),
        ("general/2020-09-13.json", [5], "Element 1 of general/2020-09-13.json"),
        ("channels.json", [{"id": "C1", "name": "../x"}], "is none of a folder"),
        ("../escaped", b"x", "leads out of its folder"),
        ("/escaped", b"x", "leads out of its folder"),
    ],
)
def test_an_export_that_cannot_be_is_refused(
    tmp_path: Path, command: Command, name: str, content: object, sentence: str
) -> None:
    """One sentence that says where, and nothing stays behind."""
    archive = packed(tmp_path / "a.zip", {**LISTS, **DAYS, name: content})
    refused = command("import", archive, "--db", tmp_path / "new.db")
    assert (refused.code, refused.err.count("\n")) == (1, 1), refused.err
    assert sentence in refused.err
    assert {path.name for path in tmp_path.iterdir()} == {"a.zip"}


def _archive_with(member: zipfile.ZipInfo, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("channels.json", "[]")
        archive.writestr(member, data)
    return out.getvalue()


def _twice() -> bytes:
    whole = _archive_with(zipfile.ZipInfo("channelz.json"), b"[]")
    return whole.replace(b"channelz.json", b"channels.json")


def _link() -> bytes:
    member = zipfile.ZipInfo("users.json")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return _archive_with(member, b"/etc/passwd")


def _locked() -> bytes:
    whole = bytearray(_archive_with(zipfile.ZipInfo("users.json"), b"[]"))
    at = whole.rindex(b"PK\x01\x02")
    whole[at + 8] |= 1
    return bytes(whole)


def _lying() -> bytes:
    whole = bytearray(_archive_with(zipfile.ZipInfo("users.json"), b"x" * 100))
    at = whole.rindex(b"PK\x01\x02")
    whole[at + 24 : at + 28] = (2**32 - 2).to_bytes(4, "little")
    return bytes(whole)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (_link(), "is no plain file"),
        (_locked(), "is no plain file"),
        (_lying(), "inflates to more than"),
        (_twice(), "is in it twice"),
        (_archive_with(zipfile.ZipInfo("a"), b"")[:-30], "is damaged"),
        (b"PK\x03\x04" + bytes(60), "is damaged"),
    ],
    ids=(
        "link",
        "locked",
        "lying",
        "twice",
        "cut",
        "nothing",
    ),  # archives tell the time: no two are alike
)
def test_a_zip_archive_is_checked_before_it_is_unpacked(
    tmp_path: Path, command: Command, data: bytes, sentence: str
) -> None:
    """Links, passwords, sizes that are none, names twice."""
    path = tmp_path / "a.zip"
    path.write_bytes(data)
    refused = command("import", path, "--db", tmp_path / "new.db")
    assert (refused.code, refused.err.count("\n")) == (1, 1), refused.err
    assert sentence in refused.err
    assert {one.name for one in tmp_path.iterdir()} == {"a.zip"}
