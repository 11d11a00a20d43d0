"""What fits best is found without comparing everything closely."""

import sys
import tracemalloc
from functools import partial

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import get_character_cell_size

from tests.call_counter import calls
from tui.screens.dialogs.choices import MOST, SIGNS, Choice, Search, bare, size, spaced
from tui.view import fuzzy

LETTERS = st.sampled_from(["ab ", "abc -_", "aB é#İß"])


def _score(choice: Choice[int], wanted: str) -> float:
    """By looking at all of it."""
    score = fuzzy.score(wanted, spaced(choice.label))
    if not score and choice.about:
        score = fuzzy.score(wanted, spaced(f"{choice.label} {choice.about}")) / 2
    if not score:
        return 0.0
    folded = wanted.casefold().lstrip(SIGNS)
    name = spaced(choice.label.casefold()).lstrip(SIGNS)
    more = choice.weight * 0.05 + len(folded) / max(len(folded), len(name), 1)
    if folded in name:
        more += 1.0 + name.startswith(folded) + 8.0 * (name == folded)
    return score + more


@given(
    LETTERS.flatmap(
        lambda of: st.tuples(
            st.text(of, min_size=1, max_size=5),
            st.lists(
                st.tuples(st.text(of, max_size=9), st.text(of, max_size=5), st.floats(0, 9)),
                max_size=MOST + 20,
            ),
        )
    )
)
def test_the_best_are_those_that_comparing_all_would_find(
    case: tuple[str, list[tuple[str, str, float]]],
) -> None:
    """In the same order: of equal ones that with the higher weight first, then the earlier."""
    typed, texts = case
    choices = [
        Choice(value=at, label=label, detail=detail, weight=weight)
        for at, (label, detail, weight) in enumerate(texts)
    ]
    choices.sort(key=lambda each: -each.weight)
    wanted = spaced(bare(typed))
    scored = [(_score(choice, wanted), choice) for choice in choices]
    best = sorted((each for each in scored if each[0]), key=lambda each: -each[0])
    assert Search(choices).find(typed) == [choice for _, choice in best[:MOST]]


def test_a_blank_means_whatever_joins_a_name() -> None:
    """I type words; whether the channel has a hyphen, a dot or a blank I need not remember."""
    names = ["#web-incidents › release 3", "#web-releases", "#releases", "#web_rel.eng"]
    search = Search([Choice(value=name, label=name) for name in names])
    for typed in ("web rele", "web-rele", "web_rele"):
        assert search.find(typed)[0].label == names[1]
    assert search.find("web rel eng")[0].label == names[3]


def test_the_sign_of_channels_finds_private_ones() -> None:
    """Keyboards have no ◆."""
    search = Search([Choice(value=name, label=name) for name in ("#web", "◆design", "#design-2")])
    assert [each.label for each in search.find("#des")] == ["◆design", "#design-2"]


def test_a_channel_comes_before_its_topics_when_most_of_its_name_is_typed() -> None:
    """Even if something in it is unread; after few letters that is what I am likely to want."""
    choices = [
        Choice(value="topic", label="#web-releases › 1.4.2 and after", weight=6.0),
        Choice(value="channel", label="#web-releases", weight=3.0),
    ]
    search = Search(choices)
    for typed in ("web rele", "web eases", "webrels"):
        assert search.find(typed)[0].value == "channel", typed
    for typed in ("w", "we", "wr"):
        assert search.find(typed)[0].value == "topic", typed


def test_letters_are_looked_for_in_all_names_at_once() -> None:
    """Five thousand names with the letters, in a row or apart, of which a screenful is compared."""
    words = ["release", "team", "relocate house", "report", "rules"]
    choices = [
        Choice(value=at, label=f"#web › {words[at % 5]} {words[at // 5 % 5]} {at}")
        for at in range(5_000)
    ]
    search = Search(choices)
    assert calls(search.prepare) < 0.1 * len(choices)
    for typed in ("r", "re", "rel", "rlse", "rlsetm"):
        assert len(search.find(typed)) == MOST
        search.rest()
        search.prepare()
        assert calls(partial(search.find, typed)) < 0.8 * len(choices), typed


def test_an_index_is_kept_while_the_same_choices_are_offered() -> None:
    """A list that opens once more does nothing for each of thousands of names; a changed one is searched anew."""
    choices = [Choice(value=at, label=f"#eng › topic {at}") for at in range(2_000)]
    search = Search(choices)
    assert search.find("topic 7")
    assert not search.is_wider_than(60)
    again = search.of(list(choices))
    assert again is search
    assert calls(lambda: search.of(list(choices)).is_wider_than(60)) < 20
    assert search.of(choices[1:]) is not search
    renamed = Choice(value=0, label="#eng › another")
    assert search.of([renamed, *choices[1:]]).find("another") == [renamed]


def test_few_of_thousands_of_emoji_are_measured() -> None:
    """The libraries remember each text that is measured: half a megabyte, as long as the client runs."""
    labels = [f"{chr(0x2A000 + at)}  a wide character {at}" for at in range(3_000)]
    choices = [Choice(value=at, label=label) for at, label in enumerate(labels)]
    search = Search(choices)
    measured = get_character_cell_size.cache_info().misses
    assert not search.is_wider_than(57)
    assert get_character_cell_size.cache_info().misses == measured
    assert search.is_wider_than(20)


@given(st.lists(st.text("a 漢é🎉\u200d", max_size=9), max_size=3), st.integers(0, 20))
def test_a_dialog_is_as_wide_as_its_widest_name(labels: list[str], width: int) -> None:
    """Names in characters of two cells, too."""
    choices = [Choice(value=0, label=label) for label in labels]
    sizes = [size(each, 0, 0) for each in choices]
    assert Search(choices).is_wider_than(width) == any(each > width for each in sizes)


def test_names_that_begin_with_a_letter_keep_the_others_from_being_looked_at() -> None:
    """Five thousand names have an "e", and a hundred begin with it: only these are weighed."""
    names = ["#eng", *["#web"] * 49]
    choices = [Choice(value=at, label=f"{names[at % 50]} › tea {at}") for at in range(5_000)]
    search = Search(choices)
    assert all(each.label.startswith("#eng") for each in search.find("e"))
    search.rest()
    search.prepare()
    assert calls(lambda: search.find("e")) < 0.2 * len(choices)


def test_a_name_takes_little_memory_and_less_once_the_dialog_is_closed() -> None:
    """An organization has thousands of topics and people: each byte of a name is a dozen kilobytes.

    What the letters of a query left is dropped; what any letter needs is kept for the next time.
    """
    choices = [
        Choice(value=at, label=f"#eng › topic {at:04}", detail=f"{at % 5} unread")
        for at in range(2_000)
    ]
    assert all(sys.getsizeof(each) <= 88 and not hasattr(each, "__dict__") for each in choices)
    search = Search(choices)
    tracemalloc.start()
    try:
        found = [search.find(typed) for typed in ("t", "topic 7", "unr")]
        wide = search.is_wider_than(60)
        used, _ = tracemalloc.get_traced_memory()
        search.rest()
        left, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used <= 600 * len(choices)
    assert left <= 300 * len(choices)
    assert calls(search.prepare) < 5
    assert [search.find(typed) for typed in ("t", "topic 7", "unr")] == found
    assert search.is_wider_than(60) == wide
