"""What is unread and where something was said last: what comes first, and what is left out."""

from collections.abc import Sequence
from datetime import UTC, date

import pytest

from tests import eg
from tui.api.model import (
    ChannelId,
    Message,
    MessageId,
    Topic,
    UnreadDm,
    UnreadTopic,
    UserId,
    VisibilityPolicy,
)
from tui.narrow import AllMessages, DmNarrow, TopicNarrow
from tui.store import Store
from tui.store.fetched_page import Page
from tui.store.windows import NEWEST, OLDEST
from tui.view import overview
from tui.view.overview import OverviewName
from tui.view.times import Times

TIMES = Times(zone=UTC)
TODAY = date(2025, 6, 15)
GENERAL, NOISE = eg.subscription(9, "general"), eg.subscription(8, "noise", is_muted=True)


def _topic(name: str, *ids: int, channel: int = 9) -> UnreadTopic:
    return UnreadTopic(
        channel_id=ChannelId(channel), topic=name, unread_message_ids=tuple(map(MessageId, ids))
    )


def _store(messages: Sequence[Message] = (), more: Sequence[UnreadTopic] = ()) -> Store:
    followed = eg.user_topic(9, "plans", visibility_policy=VisibilityPolicy.FOLLOWED)
    unread = eg.unread_messages(
        topics=(
            _topic("small", 1), _topic("large", 2, 3), _topic("plans", 4), _topic("named", 5),
            _topic("builds", 6, channel=8), _topic("calls me", 7, channel=8), *more,
        ),
        dms=(UnreadDm(other_user_id=UserId(2), unread_message_ids=(MessageId(10),)),),
        mentions=frozenset({MessageId(5), MessageId(7)}),
    )  # fmt: skip
    store = Store.from_snapshot(
        eg.snapshot(
            users=(eg.ME, eg.MARY, eg.MOE),
            channels=(GENERAL, NOISE),
            unread_messages=unread,
            user_topics=(followed,),
        )
    )
    ticket = store.messages.begin_fetch()
    page = Page(narrow=AllMessages(), low=OLDEST, high=NEWEST, messages=tuple(messages))
    store.messages.finish_fetch(ticket, page)
    return store


def test_the_inbox_begins_with_what_is_most_urgent() -> None:
    """Direct messages, mentions (even where muted), followed topics, then the largest."""
    rows = overview.inbox(_store(), TIMES, TODAY)
    assert [row.topic or row.place for row in rows] == [
        "Direct messages", "Mary Member", "Mentions", "named", "calls me",
        "Followed topics", "plans", "Other topics", "large", "small",
    ]  # fmt: skip


def test_topics_are_other_topics_only_beside_something_else() -> None:
    """Nobody asks: other than what?"""
    store = Store.from_snapshot(
        eg.snapshot(
            channels=(GENERAL,), unread_messages=eg.unread_messages(topics=(_topic("tea", 1),))
        )
    )
    assert [row.place for row in overview.inbox(store, TIMES, TODAY)] == ["Topics", "#general"]


def test_the_inbox_quotes_the_first_unread_message() -> None:
    """The line that is read next, and who wrote it; until it is known it is asked for."""
    store = _store([eg.message(2, topic="large", content="<p>first <b>of</b> two</p>")])
    row = next(row for row in overview.inbox(store, TIMES, TODAY) if row.topic == "large")
    assert (row.sender, row.line, row.count) == ("Mary Member", "first of two", 2)
    assert MessageId(2) not in overview.wanted(store, "inbox")
    assert MessageId(1) in overview.wanted(store, "inbox")


def test_what_stands_first_in_the_inbox_is_asked_for_first() -> None:
    """Where a server gives messages one by one, only the first are asked for: those on screen."""
    assert overview.wanted(_store(), "inbox") == [10, 5, 7, 4, 2, 1]


def test_recent_conversations_come_newest_first_read_or_not() -> None:
    """Each stands once, with its last message, and a sign where one has taken part."""
    store = _store(
        [
            eg.message(19, topic="old", timestamp=eg.NOW - 5 * 86_400),
            eg.message(20, sender=eg.ME, topic="tea"),
            eg.message(21, sender=eg.MOE, topic="milk"),
            eg.message(22, sender=eg.MOE, topic="tea", content="<p>yes</p>"),
            eg.dm(23, sender=eg.ME, to=(eg.MARY,)),
        ]
    )
    rows = overview.recent(store, TIMES, TODAY)
    assert [(row.topic or row.place, row.sender, row.has_taken_part) for row in rows[:3]] == [
        ("Mary Member", "you", True),
        ("tea", "Moe Member", True),
        ("milk", "Moe Member", False),
    ]
    assert [row.time for row in rows] == ["15:06"] * 3 + ["10 Jun"]


@pytest.mark.parametrize("name", ["inbox", "recent"])
def test_the_longest_list_of_conversations_is_parsed_once(name: OverviewName) -> None:
    """It is made again after each message, from the HTML of all its quotes; far more may be unread."""
    numbers = range(100, 500)
    messages = [
        eg.message(number, topic=f"t{number}", content=f"<p>hello {number}</p>")
        for number in numbers
    ]
    store = _store(messages, [_topic(f"t{number}", number) for number in numbers])
    rows = overview.rows(store, name, TIMES, TODAY)
    assert len(rows) == overview.MOST
    parsed = overview._beginning.cache_info().misses
    assert overview.rows(store, name, TIMES, TODAY) == rows
    assert overview._beginning.cache_info().misses == parsed


def test_recent_conversations_reach_further_back_than_the_last_pages() -> None:
    """A topic known by its newest message alone has its place, and is quoted once that was fetched."""
    store = _store([eg.message(20, topic="tea")])
    general, noise = ChannelId(9), ChannelId(8)
    assert overview.unlisted(store) == [general]  # nobody asked to hear the muted one
    for channel_id in (general, noise):
        topics = [Topic(name="tea", max_id=MessageId(20)), Topic(name="old", max_id=MessageId(3))]
        store.topics.load(channel_id, topics)
    rows = overview.recent(store, TIMES, TODAY)
    assert [(row.place, row.topic, row.line) for row in rows] == [
        ("#general", "tea", "hello"), ("#general", "old", ""),
    ]  # fmt: skip
    assert overview.wanted(store, "recent") == [MessageId(3)]
    assert overview.unlisted(store) == []


def test_reading_a_conversation_takes_it_out_of_the_inbox() -> None:
    """What is marked read disappears at once, with its heading."""
    store = _store()
    store.unreads.read(store.unreads.ids(DmNarrow(frozenset({UserId(1), UserId(2)}))))
    store.unreads.read(store.unreads.ids(TopicNarrow(ChannelId(9), "plans")))
    headings = [r.place for r in overview.inbox(store, TIMES, TODAY) if r.conversation is None]
    assert headings == ["Mentions", "Other topics"]
