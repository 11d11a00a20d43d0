"""The server's emoji: one text has what an object for each of them had."""

import string
import sys

from hypothesis import given
from hypothesis import strategies as st

from tests import eg
from tui.store import Store
from tui.view.emoji import FAMILIAR, NONE, ZULIP, Emoji, UnicodeEmoji, choice
from tui.view.reactions import emoji_text

STORE = Store.from_snapshot(eg.snapshot())
NAMES = st.text(st.sampled_from("abe1_+- é🎉"), max_size=5)
CODES = st.sampled_from(["1f389", "1f1e6-1f1e8", "ab", "", "e9", "g"]) | NAMES


@given(
    code_to_names=st.dictionaries(CODES, st.lists(NAMES, max_size=4), max_size=6),
    letters=NAMES | st.sampled_from(["heart", "zul", "f38", "\t", "\n", "a\t1"]),
)
def test_letters_find_the_names_that_have_them(
    code_to_names: dict[str, list[str]], letters: str
) -> None:
    """Codes are no names, and of two emoji with one name the familiar one counts, then the first."""
    by_name = {each.name: each for each in FAMILIAR}
    for code, names in code_to_names.items():
        for name in names:
            text = emoji_text("unicode_emoji", code, name)
            by_name.setdefault(name, Emoji(name=name, code=code, type="unicode_emoji", text=text))
    by_name.setdefault(ZULIP.name, ZULIP)
    listed = UnicodeEmoji(code_to_names)
    assert choice(STORE, listed, letters) == [
        each for each in by_name.values() if letters in each.name
    ]


def test_what_is_no_emoji_is_ignored() -> None:
    """A server may send anything."""
    listed = UnicodeEmoji(
        {"1f375": "tea", "1f376": ["a\tb", "c\nd"], "1f377\n": ["wine"], "1f378": [["x"], 7, "gin"]}
    )
    assert [each.name for each in listed.having("")] == ["['x']", "7", "gin"]


def test_the_whole_list_takes_little_memory() -> None:
    """Three thousand objects with three texts each took a megabyte."""
    code_to_names = {
        f"{0x1F000 + at:x}": [f"{first}{second}_name_of_an_emoji" for second in "abc"]
        for at, first in enumerate(f"{a}{b}" for a in string.ascii_lowercase for b in "0123456789")
    }
    listed = UnicodeEmoji(code_to_names)
    (text,) = (getattr(listed, name) for name in UnicodeEmoji.__slots__)
    assert sys.getsizeof(text) < 40 * 3 * len(code_to_names)
    assert len(choice(STORE, listed)) == len(choice(STORE, NONE)) + 3 * len(code_to_names)
