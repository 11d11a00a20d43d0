"""Narrows as SQL: where SQLite begins. A wrong index walks over every message there is."""

from collections.abc import Iterator
from typing import Any

import pytest

from server_lite.actions.channels import create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.errors import BadNarrow
from server_lite.narrow.query import query
from server_lite.narrow.search import MAX_WORDS, sought
from server_lite.narrow.terms import parse_narrow
from server_lite.store import topics
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, UserRow]]:
    """Somebody in a channel with a topic."""
    database = Database(tmp_path_factory.mktemp("query") / "chinwag.db")

    def found(tx: Tx) -> UserRow:
        ann = create_user(
            tx, email="ann@example.com", full_name="Ann", role=Role.MEMBER, password=None
        )
        channel = create_channel(tx, ann, name="general")
        subscribe(tx, [channel], [ann])
        topics.get_or_create(tx, channel.id, "tea")
        return ann

    yield database, database.write_now(found)
    database.close()


@pytest.mark.parametrize(
    ("narrow", "begins"),
    [
        ([], "message USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        (
            [["channel", "general"]],
            "message USING INDEX message_channel (channel_id=? AND rowid>? AND rowid<?)",
        ),
        (
            [["channel", "general"], ["topic", "tea"]],
            "message USING INDEX message_topic (topic_id=? AND rowid>? AND rowid<?)",
        ),
        (
            [["sender", "ann@example.com"]],
            "message USING INDEX message_sender (sender_id=? AND rowid>? AND rowid<?)",
        ),
        (
            [["is", "unread"]],
            "unread USING PRIMARY KEY (user_id=? AND message_id>? AND message_id<?)",
        ),
        (
            [["is", "starred"]],
            "marked USING PRIMARY KEY (user_id=? AND flag=? AND message_id>? AND message_id<?)",
        ),
        (
            [["is", "unread"], ["channel", "general"], ["topic", "tea"]],
            "unread USING PRIMARY KEY (user_id=? AND message_id>? AND message_id<?)",
        ),
        (
            [["search", "tea"], ["is", "starred"], ["channel", "general"]],
            "message_text VIRTUAL TABLE",
        ),
        ([["is", "dm"]], "message USING INDEX message_direct (id>? AND id<?)"),
        ([["has", "link"]], "message USING INDEX message_link (id>? AND id<?)"),
        ([["in", "home"]], "message USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
    ],
)
def test_a_page_is_read_in_order_from_the_right_index(
    place: tuple[Database, UserRow], narrow: list[Any], begins: str
) -> None:
    """Reading a page costs the page, not the history: no walk over all, no sorting."""
    database, ann = place
    asked = query(database.reader, ann, parse_narrow(narrow))
    plan = database.reader.rows(
        f"EXPLAIN QUERY PLAN SELECT {asked.key} FROM {asked.source} WHERE {asked.condition}"
        f" AND {asked.key} >= ? AND {asked.key} < ? ORDER BY {asked.key} DESC LIMIT 50",
        *asked.values,
        10,
        1000,
    )
    top = [detail for _, parent, _, detail in plan if parent == 0]
    assert top[0].removeprefix("SEARCH ").removeprefix("SCAN ").startswith(begins), top
    assert not any("TEMP B-TREE FOR ORDER BY" in detail for detail in top), top


def test_a_narrow_has_a_bound() -> None:
    """A client gone wild gets an error it can read, not a server that cannot answer."""
    with pytest.raises(BadNarrow, match="more than 100 terms"):
        parse_narrow([["is", "unread"]] * 101)
    assert len(sought("word " * 5000)) == MAX_WORDS
