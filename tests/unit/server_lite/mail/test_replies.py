"""What a person wrote in an email is left when the quoted email and the signature are gone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.mail.replies import written


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Yes.\n\n-- \nAnn\nDirector", "Yes."),
        ("Yes.\n\nOn Mon, 1 Jan 2026 at 10:00, Bob <b@x.org> wrote:\n> No?\n>> Why?\n", "Yes."),
        ("Ja.\n\nAm 01.01.26 um 10:00 schrieb Bob:\n> Nein?", "Ja."),
        ("Yes.\n\nOn Mon, 1 Jan 2026 at 10:00, Bob Bobson\n<b@x.org>\nwrote:\n\n> No?\n", "Yes."),
        ("Yes.\n-----Original Message-----\nFrom: Bob\nNo?", "Yes."),
        ("Yes.\n\n________________\nFrom: Bob\nSent: Monday\nTo: Ann\nSubject: Tea\n\nNo?", "Yes."),
        ("> No?\n\nYes, inline.\n\n> Why?\n\nBecause.", "> No?\n\nYes, inline.\n\n> Why?\n\nBecause."),
        ("> only quoted", "> only quoted"),
        ("From: here to there\nis far", "From: here to there\nis far"),
        ("a -- b\n--x", "a -- b\n--x"),
        ("", ""),
    ],
)  # fmt: skip
def test_a_reply_is_what_was_added(text: str, left: str) -> None:
    """Text between quotes stays with them; where all is quoted, it is what was meant."""
    assert written(text) == left


@given(st.text(alphabet="-> \nOn wrote:Fromx", max_size=200))
def test_nothing_is_made_up(text: str) -> None:
    """Whatever the text is, what is left is part of it, and is there if it was."""
    assert written(text) in text
    assert bool(written(text)) == bool(text.strip())
