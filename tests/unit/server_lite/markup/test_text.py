"""The words of rendered messages, and marking hits in them."""

import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.markup.render import render
from server_lite.markup.text import highlight, highlight_plain, text_of
from tests.unit.server_lite.markup.organization import Organization

ORGANIZATION = Organization()


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("**a** & <b>\nc\n\n- d", "a & <b>\nc\n\nd"),
        ("&copy; `x < y`", "© x < y"),
        ("$$x^2$$ :party_blob: :smile:", "x^2 :party_blob: :smile:"),
        ("@**Ada Lovelace** #**general>lunch**", "@Ada Lovelace #general > lunch"),
        ("```py\nif a < b: pass\n```", "if a < b: pass"),
        ("```spoiler Who\nme\n```", "Who\n\nme"),
    ],
)
def test_visible_words(source: str, words: str) -> None:
    """Search sees what a reader sees, no tags and no source."""
    assert text_of(render(source, ORGANIZATION).html) == words


@pytest.mark.parametrize(
    ("source", "word", "expected"),
    [
        ("a Hello b", "hello", '<p>a <span class="highlight">Hello</span> b</p>'),
        (
            "**hel**lo",
            "hello",
            '<p><strong><span class="highlight">hel</span></strong><span class="highlight">lo</span></p>',
        ),
        (
            "strong **x**",
            "strong",
            '<p><span class="highlight">strong</span> <strong>x</strong></p>',
        ),
        ("a&amp;b", "amp", "<p>a&amp;b</p>"),
        (
            "```spoiler\nhi\n```",
            "hi",
            '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p><span class="highlight">hi</span></p>\n</div></div>',
        ),
    ],
)
def test_hits_are_marked(source: str, word: str, expected: str) -> None:
    """The word that was searched for is marked, also across tags, and never inside of one."""
    html = render(source, ORGANIZATION).html
    hits = [match.span() for match in re.finditer(word, text_of(html), re.IGNORECASE)]
    assert highlight(html, hits) == expected


def test_a_hit_that_is_an_entity_is_marked_whole() -> None:
    """An escaped sign in the middle of a hit does not tear it apart."""
    assert highlight("<p>a&lt;b</p>", [(0, 3)]) == '<p><span class="highlight">a&lt;b</span></p>'
    assert highlight("<p>a&lt;b</p>", [(1, 2)]) == '<p>a<span class="highlight">&lt;</span>b</p>'


def test_hits_in_a_topic() -> None:
    """A topic is text: its signs are escaped whether they are in a hit or not."""
    marked = highlight_plain("<a> & lunch", [(6, 11)])
    assert marked == '&lt;a&gt; &amp; <span class="highlight">lunch</span>'


@given(
    st.text(alphabet="ab*`&<>[](): \n-|$~", max_size=60),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=4),
)
def test_marking_changes_no_word(source: str, hits: list[tuple[int, int]]) -> None:
    """Whatever is marked, the message reads the same, and exactly the hits are inside the marks."""
    html = render(source, ORGANIZATION).html
    marked = highlight(html, hits)
    assert text_of(marked) == text_of(html)
    wanted = {place for start, end in hits for place in range(start, end)}
    words = text_of(html)
    inside = "".join(re.findall(r'<span class="highlight">(.*?)</span>', marked, re.DOTALL))
    plain = [letter for place, letter in enumerate(words) if place in wanted]
    assert sorted(unescape(inside)) == sorted(plain)
