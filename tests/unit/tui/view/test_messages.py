"""Rows of a conversation: who stands above what, where days begin, what was unread."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date
from typing import TypeGuard

from tests import eg
from tui.api.destination import TopicDestination
from tui.api.model import ChannelId, LocalId, Message, MessageId
from tui.content.extracts import plain_text
from tui.narrow import AllMessages, Narrow, TopicNarrow
from tui.store import Store
from tui.store.fetched_page import Page
from tui.store.outbox import OutgoingMessage
from tui.store.windows import NEWEST, OLDEST
from tui.view.messages import ViewState, rows
from tui.view.rows import (
    HIDDEN,
    HIDDEN_WORDS,
    ConversationRow,
    DateRow,
    EchoRow,
    HeaderRow,
    MessageRow,
    UnreadRow,
)
from tui.view.times import Times

CHANNEL = eg.subscription(9, "general", color="#76ce90")
TOPIC = TopicNarrow(ChannelId(9), "greetings")
TODAY = date(2025, 6, 15)


def _store(messages: Sequence[Message], narrow: Narrow = TOPIC) -> Store:
    store = Store.from_snapshot(eg.snapshot(channels=(CHANNEL,)))
    ticket = store.messages.begin_fetch()
    page = Page(narrow=narrow, low=OLDEST, high=NEWEST, messages=tuple(messages))
    store.messages.finish_fetch(ticket, page)
    return store


def _rows(
    messages: Sequence[Message], narrow: Narrow = TOPIC, *, line: int | None = None
) -> list[ConversationRow]:
    reading = ViewState(
        narrow=narrow,
        times=Times(zone=UTC),
        today=TODAY,
        line_above=None if line is None else MessageId(line),
        line_count=1,
    )
    return rows(_store(messages, narrow), reading, [m.id for m in messages], with_outbox=True)


def _leads(drawn: Sequence[ConversationRow]) -> list[bool]:
    return [row.leads for row in drawn if isinstance(row, MessageRow)]


def test_messages_of_one_sender_within_ten_minutes_stand_under_one_name() -> None:
    """The name comes again after a pause, after somebody else, and nowhere else."""
    times = (0, 60, 120, 120 + 601, 800)
    messages = [eg.message(at, timestamp=eg.NOW + seconds) for at, seconds in enumerate(times, 1)]
    messages.append(eg.message(6, sender=eg.MOE, timestamp=eg.NOW + 801))
    assert _leads(_rows(messages)) == [True, False, False, True, False, True]


def test_a_line_stands_between_days_in_the_readers_zone() -> None:
    """Midnight is the reader's, not the server's."""
    messages = [eg.message(1, timestamp=eg.NOW - 86_400), eg.message(2, timestamp=eg.NOW)]
    days = [row.text for row in _rows(messages) if isinstance(row, DateRow)]
    assert days == ["Yesterday", "Today"]


def test_the_unread_line_stands_above_its_message_and_ends_a_group() -> None:
    """What is new begins with a name, so that one need not look above the line."""
    drawn = _rows([eg.message(1), eg.message(2)], line=2)
    kinds = [type(row) for row in drawn]
    assert kinds == [DateRow, MessageRow, UnreadRow, MessageRow]
    assert _leads(drawn) == [True, True]


def test_a_feed_says_where_each_run_of_messages_was_said() -> None:
    """A header comes with each change of conversation, topics being equal whatever their case."""
    messages = [
        eg.message(1, channel=CHANNEL, topic="tea"),
        eg.message(2, channel=CHANNEL, topic="Tea"),
        eg.dm(3),
        eg.message(4, channel=CHANNEL, topic=""),
    ]
    headers = [row for row in _rows(messages, AllMessages()) if isinstance(row, HeaderRow)]
    assert [(row.place, row.topic) for row in headers] == [
        ("#general", "tea"),
        (eg.MARY.full_name, ""),
        ("#general", "general chat"),
    ]


def test_what_is_on_its_way_is_shown_after_what_was_said() -> None:
    """A message shows at once, with what became of it, until its event takes its place."""
    store = _store([eg.message(1, sender=eg.ME, timestamp=eg.NOW)])
    outgoing = OutgoingMessage(
        local_id=LocalId("a"),
        idempotency_key="a",
        destination=TopicDestination(channel_id=ChannelId(9), topic="greetings"),
        content="*hi*",
        created=eg.NOW + 5.0,
        state="failed",
        error="The channel was archived.",
        attempted=None,
        attempted_after=None,
        queue_id=None,
        message_id=None,
    )
    store.outbox.put(outgoing)
    reading = ViewState(narrow=TOPIC, times=Times(zone=UTC), today=TODAY)
    echo = rows(store, reading, [MessageId(1)], with_outbox=True)[-1]
    assert isinstance(echo, EchoRow)
    assert (echo.text, echo.state, echo.trouble) == ("*hi*", "failed", "The channel was archived.")
    assert not echo.leads, "it goes on from one's own message just before"
    store.outbox.put(replace(outgoing, state="sent", message_id=MessageId(1)))
    after = rows(store, reading, [MessageId(1)], with_outbox=True)
    assert not any(isinstance(row, EchoRow) for row in after)


def test_reactions_are_counted_by_emoji_and_ones_own_is_marked() -> None:
    """Two names of one emoji are one chip."""
    message = eg.message(
        1,
        reactions=(
            eg.reaction(eg.MARY),
            eg.reaction(eg.ME, emoji_name="thumbs_up"),
            eg.reaction(eg.MOE, emoji_name="tada", emoji_code="1f389"),
        ),
    )
    row = _rows([message])[-1]
    assert isinstance(row, MessageRow)
    assert [(chip.text, chip.count, chip.is_own) for chip in row.chips] == [
        ("👍", 2, True),
        ("🎉", 1, False),
    ]


def test_names_and_topics_of_others_cannot_steer_the_terminal() -> None:
    """Escape sequences in a name, a topic or an emoji's name are shown, not obeyed."""
    hostile = "\x1b]0;owned\x07"
    message = eg.message(
        1,
        channel=CHANNEL,
        topic=hostile,
        sender=eg.user(77, hostile),
        reactions=(eg.reaction(emoji_name=hostile, emoji_code="!", reaction_type="realm_emoji"),),
    )
    for row in _rows([message], AllMessages()):
        for text in (getattr(row, name, "") for name in ("sender", "place", "topic", "text")):
            assert "\x1b" not in text
        for chip in getattr(row, "chips", ()):
            assert "\x1b" not in chip.text


def test_what_a_muted_person_says_is_hidden_until_it_is_asked_for() -> None:
    """Neither the words nor who reacted are seen; that something was said is."""
    told = eg.message(1, sender=eg.MOE, content="<p>nonsense</p>", reactions=(eg.reaction(),))
    store = _store([told, eg.message(2)])
    store.muted_users.add(eg.MOE.user_id)
    reading = ViewState(narrow=TOPIC, times=Times(zone=UTC), today=TODAY)
    shown = [r for r in rows(store, reading, [told.id], with_outbox=False) if _is_message(r)]
    assert [(row.is_hidden, row.chips, row.html) for row in shown] == [(True, (), "")]
    assert plain_text(shown[0].nodes) == HIDDEN_WORDS
    opened = replace(reading, revealed={told.id: frozenset({HIDDEN})})
    shown = [r for r in rows(store, opened, [told.id], with_outbox=False) if _is_message(r)]
    assert plain_text(shown[0].nodes) == "nonsense"


def _is_message(row: ConversationRow) -> TypeGuard[MessageRow]:
    return isinstance(row, MessageRow)
