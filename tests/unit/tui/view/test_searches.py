"""Searches while they are typed: what is proposed reads back as what was meant."""

from dataclasses import replace

import pytest

from tests import eg
from tui.api.model import UserId
from tui.keys import Keyboard
from tui.narrow import Term, parse, resolve
from tui.store import Store
from tui.view.searches import OPERATORS, proposals, trouble

KEY = Keyboard().key
TWIN = eg.user(7, "Moe Member")
CHANNELS = (
    eg.subscription(9, "general"),
    eg.subscription(8, "new plans"),
    eg.subscription(5, "12"),
)


def _store() -> Store:
    people = (eg.ME, eg.MARY, eg.MOE, TWIN, replace(eg.BOT, full_name='Odd "one"'))
    return Store.from_snapshot(eg.snapshot(users=people, channels=CHANNELS))


def _labels(text: str) -> list[str]:
    return [each.label for each in proposals(_store(), text)]


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("se", ["sender:"]),
        ("tea -h", ["-has:"]),
        ("is:st", ["starred"]),
        ("has:", ["attachment", "image", "link", "reaction"]),
        ("channel:pla", ["new plans"]),
        ('channel:"new p', ["new plans"]),
        ("sender:mar", ["Mary Member"]),
        ("tea sender:mary m", ["Mary Member"]),
        ("channel:new ", ["new plans"]),
        ("sender:mary tea", []),
        ("sender:mary se", ["sender:"]),
        ("near:", []),
        ("http://x", []),
    ],
)
def test_operators_and_what_they_take_are_proposed(text: str, labels: list[str]) -> None:
    """The end of what is typed decides; names are found by any of their letters."""
    assert _labels(text) == labels


@pytest.mark.parametrize(
    "text",
    ["sender:", "-sender:mem", "-sender:moe m", "channel:", "dm:", "is:", "has:", 'channel:"'],
)
def test_a_proposal_reads_back_as_one_term_that_means_something(text: str) -> None:
    """Names with spaces, of digits or with quotation marks are written so that they are found."""
    store = _store()
    for each in proposals(store, text):
        (term,) = resolve(parse(text[: len(text) - each.replaces] + each.text), store)
        assert term.negated == text.startswith("-")
        if term.operator in ("sender", "dm", "channel"):
            assert not isinstance(term.operand, str)


def test_people_of_the_same_name_are_told_apart_by_their_number() -> None:
    """A name that two people have would find nobody."""
    texts = [each.text for each in proposals(_store(), "sender:moe")]
    assert texts == ["sender:3 ", "sender:7 "]
    (term,) = resolve(parse(texts[1]), _store())
    assert term == Term("sender", UserId(7))


def test_what_makes_no_sense_is_said_before_it_is_searched_for() -> None:
    """Unknown names and operands are told in a sentence."""
    store = _store()
    assert "“nowhere”" in trouble(store, "channel:nowhere tea", KEY)
    assert "“is:blue”" in trouble(store, "is:blue", KEY)
    assert trouble(store, 'sender:me "a phrase" -has:link', KEY) == ""


@pytest.mark.parametrize(
    "operator", ["sender", "from", "dm", "to", "dm-including", "group-pm-with", "mentions"]
)
def test_a_first_name_is_enough_and_several_are_named(operator: str) -> None:
    """Everywhere a person is meant; who is meant by nothing or by too much reads why."""
    store = _store()
    assert trouble(store, f"{operator}:mary", KEY) == ""
    (term,) = resolve(parse(f"{operator}:mary"), store)
    assert term.operand in (eg.MARY.user_id, (eg.MARY.user_id,))
    assert trouble(store, f"{operator}:moe", KEY).startswith("2 people match “moe”: Moe Member (")
    assert trouble(store, f"{operator}:zoe", KEY) == "No person matches “zoe”."


def test_the_beginning_of_a_channels_name_is_enough() -> None:
    """As for people."""
    (term,) = resolve(parse("channel:gen"), _store())
    assert term.operand == 9


@pytest.mark.parametrize("operator", ["before", "-after", "date"])
def test_a_search_by_days_is_told_how_to_go_to_one(operator: str) -> None:
    """Other programs have such operators; servers do not."""
    told = trouble(_store(), f"tea {operator}:2026-11-01", Keyboard(keymap={"app.day": "f12"}).key)
    assert told.startswith(f"“{operator.lstrip('-')}:” is not a search operator")
    assert told.endswith("Press F12 in a conversation or a search to go to a day.")


def test_all_operators_are_proposed_with_descriptions_that_fit() -> None:
    """Beside the longest operator, in the prompt of a terminal of 80 columns."""
    proposed = proposals(_store(), "")
    assert [each.label for each in proposed] == [f"{name}:" for name in OPERATORS]
    assert max(len(each.detail) for each in proposed) <= 55
