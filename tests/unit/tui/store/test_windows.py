"""What is claimed to be known of a narrow stays true, whatever is learned and forgotten."""

from hypothesis import given
from hypothesis import strategies as st

from tests import eg
from tui.api.model import ChannelId, MessageId
from tui.narrow import AllMessages, TopicNarrow
from tui.store import messages
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
    assert not any(stretch.covers(each) for each in gone)
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
    assert (stretch.ids[0], len(stretch.ids)) == (200, messages.SHORTENED_STRETCH)
    assert not stretch.found_newest
    assert sorted(known.by_id) == [*range(200, 1200), *range(2401, 3001)]
    assert not known.shorten(topic, MessageId(700))
