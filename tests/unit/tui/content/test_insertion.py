"""A link that comes later goes where it was asked for, between words, whatever was typed meanwhile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.content.insertion import Spot, spaced


def put(before: str, now: str) -> str:
    """`|` in the text before is the place; a file is attached there and comes when it says `now`."""
    spot = Spot(before.replace("|", ""), before.index("|"))
    at = spot.within(now)
    return now[:at] + spaced("[f](/user_uploads/1)", now, at) + now[at:]


@pytest.mark.parametrize(
    ("before", "now", "after"),
    [
        ("|", "", "F "),
        ("see |", "see ", "see F "),
        ("see|", "see", "see F "),
        ("see |", "see the plan", "see F the plan"),
        ("see| it", "see it now", "see F it now"),
        ("hel|", "hello wor", "hello F wor"),
        ("see |", "look: see ", "look: see F "),
        ("one\n|", "one\ntwo", "one\nF two"),
        ("a | b", "x", "F x"),
        ("(|)", "()", "(F)"),
        ("see|, then", "see, then", "see F, then"),
        ("see |", "see [a](/user_uploads/0) more", "see [a](/user_uploads/0) F more"),
    ],
)
def test_a_link_goes_where_it_was_asked_for(before: str, now: str, after: str) -> None:
    """Before what was typed since, and never into a word."""
    assert put(before, now) == after.replace("F", "[f](/user_uploads/1)")


_WORDS = st.text(st.sampled_from("ab \n"), max_size=12)


@given(_WORDS, _WORDS, st.integers(0, 12))
def test_no_word_is_lost_or_cut(before: str, now: str, offset: int) -> None:
    """Without the link all words are there as they were typed."""
    offset = min(offset, len(before))
    said = put(f"{before[:offset]}|{before[offset:]}", now)
    words = said.split()
    words.remove("[f](/user_uploads/1)")
    assert words == now.split()
