"""What acts on polls and to-do lists add up to, whoever's client sent them."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tui.api.model import MessageId, Submessage, SubmessageId, UserId
from tui.content.submessages import Offers, Poll, TodoList, message_widget, next_index

AUTHOR, BEN = UserId(1), UserId(2)
POLL = {"widget_type": "poll", "extra_data": {"question": "Tea?", "options": ["yes", "no"]}}
TODO = {
    "widget_type": "todo",
    "extra_data": {"task_list_title": "", "tasks": [{"task": "boil", "desc": "water"}]},
}


def _parts(first: object, *acts: tuple[int, Any]) -> list[Submessage]:
    told = [(AUTHOR, first), *acts]
    return [
        Submessage(
            id=SubmessageId(at),
            message_id=MessageId(7),
            sender_id=UserId(by),
            msg_type="widget",
            content=act if isinstance(act, str) else json.dumps(act),
        )
        for at, (by, act) in enumerate(told)
    ]


def _poll(*acts: tuple[int, Any]) -> Poll:
    poll = message_widget(_parts(POLL, *acts), AUTHOR)
    assert isinstance(poll, Poll)
    return poll


def _todo(*acts: tuple[int, Any]) -> TodoList:
    todo = message_widget(_parts(TODO, *acts), AUTHOR)
    assert isinstance(todo, TodoList)
    return todo


def _vote(key: str, vote: object = 1) -> dict[str, object]:
    return {"type": "vote", "key": key, "vote": vote}


def test_a_vote_counts_once_and_can_be_taken_back() -> None:
    """Voting twice is one vote; others' votes stay."""
    poll = _poll((1, _vote("canned,0")), (2, _vote("canned,0")), (2, _vote("canned,0")))
    assert [option.voters for option in poll.options] == [(AUTHOR, BEN), ()]
    poll = _poll((1, _vote("canned,0")), (2, _vote("canned,0")), (1, _vote("canned,0", -1)))
    assert poll.options[0].voters == (BEN,)


def test_anybody_adds_an_option_and_only_the_author_asks_another_question() -> None:
    """An added option can be voted for by its key; the same words twice are one option."""
    poll = _poll(
        (2, {"type": "new_option", "idx": 1, "option": "later"}),
        (1, {"type": "new_option", "idx": 1, "option": "later"}),
        (1, _vote("2,1")),
        (2, {"type": "question", "question": "Coffee?"}),
        (1, {"type": "question", "question": "Cocoa?"}),
    )
    assert [(option.text, option.voters) for option in poll.options] == [
        ("yes", ()),
        ("no", ()),
        ("later", (AUTHOR,)),
    ]
    assert poll.question == "Cocoa?"
    assert next_index(poll, BEN) == 2


def test_tasks_are_ticked_unticked_and_added() -> None:
    """A task that was ticked twice is to be done again."""
    todo = _todo(
        (2, {"type": "new_task", "key": 3, "task": "pour", "desc": "", "completed": False}),
        (1, {"type": "strike", "key": "3,2"}),
        (1, {"type": "strike", "key": "0,canned"}),
        (2, {"type": "strike", "key": "0,canned"}),
    )
    assert [(task.text, task.detail, task.is_done) for task in todo.tasks] == [
        ("boil", "water", False),
        ("pour", "", True),
    ]
    assert todo.title == "Task list"
    assert next_index(todo, BEN) == 4
    assert next_index(todo, AUTHOR) == 1


def test_the_order_is_that_of_the_ids_not_of_arrival() -> None:
    """Events that overtake each other lead to the same votes."""
    parts = _parts(POLL, (2, _vote("canned,1")), (2, _vote("canned,1", -1)))
    poll = message_widget(reversed(parts), AUTHOR)
    assert isinstance(poll, Poll)
    assert poll.options[1].voters == ()


@given(
    st.lists(
        st.one_of(
            st.text(max_size=5),
            st.sampled_from(["[]", "1", "[" * 9999, '{"type":"vote"}']),
            st.fixed_dictionaries(
                {"type": st.sampled_from(["vote", "new_option", "question", "strike", "new_task"])},
                optional={
                    name: st.one_of(st.none(), st.booleans(), st.just(2000), st.just([]))
                    for name in ("key", "vote", "idx", "option", "question", "task", "desc")
                },
            ),
        ),
        max_size=4,
    )
)
@settings(max_examples=40)
def test_what_makes_no_sense_is_left_out(acts: list[Any]) -> None:
    """Malformed acts of other clients change nothing and break nothing."""
    acted = [(2, act) for act in acts]
    assert _poll(*acted) == _poll()
    assert _todo(*acted) == _todo()


def test_a_vote_is_one_or_minus_one() -> None:
    """`true` and other numbers are no votes."""
    for vote in (True, 0, 2, "1"):
        assert _poll((2, _vote("canned,0", vote))) == _poll()


def test_what_is_no_poll_stays_a_message() -> None:
    """A widget of another kind, or without sense, is shown as the text that it came with."""
    kinds: list[Any] = [{"widget_type": "zform"}, "{", [], {"widget_type": ["poll"]}]
    for first in kinds:
        assert message_widget(_parts(first), AUTHOR) is None
    assert message_widget([], AUTHOR) is None


def test_hostile_text_is_made_inert() -> None:
    """Control characters in a question do not reach the terminal."""
    first = {"widget_type": "poll", "extra_data": {"question": "a\x1b[2Jb", "options": ["\x07"]}}
    poll = message_widget(_parts(first), AUTHOR)
    assert isinstance(poll, Poll)
    assert "\x1b" not in poll.question
    assert "\x07" not in poll.options[0].text


def test_a_bots_answers_are_offered_as_it_gave_them() -> None:
    """Each with its label and words, and what is said by who takes it; garbage is left out."""
    choice = {
        "type": "multiple_choice",
        "short_name": "A",
        "long_name": "tea\x1b[2J",
        "reply": "A!",
    }
    extra = {"type": "choices", "heading": "Drink?", "choices": [choice, {"reply": 3}, 7]}
    offers = message_widget(_parts({"widget_type": "zform", "extra_data": extra}), AUTHOR)
    assert isinstance(offers, Offers)
    assert offers.heading == "Drink?"
    assert [(each.label, each.reply) for each in offers.offers] == [("A", "A!")]
    assert "\x1b" not in offers.offers[0].text
