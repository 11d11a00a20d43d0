"""Pictures of dialogs, pages and panes: small and dark, large and light.

The server never answers here: what a screen shows is what the client knows by itself.
"""

from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from tests.snapshot import example
from tests.snapshot.app import LIVE, ExampleApp, at
from tui.api.model import ChannelId, UserId
from tui.narrow import AllMessages, ChannelNarrow, DmNarrow, Narrow, TopicNarrow

COLORS: Final = TopicNarrow(ChannelId(9), "colors")
BEN: Final = DmNarrow(frozenset({UserId(1), UserId(3)}))


class Picture(NamedTuple):
    """What was open, and the keys that lead to the screen."""

    narrow: Narrow
    keys: tuple[str, ...]


def _typed(text: str) -> tuple[str, ...]:
    names = {" ": "space", "@": "at", ":": "colon", "#": "number_sign", "\n": "ctrl+j"}
    return tuple(names.get(letter, letter) for letter in text)


PICTURES: Final = {
    "a_channel": Picture(ChannelNarrow(ChannelId(9)), ()),
    "a_direct_conversation": Picture(BEN, ()),
    "notes_to_self": Picture(DmNarrow(frozenset({UserId(1)})), ()),
    "inbox": Picture(COLORS, ("f4",)),
    "recent": Picture(COLORS, ("alt+t",)),
    "drafts": Picture(COLORS, ("f8",)),
    "all_channels": Picture(COLORS, ("f9",)),
    "search": Picture(COLORS, ("slash", *_typed("has"))),
    "jump": Picture(COLORS, ("ctrl+k",)),
    "jump_to_nothing": Picture(COLORS, ("ctrl+k", *_typed("xyzzy"))),
    "new_topic": Picture(COLORS, ("ctrl+t",)),
    "edit": Picture(COLORS, (*"kkkkk", "e")),
    "delete": Picture(COLORS, (*"kkkkk", "d")),
    "remind": Picture(COLORS, ("k", "l")),
    "report": Picture(COLORS, ("k", "k", "R")),
    "message_info": Picture(COLORS, (*"kkkkkk", "i")),
    "profile": Picture(COLORS, (*"kkkk", "p")),
    "link": Picture(COLORS, (*"kkkk", "o")),
    "about_a_channel": Picture(ChannelNarrow(ChannelId(9)), ("I",)),
    "status": Picture(COLORS, ("alt+w",)),
    "send_later": Picture(COLORS, ("c", *_typed("to be said tomorrow"), "alt+l")),
    "snippets": Picture(COLORS, ("alt+i",)),
    "organization": Picture(COLORS, ("alt+o",)),
    "save_a_view": Picture(AllMessages(), ("K",)),
    "people": Picture(COLORS, ("f3",)),
    "without_the_sidebar": Picture(COLORS, ("ctrl+b",)),
    "own_profile": Picture(COLORS, (*"kkkkk", "p")),
    "about_a_direct_conversation": Picture(BEN, ("I",)),
    "only_messages": Picture(COLORS, ("f3", "ctrl+b")),
    "sidebar_filtered": Picture(COLORS, ("shift+tab", "slash", *_typed("de"))),
}
LOOKS: Final = (((80, 24), "chinwag-dark"), ((120, 36), "chinwag-light"))


@pytest.mark.parametrize("name", PICTURES)
def test_a_screen(snap_compare: Any, tmp_path: Path, name: str) -> None:
    """Small and dark, then large and light: one after the other along the list."""
    picture = PICTURES[name]
    size, theme = LOOKS[list(PICTURES).index(name) % 2]
    app = ExampleApp(tmp_path, known=example.store(), status=LIVE, theme=theme)
    assert snap_compare(app, terminal_size=size, run_before=at(picture.narrow, *picture.keys))
