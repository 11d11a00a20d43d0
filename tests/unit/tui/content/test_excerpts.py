"""Hits of a search in long messages: what is shown has them, and is short."""

from hypothesis import given
from hypothesis import strategies as st

from tui.content.excerpts import AFTER, BEFORE, excerpt
from tui.content.extracts import plain_text, walk
from tui.content.nodes import Highlight
from tui.content.parse import parse

HIT = '<span class="highlight">kettle</span>'
WORDS = "far away words " * 100


def _shown(html: str) -> str:
    return plain_text(excerpt(parse(html)))


def test_a_short_message_is_shown_as_it_is() -> None:
    """Nothing is gained by cutting it."""
    nodes = parse(f"<p>the {HIT} is on</p><p>and milk</p>")
    assert excerpt(nodes) is nodes


def test_a_long_paragraph_is_cut_between_words_around_its_hit() -> None:
    """The hit is seen without scrolling, with the words about it."""
    shown = _shown(f"<p>{WORDS}the {HIT} is on{WORDS}</p>")
    assert "words the kettle is on" in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) <= BEFORE + AFTER + 20


def test_of_many_blocks_those_with_hits_are_shown() -> None:
    """A log of hundred lines shows the lines about the hit; a list its items."""
    log = "\n".join(f"line {number}" for number in range(50))
    code = f'<div class="codehilite"><pre><code>{log}\n{HIT} boiled\n{log}\n</code></pre></div>'
    assert _shown(f"<p>intro</p>{code}<p>outro</p>").split("\n") == [
        *("…", "…", "line 48", "line 49", "kettle boiled", "line 0", "line 1", "…", "…")
    ]
    items = "".join(f"<li>{number}{f' {HIT}' if number == 30 else ''}</li>" for number in range(60))
    assert _shown(f"<ol>{items}</ol>").split("\n") == [
        *("29. 28", "30. 29", "31. 30 kettle", "32. 31", "33. 32")
    ]


@given(st.lists(st.sampled_from([WORDS, HIT, "<b>x</b>", f"<a href='x'>{HIT}</a>"]), max_size=8))
def test_an_excerpt_always_has_a_hit_and_is_never_longer(parts: list[str]) -> None:
    """Whatever stands around a hit, and wherever it is."""
    nodes = parse("".join(f"<p>{part} {WORDS}</p>" for part in parts))
    shown = excerpt(nodes)
    has_hit = any(isinstance(node, Highlight) for node in walk(nodes))
    assert has_hit == any(isinstance(node, Highlight) for node in walk(shown))
    assert len(plain_text(shown)) <= len(plain_text(nodes))
