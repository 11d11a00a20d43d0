"""What an edit changed, shown in one version: whose words are marked, and that formatting stays."""

from typing import Final

import pytest
from hypothesis import given

from server_lite.markup.difference import difference
from server_lite.markup.render import render
from server_lite.markup.text import text_of
from tests.unit.server_lite.markup.organization import Organization
from tests.unit.server_lite.markup.test_laws import TYPED, read

ORGANIZATION: Final = Organization()
CAME: Final = '<span class="highlight_text_inserted">'
WENT: Final = '<span class="highlight_text_deleted">'


@pytest.mark.parametrize(
    ("old", "new", "html"),
    [
        ("**a** b", "**a** c", f"<p><strong>a</strong> {CAME}c</span> {WENT}b</span></p>"),
        ("a b c", "a c", f"<p>a {WENT}b</span> c</p>"),
        ("a c", "a **b x** c", f"<p>a <strong>{CAME}b x</span></strong> c</p>"),
        ("a", "> a", "<blockquote>\n<p>a</p>\n</blockquote>"),
        ("- x", "- x\n- y", f"<ul>\n<li>x</li>\n<li>{CAME}y</span></li>\n</ul>"),
        ("a\n\nb", "a", f"<p>a {WENT}b</span></p>"),
        ("a", "", f" {WENT}a</span>"),
        (
            "[t](http://a.io)",
            "[t](http://b.io)",
            f'<p><a href="http://b.io">{CAME}t</span> {WENT}t</span></a></p>',
        ),
    ],
)
def test_words_are_marked_and_formatting_stays(old: str, new: str, html: str) -> None:
    """Who looks at the history sees the message as it is, with the words that came and went."""
    versions = (render(old, ORGANIZATION).html, render(new, ORGANIZATION).html)
    assert difference(*versions) == f"<div>{html}</div>"


def test_a_formula_is_one_word() -> None:
    """A changed formula is marked as a whole, never inside its MathML."""
    old, new = (render(f"x $${tex}$$", ORGANIZATION).html for tex in "ab")
    assert f'{CAME}<span class="katex">' in difference(old, new)
    assert f'{WENT}<span class="katex">' in difference(old, new)


@given(TYPED, TYPED)
def test_the_difference_is_html_that_holds_the_new_words(old: str, new: str) -> None:
    """Whatever two versions hold, the difference is well formed and loses no word of the new one."""
    before, after = render(old, ORGANIZATION).html, render(new, ORGANIZATION).html
    shown = difference(before, after)
    read(shown)
    letters = iter("".join(text_of(shown).split()))
    assert all(letter in letters for letter in "".join(text_of(after).split()))
