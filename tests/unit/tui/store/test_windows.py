"""What is claimed to be known of a narrow stays true, whatever is learned and forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import eg
from tui.api import events as ev
from tui.api.model import ChannelId, MessageId
from tui.narrow import AllMessages, Narrow, Starred, TopicNarrow
from tui.store import Store, messages
from tui.store.fetched_page import Page
from tui.store.messages import Messages
from tui.store.windows import NEWEST, OLDEST, Window

IDS = st.sets(st.integers(1, 60), min_size=1).map(sorted)


@given(IDS, st.none() | st.integers(1, 60), st.integers(1, 20))
def test_what_is_kept_is_around_the_reader_and_claims_no_more(
    ids: list[int], near: int | None, most: int
) -> None:
    """No gap opens in what is kept, the nearest stay, and what is gone is not claimed."""
    window = Window()
    window.cover(OLDEST, NEWEST, [MessageId(each) for each in ids])
    gone = window.shorten(near, most)
    (stretch,) = window.stretches
    assert stretch.ids == [each for each in ids if each not in gone]
    assert len(stretch.ids) == min(most, len(ids))
    assert not any(stretch.low <= each <= stretch.high for each in gone)
    assert stretch.found_oldest == (stretch.ids[0] == ids[0])
    assert stretch.found_newest == (stretch.ids[-1] == ids[-1])
    assert not any(stretch.ids[0] < each < stretch.ids[-1] for each in gone)
    nearest = ids[-1] if near is None else min(ids, key=lambda each: abs(each - near))
    assert nearest in stretch.ids or most == 1


def test_memory_does_not_grow_with_the_way_one_scrolls() -> None:
    """Far up in a long conversation the end is forgotten, but not what another window lists."""
    known = Messages({})
    topic = TopicNarrow(ChannelId(9), "greetings")
    told = [eg.message(at) for at in range(1, 3001)]
    for narrow, page in ((topic, told), (AllMessages(), told[-600:])):
        ticket = known.begin_fetch()
        low = page[0].id if narrow == AllMessages() else OLDEST
        known.finish_fetch(ticket, Page(narrow=narrow, low=low, high=NEWEST, messages=tuple(page)))
    assert known.shorten(topic, MessageId(700))
    stretch = known.window(topic).at(700)
    assert stretch is not None
    assert (stretch.ids[0], len(stretch.ids)) == (400, messages.SHORTENED_STRETCH)
    assert not stretch.found_newest
    assert sorted(known.by_id) == [*range(400, 1000), *range(2401, 3001)]
    assert not known.shorten(topic, MessageId(700))


def test_memory_does_not_grow_with_what_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts, the open conversation and the ends of others stay; what is gone is not claimed to be known."""
    for name, value in (
        ("MOST_MESSAGES", 100),
        ("MOST_IN_WINDOWS", 60),
        ("MOST_IN_WINDOW", 25),
        ("KEPT_ARRIVALS", 10),
    ):
        monkeypatch.setattr(messages, name, value)
    store = Store.from_snapshot(eg.snapshot(channels=[eg.subscription(9, "general")]))
    known, most, walks = store.messages, 0, 0
    topics = [TopicNarrow(ChannelId(9), name) for name in ("tea", "milk", "cups", "jam")]
    narrows: list[Narrow] = [*topics, AllMessages()]
    for narrow in narrows:
        page = Page(narrow=narrow, low=OLDEST, high=NEWEST, messages=())
        known.finish_fetch(known.begin_fetch(), page)
    for at in range(400):
        store.apply(eg.message_event(eg.message(at + 1, topic=topics[at % 4].topic)))
        before = known.by_id
        known.trim([topics[0]])
        walks += known.by_id is not before
        most = max(most, len(known.by_id))
    assert most <= 200
    assert walks < 20
    assert len(known.window(topics[0]).stretches[0].ids) == 100
    feed = known.window(AllMessages()).at(None)
    assert feed is not None
    assert feed.ids[-1] == 400
    assert not feed.found_oldest
    for narrow, window in known.windows.items():
        (stretch,) = window.stretches
        said = [
            at for at in range(1, 401) if narrow == AllMessages() or topics[(at - 1) % 4] == narrow
        ]
        assert stretch.ids == [at for at in said if stretch.low <= at <= stretch.high]
        assert known.by_id.keys() >= set(stretch.ids)
    assert [len(store.unread_ids(topic)) for topic in topics] == [100] * 4


TEA = TopicNarrow(ChannelId(9), "tea")


def _with_cached(*narrows: Narrow) -> Store:
    """A topic is shown from the cache, since one request failed; these narrows are known, and empty."""
    store = Store.from_snapshot(eg.snapshot(channels=[eg.subscription(9, "general")]))
    known = store.messages
    for narrow in narrows:
        page = Page(narrow=narrow, low=OLDEST, high=NEWEST, messages=())
        known.finish_fetch(known.begin_fetch(), page)
    cached = (eg.message(5, topic="tea"),)
    known.show_cached(Page(narrow=TEA, low=OLDEST, high=NEWEST, messages=cached))
    return store


def test_what_the_server_sent_stays_when_the_cache_is_dropped() -> None:
    """The next request is answered before the stream of events goes on, and brings the same message."""
    store = _with_cached()
    known = store.messages
    page = Page(narrow=AllMessages(), low=1, high=NEWEST, messages=(eg.message(5, topic="tea"),))
    known.finish_fetch(known.begin_fetch(), page)
    _, windows = known.drop_cached()
    assert windows == {TEA}
    assert [*known.window(AllMessages()).ids()] == [5]
    assert 5 in known.by_id


def test_a_window_that_lists_what_is_dropped_with_the_cache_is_dropped_too() -> None:
    """The first event after the pause stars a message that only the cache has."""
    store = _with_cached(Starred())
    star = eg.event(ev.UpdateMessageFlagsAddEvent, flag="starred", message_ids=(MessageId(5),))
    store.apply(star)
    assert [*store.messages.window(Starred()).ids()] == [5]
    _, windows = store.messages.drop_cached()
    assert windows == {TEA, Starred()}
    assert not store.messages.window(Starred()).stretches


def test_a_message_that_only_the_cache_has_is_looked_up_where_it_may_be_listed() -> None:
    """It was starred while the list of starred ones was on its way; the cache has it as it was before."""
    store = Store.from_snapshot(eg.snapshot(channels=[eg.subscription(9, "general")]))
    known = store.messages
    ticket = known.begin_fetch()
    star = eg.event(ev.UpdateMessageFlagsAddEvent, flag="starred", message_ids=(MessageId(5),))
    store.apply(star)
    cached = (eg.message(5, topic="tea"),)
    known.show_cached(Page(narrow=TEA, low=OLDEST, high=NEWEST, messages=cached))
    known.finish_fetch(ticket, Page(narrow=Starred(), low=OLDEST, high=NEWEST, messages=()))
    assert known.pending_lookups == {5}
