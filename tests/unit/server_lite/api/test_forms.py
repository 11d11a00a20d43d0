"""What a form holds, and what it costs to read one of a megabyte."""

from typing import Any
from urllib.parse import unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.api import request
from server_lite.api.request import LONG_FIELD, STRAY_SIGNS, Request
from server_lite.errors import ApiError
from tests.call_counter import calls

FILL = "x" * LONG_FIELD


async def _nothing() -> Any:
    raise AssertionError


def read(body: str) -> dict[str, str]:
    scope = {"method": "POST", "path": "/", "headers": [], "query_string": b""}
    return Request(scope, _nothing).form_of(body.encode())


@given(st.text(alphabet="%4aZ\\xnuN{}é+ \0\n'\"/", max_size=60))
def test_a_long_field_is_decoded_like_a_short_one(text: str) -> None:
    """Stray percent signs and backslashes included, which stand for themselves."""
    sent = text.replace("+", "%2B").replace(" ", "+").encode("ascii", "ignore").decode()
    sent = sent.replace("Z", "%C3%A9")
    try:
        expected = unquote_to_bytes(sent.replace("+", " ")).decode()
    except ValueError:
        with pytest.raises(ApiError):
            read(f"a={FILL}{sent}")
        return
    assert read(f"a={FILL}{sent}") == {"a": FILL + expected}
    assert read(f"a={sent}") == {"a": expected}


@pytest.mark.parametrize("unit", ["%C3%A9", "a%41", "%zz", "%", "+%5C"])
def test_pieces_of_a_very_long_field_make_the_same_text(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No escaped byte is cut in two, wherever a piece would end."""
    monkeypatch.setattr(request, "PIECE", 500)
    for offset in range(4):
        sent = "x" * offset + unit * 600
        if unit.strip("%z"):
            expected = unquote_to_bytes(sent.replace("+", " ")).decode()
        else:
            sent = expected = "x" * 999 + unit * 20
        assert read(f"a={sent}") == {"a": expected}


@pytest.mark.parametrize("unit", ["%5B", "%41a", "%C3%A9", "%0", "%", "%zz", "\\x", "%5Cx41"])
def test_a_megabyte_of_signs_is_one_step(unit: str) -> None:
    """Anyone may send it; sign by sign, it would hold up everybody for half a second."""
    text = unit * (1_000_000 // len(unit))
    assert calls(lambda: _answered(text)) < 60


def _answered(text: str) -> None:
    try:
        read(f"a={text}")
    except ApiError:
        assert text.count("%") > STRAY_SIGNS
