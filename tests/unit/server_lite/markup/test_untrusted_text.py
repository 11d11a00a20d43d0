"""Text of strangers in messages: it shows what they wrote, and does nothing."""

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from server_lite.markup.render import render
from server_lite.markup.text import text_of
from server_lite.markup.untrusted_text import code, link, plain, quoted, web_url
from tests.unit.server_lite.markup.organization import Organization

# Without ":": emoji stay emoji.
SIGNS = st.text(alphabet="*_`[]()<>~$|#@!/-+=1. &;xab\n\\\u200b", max_size=40)


@given(SIGNS)
def test_a_line_shows_what_was_written(text: str) -> None:
    """Whatever the signs are, the reader sees them, in a paragraph, a list and a link."""
    wanted = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    for source, shown in (
        (plain(text), wanted),
        (f"* {plain(text)}", wanted or "*"),
        (link(text, "https://x.example/"), wanted or "https://x.example/"),
    ):
        rendered = render(source, Organization(patterns=()))
        assert re.sub(r"\s", "", text_of(rendered.html)) == re.sub(r"\s", "", html.unescape(shown))
        assert not rendered.user_ids


@given(SIGNS)
def test_a_quote_ends_where_it_should(text: str) -> None:
    """No fence in the text ends the quote: what follows is outside of it."""
    rendered = render(f"{quoted(text)}\n\nafter", Organization())
    assert rendered.html.endswith("<p>after</p>")
    assert (rendered.user_ids, rendered.group_ids) == (frozenset(), frozenset())
    assert not rendered.mentions_channel


def test_only_addresses_of_the_web_are_links() -> None:
    """A script, a file, or an address with signs that end the link is text, or is escaped."""
    assert link("a", "javascript:alert(1)") == "a"
    assert link("a", "file:///etc/passwd") == "a"
    assert link("a", "https://") == "a"
    assert link("a", "//x.example") == "a"
    assert web_url("https://x.example/a (b)<c>") == "https://x.example/a%20%28b%29%3Cc%3E"
    assert web_url("https://x.example/" + "a" * 3000) == ""
    assert code("a`b\nc") == "`a'b c`"
