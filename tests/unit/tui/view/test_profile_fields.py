"""Options of a profile field, written anew without losing what people chose. Pure."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from tui.view.profile_fields import dropped, options, options_data

TEXTS = st.lists(st.text("abc", min_size=1, max_size=2), unique=True, max_size=5)


@settings(max_examples=30)
@given(before=TEXTS, after=TEXTS)
def test_options_that_stay_keep_their_keys(before: list[str], after: list[str]) -> None:
    """An answer is a key: renaming, adding or reordering others changes nobody's answer."""
    first = options_data(before)
    data = options_data(after, json.dumps(first))
    assert options(json.dumps(data)) == after
    assert len(data) == len(after)
    keys = {each["text"]: key for key, each in first.items()}
    new = {each["text"]: key for key, each in data.items()}
    assert all(new[text] == keys[text] for text in after if text in keys)
    assert not {new[text] for text in after if text not in keys} & set(keys.values())
    assert dropped(after, json.dumps(first)) == [text for text in before if text not in after]


def test_what_is_no_list_of_options_is_none() -> None:
    """Whatever another client wrote there."""
    for broken in ("", "{", "[]", '{"a": 1}', '{"a": {"order": "x", "text": "t"}}'):
        assert options(broken) in ([], ["t"])
