"""Counts and rows kept by what changed are those of a walk over everything, whatever happens."""

from dataclasses import dataclass, field, replace
from datetime import UTC, date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import eg
from tests.call_counter import calls
from tests.unit.tui.store.test_laws import Model, stories
from tui.api.events import UpdateMessageFlagsAddEvent
from tui.api.model import EventId, MessageId
from tui.narrow import (
    AllMessages,
    ChannelNarrow,
    Conversation,
    Narrow,
    TopicNarrow,
    conversation_of,
)
from tui.store import Changes, Store
from tui.store.optimistic import FlagChange, affected
from tui.view import messages, names
from tui.view.messages import ViewState
from tui.view.sidebar import sidebar
from tui.view.sidebar_cache import SidebarCache, concerns_rows
from tui.view.sidebar_rows import SidebarRow
from tui.view.times import Times
from tui.view.unread_counts import UnreadCounts

READING = ViewState(narrow=AllMessages(), times=Times(zone=UTC), today=date(2025, 6, 15))


@dataclass
class _Counted(Model):
    """A client that keeps counts, and rows, and shows them after each answer of a poll."""

    counts: UnreadCounts = field(default_factory=UnreadCounts)
    listed_before: SidebarCache = field(default_factory=SidebarCache)
    shown_before: messages.KeptRows = field(default_factory=messages.KeptRows)
    rows: tuple[object, ...] = ()
    is_expanded: bool = True
    """Whether all topics of the open channel are listed."""

    def hear(self, count: int) -> Changes:
        changes = super().hear(count)
        self.follow(changes)
        return changes

    def follow(self, changes: Changes) -> None:
        """Show what changed: the same rows as those that are made of everything anew."""
        counted = self.counts.follow(self.store, changes)
        self.listed_before.forget(changes, counted)
        opened: Narrow = next(
            map(ChannelNarrow, sorted(self.store.channels.subscribed)), AllMessages()
        )
        kept = self.listed(opened, self.listed_before, self.counts)
        assert kept == self.listed(opened, SidebarCache(), UnreadCounts())
        if not (counted or concerns_rows(changes) or changes.topics):
            assert self.rows in ((), (opened, kept)), "the screen leaves them as they are"
        self.rows = opened, kept
        ids = sorted(self.store.messages.by_id)
        shown = messages.rows(
            self.store,
            replace(READING, kept_rows=self.shown_before),
            ids,
            with_outbox=True,
            changed=changes.messages if changes.is_of_messages else None,
        )
        assert shown == messages.rows(
            self.store, replace(READING, kept_rows=messages.KeptRows()), ids, with_outbox=True
        )

    def listed(self, opened: Narrow, cache: SidebarCache, counts: UnreadCounts) -> list[SidebarRow]:
        """The list of conversations."""
        everything = frozenset(self.store.channels.by_id) if self.is_expanded else frozenset()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("tui.view.sidebar.TOPICS", 1)  # there are a few
            return sidebar(
                self.store, opened=opened, expanded=everything, drafts=0, now=eg.NOW,
                counts=counts, cache=cache,
            )  # fmt: skip


def _sums(counts: UnreadCounts, store: Store) -> tuple[object, ...]:
    places: list[Conversation] = store.unreads.conversations()
    by_place = {place: (counts.unread(place), counts.mentioned(place)) for place in places}
    by_channel = +counts.channels, +counts.muted, +counts.channel_mentions
    return by_place, by_channel, counts.mentions, counts.inbox


