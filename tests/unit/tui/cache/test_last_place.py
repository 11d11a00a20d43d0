"""The next start opens where the person was."""

from pathlib import Path

import pytest

from tests import eg
from tui.api.model import ChannelId, UserId
from tui.cache.last_place import LastPlace
from tui.narrow import (
    AllMessages,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Term,
    TopicNarrow,
)
from tui.store import Store

STORE = Store.from_snapshot(eg.snapshot())


@pytest.mark.parametrize(
    "narrow",
    [
        AllMessages(),
        Mentions(),
        ChannelNarrow(ChannelId(7)),
        TopicNarrow(ChannelId(7), 'a "b" -c:d \\ ✔'),
        TopicNarrow(ChannelId(7), ""),
        DmNarrow(frozenset({STORE.self_id})),
        DmNarrow(frozenset({STORE.self_id, UserId(8), UserId(9)})),
    ],
)
def test_every_place_is_found_again(tmp_path: Path, narrow: Narrow) -> None:
    """By ids, so that other names do not matter, and whatever a topic is called."""
    LastPlace(tmp_path / "place").keep(narrow)
    assert LastPlace(tmp_path / "place").read(STORE) == narrow


def test_a_search_is_not_begun_with(tmp_path: Path) -> None:
    """After a search the next start opens what was open before it."""
    place = LastPlace(tmp_path / "place")
    place.keep(Mentions())
    place.keep(Search((Term("search", "tea"),)))
    assert place.read(STORE) == Mentions()


@pytest.mark.parametrize("dirt", [b"near:x", b"\xff\xfe", b"channel:" * 1000])
def test_a_damaged_file_is_as_good_as_none(tmp_path: Path, dirt: bytes) -> None:
    """The start goes on as if it were the first."""
    path = tmp_path / "place"
    path.write_bytes(dirt)
    assert LastPlace(path).read(STORE) is None
    assert LastPlace(tmp_path / "none").read(STORE) is None
