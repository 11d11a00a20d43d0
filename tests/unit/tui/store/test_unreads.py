"""Unread messages: tens of thousands in little memory, and each found by its ID and by its conversation."""

import random
import sys

import pytest

from tests import eg
from tui.api.events import UnreadDetails
from tui.api.model import ChannelId, MessageId
from tui.narrow import Conversation, DmNarrow, TopicNarrow
from tui.store import unreads
from tui.store.unreads import Unreads

TOPICS = [TopicNarrow(ChannelId(9), name) for name in ("tea", "milk", "cups")]
MARY = DmNarrow(frozenset({eg.ME.user_id, eg.MARY.user_id}))
BYTES = 40
"""Most bytes for an unread message: two numbers and a reference, with room to grow."""


def _arrive(unread: Unreads, message_id: int, topic: str = "tea") -> None:
    unread.receive(eg.message(message_id, channel=eg.subscription(9, "general"), topic=topic))


@pytest.mark.parametrize("seed", range(10))
def test_each_unread_message_is_in_one_conversation(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages come in any order, move, and are read one by one or many at once: a plain dictionary agrees."""
    monkeypatch.setattr(unreads, "FEW", 5)
    chance = random.Random(seed)
    unread, expected = Unreads(None, eg.ME.user_id), dict[MessageId, Conversation]()
    for _ in range(200):
        some = [MessageId(chance.randrange(1, 80)) for _ in range(chance.choice([1, 3, 12]))]
        topic = chance.choice(TOPICS)
        match chance.choice(["come", "come", "read", "move", "unread"]):
            case "come":
                for each in some:
                    _arrive(unread, each, topic.topic)
                    expected[each] = topic
            case "read":
                told = unread.read(some)
                assert told == {expected.pop(each) for each in {*some} & expected.keys()}
            case "move":
                unread.move(some, channel_id=None, topic=topic.topic.upper())
                moved = {each for each in some if isinstance(expected.get(each), TopicNarrow)}
                expected |= dict.fromkeys(moved, topic)
            case "unread":
                detail = UnreadDetails(
                    type="private", mentioned=False, user_ids=frozenset({eg.MARY.user_id}),
                    channel_id=None, topic=None, unmuted_channel=None,
                )  # fmt: skip
                unread.unread(dict.fromkeys(some, detail))
                expected |= dict.fromkeys(some, MARY)
        assert {each: unread.place(each) for each in unread} == expected
        assert sorted(unread) == list(unread)
        places: list[Conversation] = [*TOPICS, MARY]
        for place in places:
            ids = {each for each, at in expected.items() if at == place}
            assert unread.ids(place) == ids
            assert unread.count(place) == len(ids)
        assert {*unread.conversations()} == {*expected.values()}
        assert {*unread.topics(ChannelId(9))} == {*expected.values()} - {MARY}


def test_an_unread_message_takes_few_bytes() -> None:
    """Who was away for a month has tens of thousands of them."""
    unread = Unreads(None, eg.ME.user_id)
    for at in range(1, 4_001):
        _arrive(unread, 1_000_000 + at, TOPICS[at % 3].topic)
    held = [unread._ids, unread._places, *unread._by_conversation.values()]
    assert sum(map(sys.getsizeof, held)) / 4_000 <= BYTES
    assert len({*map(id, unread._places)}) == len(TOPICS)