@given(stories, st.booleans())
def test_counts_follow_every_change(story: Random, is_expanded: bool) -> None:
    """Messages come, move, go, are read and unread; also what was just marked read counts no more."""
    world = _Counted(is_expanded=is_expanded)
    world.live(story)
    store = world.store
    assert _sums(world.counts, store) == _sums(UnreadCounts().of(store), store)
    some = frozenset(story.sample(sorted(store.unreads), len(store.unreads) // 2))
    operation = FlagChange(message_ids=some, flag="read", on=True)
    operation_id = store.pending.add(operation)
    world.follow(affected(operation))
    assert _sums(world.counts, store) == _sums(UnreadCounts().of(store), store)
    store.pending.rollback(operation_id)
    world.follow(affected(operation))
    assert _sums(world.counts, store) == _sums(UnreadCounts().of(store), store)


@given(stories)
def test_counts_are_right_when_the_event_comes_before_the_screen_is_updated(story: Random) -> None:
    """What I mark as read may be confirmed at once; the screen gets both changes later, one after the other."""
    world = _Counted()
    world.live(story)
    store = world.store
    some = frozenset(story.sample(sorted(store.unreads), len(store.unreads) // 2))
    operation = FlagChange(message_ids=some, flag="read", on=True)
    store.pending.add(operation)
    shown = affected(operation, store.unreads)
    event = eg.make(UpdateMessageFlagsAddEvent, flag="read", message_ids=tuple(some), all=False)
    confirmed = store.apply(replace(event, id=EventId(1_000_000)))
    world.follow(shown)
    world.follow(confirmed)
    assert _sums(world.counts, store) == _sums(UnreadCounts().of(store), store)


def test_a_message_is_counted_without_a_walk() -> None:
    """What an event costs does not grow with what is unread."""
    store = Store.from_snapshot(eg.snapshot())
    counts = UnreadCounts().of(store)
    for number in range(1, 60):
        topic = f"topic {number}"
        store.apply(eg.message_event(eg.message(number, topic=topic), number))
    counts.recount(store)
    asked: list[Conversation] = []
    original = store.unread_count

    def asking(conversation: Conversation) -> int:
        asked.append(conversation)
        return original(conversation)

    store.unread_count = asking  # type: ignore[method-assign]  # counted
    store.unread_ids = None  # type: ignore[assignment,method-assign]  # a set of thousands
    counts.follow(store, store.apply(eg.message_event(eg.message(60, topic="topic 7"), 60)))
    assert len(asked) == 1
    assert counts.inbox == 60


def _listed_after_a_message(size: int) -> int:
    """Return the functions called to list one of `size` channels anew."""
    channels = tuple(eg.subscription(9 + at, f"channel {at:03}") for at in range(size))
    store = Store.from_snapshot(eg.snapshot(channels=channels))
    counts, cache = UnreadCounts(), SidebarCache()

    def listed() -> list[SidebarRow]:
        return sidebar(
            store, opened=AllMessages(), expanded=frozenset(), drafts=0, now=eg.NOW,
            counts=counts, cache=cache,
        )  # fmt: skip

    def follow(changes: Changes) -> list[SidebarRow]:
        cache.forget(changes, counts.follow(store, changes))
        return listed()

    before = listed()
    first, second = (
        store.apply(eg.message_event(eg.message(number, channel_id=15), number))
        for number in (1, 2)
    )
    changed = [row.label for row in follow(first) if not any(row is each for each in before)]
    assert changed == ["Inbox", "channel 006"]
    return calls(lambda: follow(second))


def test_a_message_costs_the_rows_of_its_channel_however_many_channels_there_are() -> None:
    """The same number of calls with a dozen subscriptions as with hundreds."""
    _listed_after_a_message(500)  # methods of classes are compiled when they are first used
    assert _listed_after_a_message(500) == _listed_after_a_message(12)


def test_a_message_makes_one_row_of_a_topic(monkeypatch: pytest.MonkeyPatch) -> None:
    """An open channel lists twenty: those of the others stay as they are; what the server confirms is no news."""
    store = Store.from_snapshot(eg.snapshot(channels=(eg.subscription(15, "tea"),)))
    for number in range(1, 21):
        store.apply(
            eg.message_event(eg.message(number, channel_id=15, topic=f"topic {number}"), number)
        )
    opened = conversation_of(eg.message(1, channel_id=15, topic="topic 1"))
    assert isinstance(opened, TopicNarrow)
    counts, cache = UnreadCounts(), SidebarCache()
    made: list[str] = []
    name = names.topic

    def naming(store: Store, topic: str) -> str:
        made.append(topic)
        return name(store, topic)

    def follow(changes: Changes) -> list[SidebarRow]:
        cache.forget(changes, counts.follow(store, changes))
        return sidebar(
            store, opened=opened, expanded=frozenset(), drafts=0, now=eg.NOW,
            counts=counts, cache=cache,
        )  # fmt: skip

    follow(Changes(replaced=True))
    monkeypatch.setattr(names, "topic", naming)
    rows = follow(store.apply(eg.message_event(eg.message(21, channel_id=15, topic="topic 7"), 21)))
    assert made == ["topic 7"]
    operation = FlagChange(message_ids=frozenset({MessageId(21)}), flag="read", on=True)
    store.pending.add(operation)
    rows = follow(affected(operation))
    read = store.apply(
        UpdateMessageFlagsAddEvent(
            id=EventId(22), flag="read", message_ids=(MessageId(21),), all=False
        )
    )
    assert not read.can_be_seen
    assert read.confirmed == {MessageId(21)}
    assert not counts.follow(store, read)
    assert follow(read) == rows
