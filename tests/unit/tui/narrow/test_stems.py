"""A search of the archive finds what the server's search finds: both make the same stems."""

from itertools import product

import pytest

from server_lite.store.stems import stem_of as stem_of_sqlite
from tui.narrow.stems import stem_of

_BEGINNINGS = ("", "a", "hop", "fall", "tr", "yel", "bo", "ste", "relat", "ö", "字")
_MIDDLES = (
    "", "al", "ational", "tional", "enci", "anci", "izer", "logi", "bli", "alli", "entli", "eli", "ousli", "ization",
    "ation", "ator", "alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "ical", "ness", "icate",
    "iciti", "ful", "ative", "alize", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent",
    "sion", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize", "ll", "at", "bl", "iz",
)  # fmt: skip
_ENDINGS = ("", "s", "es", "sses", "ies", "ed", "eed", "ing", "y", "e", "ß")


@pytest.mark.parametrize("beginning", _BEGINNINGS)
def test_words_with_all_endings_have_the_stems_of_sqlite(beginning: str) -> None:
    words = [beginning + "".join(rest) for rest in product(_MIDDLES, _ENDINGS)]
    words = [word for word in words if word]
    assert [stem_of(word) for word in words] == [stem_of_sqlite(word) for word in words]


@pytest.mark.parametrize("length", [1, 2, 3, 61, 62, 63, 64, 65])
def test_short_and_long_words_are_their_own_stems(length: int) -> None:
    for word in ("x" * (length - 1) + "s", "é" * (length // 2) + "s"):
        assert stem_of(word) == stem_of_sqlite(word)
