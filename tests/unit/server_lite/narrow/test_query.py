"""Narrows as SQL: where SQLite begins. A wrong index walks over every message there is."""

from collections.abc import Iterator
from typing import Any

import pytest

from server_lite.actions.channels import create_channel
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.errors import BadNarrow
from server_lite.narrow.query import is_by_index, query
from server_lite.narrow.search import MAX_WORDS, parse_search
from server_lite.narrow.terms import parse_narrow
from server_lite.narrow.window import NEWEST, window
from server_lite.store import subscriptions, topics
from server_lite.store.connection import Db
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
            "unread_by_user USING PRIMARY KEY (user_id=? AND message_id>? AND message_id<?)",
        ),
        (
            [["is", "starred"]],
            "marked USING PRIMARY KEY (user_id=? AND flag=? AND message_id>? AND message_id<?)",
        ),
        (
            [["is", "unread"], ["channel", "general"], ["topic", "tea"]],
            "unread_by_user USING PRIMARY KEY (user_id=? AND message_id>? AND message_id<?)",
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
    assert len(parse_search("word " * 5000)) == MAX_WORDS


class Counted(Db):
    """A connection that keeps the statements it was given."""

    def __init__(self, database: Database) -> None:
        self.inner = database.reader
        self.statements: list[str] = []

    def column(self, sql: str, /, *values: Any) -> list[Any]:
        self.statements.append(sql)
        return self.inner.column(sql, *values)


@pytest.mark.parametrize(("anchor", "searches"), [(NEWEST, 1), (0, 1), (50, 2)])
def test_a_page_searches_once_in_each_direction(
    place: tuple[Database, UserRow], anchor: int, searches: int
) -> None:
    """What can only be empty is not searched for: each search pays for the whole index."""
    database, ann = place
    asked = query(database.reader, ann, parse_narrow([["search", "tea"]]))
    counted = Counted(database)
    window(counted, asked, anchor, before=10, after=10)
    assert len(counted.statements) == searches


def test_ids_are_looked_for_in_one_walk_of_the_index(place: tuple[Database, UserRow]) -> None:
    """A hundred messages cost one search, not a hundred."""
    database, ann = place
    asked = query(database.reader, ann, parse_narrow([["search", "tea"]]))
    counted = Counted(database)
    asked.among(counted, [3, 1, 2])
    (plan,) = [
        detail
        for _, _, _, detail in database.reader.rows(
            f"EXPLAIN QUERY PLAN {counted.statements[0]}", *asked.values, 1, 3, 3, 1, 2
        )
        if "message_text" in detail
    ]
    # M: the words; > and <: the bounds. An = would be one search for each of the ids.
    assert "=" not in plan.partition("INDEX ")[2].removeprefix("0:"), plan


@pytest.mark.parametrize(
    ("narrow", "expected"),
    [
        ([["channel", "general"], ["topic", "tea"]], True),
        ([["dm", [1]]], True),
        ([["is", "unread"]], True),
        ([], False),
        ([["search", "tea"], ["channel", "general"]], False),
        ([["has", "reaction"]], False),
        ([{"operator": "channel", "operand": "general", "negated": True}], False),
    ],
)
def test_what_may_cost_more_than_a_page_is_known(narrow: list[Any], expected: bool) -> None:
    """Only what an index answers is read where everybody waits."""
    assert is_by_index(parse_narrow(narrow)) is expected


def test_subscribers_are_counted_by_channel(place: tuple[Database, UserRow]) -> None:
    """Counting walks each channel once, not each person in each channel."""
    database, _ = place
    seen: list[str] = []

    class Told(Counted):
        def rows(self, sql: str, /, *values: Any) -> list[Any]:
            seen.extend(row[3] for row in self.inner.rows(f"EXPLAIN QUERY PLAN {sql}", *values))
            return self.inner.rows(sql, *values)

    assert subscriptions.subscriber_counts(Told(database), [1]) == {1: 1}
    assert subscriptions.subscribers_of(Told(database), [1]) == {
        1: [database.reader.value("SELECT user_id FROM subscription")]
    }
    assert not [detail for detail in seen if "user_id=?" in detail], seen
