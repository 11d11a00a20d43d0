"""Where a start opens."""

from typing import Any

import pytest

from tests import eg
from tui.api.model import ChannelId, UserTopic
from tui.errors import BadNarrow
from tui.narrow import AllMessages, ChannelNarrow, DmNarrow, Mentions, Search, Term, TopicNarrow
from tui.store import Store
from tui.view.initial_narrow import asked_for, first_place, first_unread, tour

ZEBRAS, ANTS = eg.subscription(1, "zebras"), eg.subscription(2, "ants")


def store(**fields: Any) -> Store:
    return Store.from_snapshot(
        eg.snapshot(users=(eg.ME, eg.MARY), subscriptions=(ZEBRAS, ANTS), **fields)
    )


def unread(known: Store, *places: tuple[int, str] | None) -> Store:
    """A message comes in each place; None is a direct one."""
    for at, place in enumerate(places, 1):
        message = (
            eg.dm(at, sender=eg.MARY)
            if place is None
            else eg.message(at, channel_id=ChannelId(place[0]), topic=place[1], sender=eg.MARY)
        )
        known.apply(eg.message_event(message))
    return known


def test_the_first_unread_conversation_of_the_sidebar() -> None:
    """Direct messages, then channels by name, the newest topic first."""
    known = unread(store(), (1, "stripes"), (2, "old"), (2, "new"))
    assert first_unread(known) == TopicNarrow(ChannelId(2), "new")
    assert first_unread(unread(store(), (2, "new"), None)) == DmNarrow(
        frozenset({eg.ME.user_id, eg.MARY.user_id})
    )


def test_what_is_muted_is_not_begun_with() -> None:
    """A muted topic does not ask to be read."""
    muted = UserTopic(channel_id=ChannelId(2), topic="old", last_updated=0, visibility_policy=1)
    known = unread(store(user_topics=(muted,)), (2, "old"), (1, "stripes"))
    assert first_unread(known) == TopicNarrow(ChannelId(1), "stripes")


def test_one_begins_where_one_was() -> None:
    """Unless the channel was left meanwhile; with nothing to read there is the feed of all."""
    known = store()
    assert first_place(known, Mentions()) == Mentions()
    assert first_place(known, ChannelNarrow(ChannelId(1))) == ChannelNarrow(ChannelId(1))
    assert first_place(known, TopicNarrow(ChannelId(9), "gone")) == AllMessages()
    assert first_place(known, None) == AllMessages()


def test_a_newcomer_begins_with_the_tour() -> None:
    """Its first page, whatever else is unread and was said there since; elsewhere 1 means nothing."""
    known = unread(
        store(default_channel_ids=frozenset({ChannelId(1)})),
        (1, "2. topics"), (1, "1. start here"), (1, "10. the end"), (1, "hello"), (2, "1. ants"), None,
    )  # fmt: skip
    assert first_place(known, None) == TopicNarrow(ChannelId(1), "1. start here")
    assert first_place(known, Mentions()) == Mentions()
    assert tour(unread(store(), (1, "1. start here"))) is None


def test_words_name_a_place() -> None:
    """As on the command line; whoever and whatever is not known is told in one sentence."""
    known = store()
    assert asked_for(known, "") == (AllMessages(), None)
    assert asked_for(known, "channel:ants topic:hills near:7") == (
        TopicNarrow(ChannelId(2), "hills"),
        7,
    )
    assert asked_for(known, "tea") == (Search((Term("search", "tea"),)), None)
    with pytest.raises(BadNarrow, match="No channel matches “bees”"):
        asked_for(known, "channel:bees")
    with pytest.raises(BadNarrow, match="No person matches “zoe”"):
        asked_for(known, "dm:zoe")
