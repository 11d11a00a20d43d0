"""Which event ends which optimistic update, and for which messages."""

from typing import Any

import pytest

from tests import eg
from tui.api.events import (
    DeleteMessageEvent,
    Event,
    ReactionAddEvent,
    ReactionRemoveEvent,
    UpdateMessageEvent,
    UpdateMessageFlagsAddEvent,
    UpdateMessageFlagsRemoveEvent,
    UserTopicEvent,
)
from tui.api.model import ChannelId, MessageId, VisibilityPolicy
from tui.narrow import TopicNarrow
from tui.store.optimistic import (
    ContentEdit,
    Deletion,
    FlagChange,
    Move,
    Operation,
    PendingOperations,
    PolicyChange,
    ReactionChange,
)

ONE, TWO, THREE = MessageId(1), MessageId(2), MessageId(3)
BOTH = frozenset({ONE, TWO})
TEA = TopicNarrow(ChannelId(9), "tea")
MINE = eg.reaction(eg.ME)
OF_MINE = {
    "emoji_name": MINE.emoji_name,
    "emoji_code": MINE.emoji_code,
    "reaction_type": MINE.reaction_type,
    "user_id": MINE.user_id,
}

OPERATIONS: dict[str, Operation] = {
    "star": FlagChange(message_ids=BOTH, flag="starred", on=True),
    "unstar": FlagChange(message_ids=BOTH, flag="starred", on=False),
    "react": ReactionChange(message_ids=BOTH, reaction=MINE, on=True),
    "unreact": ReactionChange(message_ids=BOTH, reaction=MINE, on=False),
    "move": Move(message_ids=BOTH, channel_id=None, topic="milk"),
    "edit": ContentEdit(message_ids=BOTH, content="tee"),
    "delete": Deletion(message_ids=BOTH),
    "mute": PolicyChange(topic=TEA, policy=VisibilityPolicy.MUTED),
}


def _flags(add: bool, *ids: int, flag: str = "starred", every: bool = False) -> Event:
    if add:
        return eg.event(UpdateMessageFlagsAddEvent, flag=flag, message_ids=ids, all=every)
    return eg.event(UpdateMessageFlagsRemoveEvent, flag=flag, message_ids=ids)


def _update(**fields: Any) -> Event:
    unchanged = {"orig_topic": None, "new_channel_id": None, "orig_content": None, "topic": None}
    place = {"channel_id": ChannelId(9), "message_id": ONE, "message_ids": (ONE,)}
    return eg.event(UpdateMessageEvent, **{**unchanged, **place, **fields})


def _reacted(kind: type[ReactionAddEvent | ReactionRemoveEvent], **fields: Any) -> Event:
    return eg.event(kind, **{"message_id": ONE, **OF_MINE, **fields})


def _policy(channel_id: int, topic: str) -> Event:
    inherited = VisibilityPolicy.INHERIT
    return eg.event(
        UserTopicEvent, channel_id=ChannelId(channel_id), topic=topic, visibility_policy=inherited
    )


GONE = frozenset[MessageId]()
LESS = frozenset({TWO})

EVENTS: list[tuple[str, Event, dict[str, frozenset[MessageId]]]] = [
    ("starred", _flags(True, ONE), {"star": LESS}),
    ("starred-both", _flags(True, ONE, TWO, THREE), {"star": GONE}),
    ("starred-all", _flags(True, every=True), {"star": GONE}),
    ("starred-another", _flags(True, THREE), {}),
    ("read", _flags(True, ONE, flag="read"), {}),
    ("unstarred", _flags(False, ONE), {"unstar": LESS}),
    ("unread", _flags(False, ONE, flag="read"), {}),
    ("reacted", _reacted(ReactionAddEvent), {"react": LESS}),
    ("reacted-another", _reacted(ReactionAddEvent, message_id=THREE), {}),
    ("reacted-by-another", _reacted(ReactionAddEvent, user_id=eg.MARY.user_id), {}),
    ("reacted-otherwise", _reacted(ReactionAddEvent, emoji_code="1f419"), {}),
    ("unreacted", _reacted(ReactionRemoveEvent), {"unreact": LESS}),
    ("moved", _update(orig_topic="tea", topic="milk", message_ids=(ONE, TWO)), {"move": GONE}),
    ("moved-one", _update(new_channel_id=ChannelId(3)), {"move": LESS}),
    ("edited", _update(orig_content="tea", message_ids=(ONE, TWO)), {"edit": LESS}),
    ("rendered", _update(rendering_only=True), {}),
    ("deleted", eg.event(DeleteMessageEvent, message_ids=(ONE,)), dict.fromkeys(OPERATIONS, LESS)),
    ("policy", _policy(9, "TEA"), {"mute": GONE}),
    ("policy-of-another-topic", _policy(9, "milk"), {}),
    ("policy-of-another-channel", _policy(3, "tea"), {}),
]


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize(
    ("event", "ends"), [each[1:] for each in EVENTS], ids=[each[0] for each in EVENTS]
)
def test_an_event_ends_what_it_confirms_and_nothing_else(
    name: str, event: Event, ends: dict[str, frozenset[MessageId]]
) -> None:
    """What the person did is shown for exactly those messages of which the server has not spoken."""
    operation, pending = OPERATIONS[name], PendingOperations()
    pending.add(operation)
    changes = pending.resolve(event)
    left = list(pending)
    if isinstance(operation, PolicyChange):
        assert (left == []) == (name in ends and isinstance(event, UserTopicEvent))
        assert bool(changes.conversations) == (left == [])
        return
    expected = ends.get(name, BOTH)
    assert [each.message_ids for each in left if not isinstance(each, PolicyChange)] == (
        [expected] if expected else []
    )
    assert changes.messages == (GONE if expected == BOTH else BOTH), "drawn anew if it changed"


def test_operations_end_one_by_one() -> None:
    """Each has an ID of its own; one that failed or ended is not undone twice."""
    pending = PendingOperations()
    first, second = (pending.add(OPERATIONS[name]) for name in ("star", "move"))
    pending.acknowledge(first)
    assert pending.acknowledged() == {first}
    assert pending.rollback(first) == OPERATIONS["star"]
    assert (pending.rollback(first), pending.acknowledged()) == (None, frozenset())
    pending.acknowledge(first)
    assert pending.acknowledged() == frozenset(), "it had ended"
    assert list(pending) == [OPERATIONS["move"]]
    assert second != first


def test_the_last_policy_of_a_topic_holds() -> None:
    """Muted and then followed is followed; another topic has none."""
    pending = PendingOperations()
    for policy in (VisibilityPolicy.MUTED, VisibilityPolicy.FOLLOWED):
        pending.add(PolicyChange(topic=TEA, policy=policy))
    assert pending.policy(TEA) == VisibilityPolicy.FOLLOWED
    assert pending.policy(TopicNarrow(ChannelId(9), "milk")) is None


def test_what_is_about_to_be_read_or_deleted_is_not_unread() -> None:
    """Counts fall at once, and only by these."""
    pending = PendingOperations()
    pending.add(FlagChange(message_ids=frozenset({ONE}), flag="read", on=True))
    pending.add(FlagChange(message_ids=frozenset({THREE}), flag="read", on=False))
    pending.add(FlagChange(message_ids=frozenset({THREE}), flag="starred", on=True))
    pending.add(Deletion(message_ids=frozenset({TWO})))
    assert pending.read((ONE, TWO, THREE)) == {THREE}
