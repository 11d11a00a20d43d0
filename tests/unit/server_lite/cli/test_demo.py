"""`chinwag-server demo`: something of everything to look at, where nobody is disturbed by it."""

import re
import time
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher

from server_lite.store import backups, users
from server_lite.store.database import Database
from tests.unit.server_lite.cli.conftest import Command


def said(db: Path) -> list[tuple[Any, ...]]:
    """Sender, HTML and time of every message, without the random part of links to files."""
    database = Database(db)
    try:
        rows = database.reader.rows(
            "SELECT sender_id, rendered, timestamp FROM message ORDER BY id"
        )
    finally:
        database.close()
    return [(who, re.sub(r"user_uploads/[^\"]*/", "", html), at) for who, html, at in rows]


def numbers(db: Path, **queries: str) -> dict[str, int]:
    """What each query counts."""
    database = Database(db)
    try:
        return {name: database.reader.value(sql) for name, sql in queries.items()}
    finally:
        database.close()


def test_a_new_file_is_full_of_life(tmp_path: Path, command: Command) -> None:
    """One command, and there are people, conversations of every kind, and something to read."""
    db = tmp_path / "demo.db"
    made = command("demo", "--db", db)
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("robin@lighthouse.example is you.\n")
    assert backups.faults(db) == []
    html = "".join(row[1] for row in said(db))
    for kind in (
        *("<table>", "codehilite", "katex", "spoiler-block", "<blockquote>", "<time ", "<ol>"),
        *("user-mention", "user-group-mention", "stream-topic", "message_inline_image", "emoji-"),
    ):
        assert kind in html, kind
    counts = numbers(
        db,
        people="SELECT count(*) FROM user WHERE bot_type IS NULL",
        bots="SELECT count(*) FROM bot",
        topics="SELECT count(DISTINCT topic_id) FROM message",
        direct="SELECT count(*) FROM conversation",
        reactions="SELECT count(*) FROM reaction",
        widgets="SELECT count(DISTINCT message_id) FROM submessage",
        votes="SELECT count(*) FROM submessage WHERE content LIKE '%canned%'",
        mentioned="SELECT count(*) FROM flag JOIN unread USING (message_id, user_id)"
        " WHERE flag = 'mentioned' AND user_id = 2",
        elsewhere="SELECT count(*) FROM unread WHERE user_id NOT IN (1, 2)",
    )
    least = {"people": 6, "bots": 1, "topics": 12, "direct": 2, "reactions": 20, "widgets": 2}
    assert all(counts[name] >= number for name, number in least.items()), counts
    assert (counts["votes"], counts["mentioned"], counts["elsewhere"]) == (6, 2, 0)


def test_it_is_the_same_each_time_and_ends_now(tmp_path: Path, command: Command) -> None:
    """Two who talk about it see the same; time runs forward, and the last word is minutes old."""
    both = []
    for name in ("a.db", "b.db"):
        assert command("demo", "--db", tmp_path / name).code == 0
        both.append(said(tmp_path / name))
    assert [row[:2] for row in both[0]] == [row[:2] for row in both[1]]
    times = [at for _, _, at in both[0]]
    assert times == sorted(times)
    assert 200 < time.time() - times[-1] < 400


def test_whoever_is_alone_gets_company(team: Path, command: Command) -> None:
    """In a new organization of my own I am the one who is spoken to, and nothing is said before its time."""
    before = said(team)
    assert command("demo", "--db", team).code == 0
    after = said(team)
    assert after[: len(before)] == before
    times = [at for _, _, at in after]
    assert times == sorted(times)
    assert times[-1] <= time.time()
    assert "@Olive" in "".join(html for _, html, _ in after)
    database = Database(team)
    owner = users.first_owner(database.reader)
    database.close()
    assert owner is not None
    assert owner.email == "o@x.org"


def test_where_people_are_it_is_refused(team: Path, command: Command) -> None:
    """A real team never finds strangers in its channels."""
    command("user", "add", "--db", team, "--email", "a@x.org", "--name", "Ann")
    before = team.read_bytes()
    refused = command("demo", "--db", team)
    assert (refused.code, "already has people" in refused.err) == (1, True)
    assert team.read_bytes() == before
    assert {path.name.partition("-")[0] for path in team.parent.iterdir()} <= {
        *("team.db", "team.db.lock", "team.db-wal", "team.db-shm"),
    }


def test_the_password_that_is_printed_is_everybodys(tmp_path: Path, command: Command) -> None:
    """I can sign in as any of them, in two windows side by side."""
    db = tmp_path / "demo.db"
    printed = re.search(r"Their password is (\S+)\n", command("demo", "--db", db).out)
    assert printed is not None
    database = Database(db)
    hashes = set(database.reader.column("SELECT password FROM user WHERE bot_type IS NULL"))
    database.close()
    (hashed,) = hashes
    assert PasswordHasher().verify(hashed, printed[1])
