"""Typed letters are compared with names as Textual does it, however often a name has the same letter."""

from hypothesis import given
from hypothesis import strategies as st
from textual.fuzzy import FuzzySearch

from tui.view import fuzzy
from tui.view.fuzzy_index import FuzzyIndex

FEW = st.sampled_from(["ab ", "abc -_", "aB é›#İ"])


@given(FEW.flatmap(lambda of: st.tuples(st.text(of, min_size=1, max_size=5), st.text(of))))
def test_score_and_letters_are_textuals(case: tuple[str, str]) -> None:
    """Few different letters, so that there are many ways to find them."""
    wanted, text = case[0], case[1][:14]
    score, spots = FuzzySearch().match(wanted, text)
    assert fuzzy.score(wanted, text) == score
    assert fuzzy.spots(wanted, text) == list(spots)


def test_a_name_of_equal_letters_takes_no_time() -> None:
    """There are fourteen million ways to find these; trying them all would take minutes."""
    name = "a " * 30 + "b"
    assert fuzzy.score("aaaaaaaab", name) > 0
    assert fuzzy.spots("aaaaaaaab", name)[-2:] == [14, 60]


@given(
    st.sampled_from(["ab ", "abc _", "aß山?é ✔"]).flatmap(
        lambda of: st.tuples(st.text(of, min_size=1, max_size=5), st.lists(st.text(of, max_size=9)))
    )
)
def test_an_index_has_the_scores_of_all_names(case: tuple[str, list[str]]) -> None:
    """Letters of which a byte is enough, and others; a name once, the highest scores first."""
    typed, names = case
    index = FuzzyIndex(names)
    found = [(score, at) for score, each in index.scored(typed) for at in index.indexes(each)]
    assert sorted(found) == sorted(
        (score, at) for at, name in enumerate(names) if (score := fuzzy.lowered_score(typed, name))
    )
    assert [score for score, _ in found] == sorted((score for score, _ in found), reverse=True)
