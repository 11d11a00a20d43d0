"""JSON within strings of the wire: whatever a member wrote there, reading it ends nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tui.content.untrusted_json import parsed, whole
from tui.view.profile_fields import choices, ids


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        "[1e999]",
        "[Infinity]",
        "NaN",
        "9" * 5000,
        b"\xff",
        "",
        "{",
        "[" + "[]," * 100_000 + "[]]",
    ],
    ids=[
        "lists",
        "objects",
        "exponent",
        "infinity",
        "nan",
        "digits",
        "bytes",
        "nothing",
        "half",
        "many",
    ],
)
def test_what_is_no_value_is_none(text: str | bytes) -> None:
    """Each of these ended a reader with another exception."""
    assert parsed(text) is None


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), (12, 12), ("9" * 5000, None), (2**64, None), ("²", None), ("١", None), (True, None), (1.5, None), ([], None)],
)  # fmt: skip
def test_numbers_are_those_of_ascii_and_64_bits(text: object, number: int | None) -> None:
    """int() takes other digits, and raises for 5,000 of them."""
    assert whole(text) == number


@given(
    st.text() | st.sampled_from(['{"0":{"order":"' + "9" * 5000 + '","text":5}}', "[[1]]", "[1e9]"])
)
def test_profile_fields_of_any_text_are_read(text: str) -> None:
    """A profile that somebody filled with anything is shown."""
    for key, label in choices(text):
        assert isinstance(key, str)
        assert isinstance(label, str)
    assert all(isinstance(each, int) for each in ids(text))


def test_a_file_may_begin_with_the_mark_of_its_encoding() -> None:
    """Some editors write it, such as before a list of emoji."""
    assert parsed(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}
    assert parsed("\ufeff{}".encode() * 2) is None
