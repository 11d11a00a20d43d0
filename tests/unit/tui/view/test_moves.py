"""The sentence before a move says what will happen, and a refusal says what could be done."""

from dataclasses import replace

import pytest

from tests import eg
from tui.api.model import ChannelId, Message, MessageId, Topic
from tui.narrow import TopicNarrow
from tui.store import Store
from tui.store.windows import NEWEST, OLDEST
from tui.view.moves import Move, Reach, left_movable, sentences, too_old, topic_is_resolved

DESIGN = eg.subscription(9, "design")
BOARD = eg.subscription(10, "board", invite_only=True)
HERE = Move(reach="change_one", channel_id=ChannelId(9), topic="tea")


@pytest.fixture
def store() -> Store:
    """Three messages in a topic, all of it known, and an open and a private channel."""
    store = Store.from_snapshot(eg.snapshot(channels=[DESIGN, BOARD]))
    for number in (50, 51, 52):
        message = eg.message(number, channel=DESIGN, topic="tea")
        store.apply(eg.message_event(message, number))
    ids = [MessageId(50), MessageId(51), MessageId(52)]
    store.messages.window(TopicNarrow(ChannelId(9), "tea")).cover(OLDEST, NEWEST, ids)
    store.topics.load(ChannelId(9), [Topic(name="Cups", max_id=MessageId(40))])
    return store


def _message(store: Store, message_id: int) -> Message:
    message = store.message(MessageId(message_id))
    assert message is not None
    return message


@pytest.mark.parametrize(
    ("message_id", "reach", "said"),
    [
        (51, "change_one", "This message moves to #design › milk. This is a new topic."),
        (51, "change_later", "This message and 1 later one move to #design › milk. This is a new topic."),
        (52, "change_later", "This message (the last one) moves to #design › milk. This is a new topic."),
        (51, "change_all", "All 3 messages of this topic move to #design › milk. This is a new topic."),
    ],
)  # fmt: skip
def test_it_says_how_much_goes_where(
    store: Store, message_id: int, reach: Reach, said: str
) -> None:
    """Nobody moves a topic who meant to move a message."""
    move = replace(HERE, reach=reach, topic="milk")
    assert sentences(store, _message(store, message_id), move) == said


def test_it_says_that_the_topic_is_there_already(store: Store) -> None:
    """Messages put among others are hard to get out again; the topic is named as it is written there."""
    move = replace(HERE, topic="cups")
    said = sentences(store, _message(store, 51), move)
    assert said.endswith("#design › Cups. The topic exists: messages are merged by date.")
    said = sentences(store, _message(store, 51), replace(move, reach="change_all"))
    assert said.endswith("The topic exists: messages are merged by date, which cannot be undone.")


def test_it_says_who_will_read_it(store: Store) -> None:
    """A move into or out of a private channel changes who sees the words."""
    message = _message(store, 51)
    into = sentences(store, message, replace(HERE, channel_id=ChannelId(10)))
    assert into.endswith("Only members of ◆board will be able to read it.")
    inside = eg.message(60, channel=BOARD, topic="tea")
    out = sentences(store, inside, HERE)
    assert out.endswith("Everyone who can read #design will be able to read it.")


def test_what_changes_nothing_is_no_move(store: Store) -> None:
    """There is nothing to confirm before something was changed."""
    assert sentences(store, _message(store, 51), HERE) == ""


def test_what_is_not_loaded_is_not_counted(store: Store) -> None:
    """A number that is only what happens to be loaded would mislead."""
    message = eg.message(70, channel=DESIGN, topic="old")
    move = replace(HERE, reach="change_later", topic="new")
    assert sentences(store, message, move).startswith("This message and all later ones move to")
    move = replace(HERE, reach="change_all", topic="new")
    assert sentences(store, message, move).startswith("All messages of this topic move to")


def test_a_refusal_for_age_says_what_is_left() -> None:
    """The person learns how many may still go, or that all are too old."""
    data = {
        "first_message_id_allowed_to_move": 7,
        "total_messages_allowed_to_move": 5,
        "total_messages_in_topic": 12,
    }
    left = left_movable(data)
    assert left.first == 7
    assert "newest 5 of the topic's 12" in too_old(left)
    assert "too old" in too_old(left_movable({}))


def test_the_mark_of_a_resolved_topic() -> None:
    """The tick at the beginning counts, one elsewhere does not."""
    assert topic_is_resolved("✔ tea")
    assert not topic_is_resolved("tea ✔ ")
