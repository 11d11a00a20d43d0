"""What counts as read: messages seen in their conversations and feeds, not what a search came across."""

from types import SimpleNamespace
from typing import cast

import pytest

from tests import eg
from tui.api.model import ChannelId, MessageId, UserId
from tui.narrow import (
    AllMessages,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Search,
    Starred,
    Term,
    TopicNarrow,
    Unread,
)
from tui.screens.read_tracker import ReadTracker
from tui.screens.session import Session
from tui.store import Store

SEARCH = Search((Term("search", "kettle"),))


@pytest.mark.parametrize(
    ("narrow", "is_read"),
    [
        (TopicNarrow(ChannelId(9), "tea"), True),
        (DmNarrow(frozenset({UserId(1)})), True),
        (ChannelNarrow(ChannelId(9)), True),
        (AllMessages(), True),
        (Mentions(), True),
        (Unread(), True),
        (SEARCH, False),
        (Search((Term("sender", 2),)), False),
        (Starred(), False),
    ],
)
def test_what_a_search_finds_stays_unread(narrow: Narrow, is_read: bool) -> None:
    """I looked for one message; the conversations around the others are still new to me."""
    read: set[MessageId] = set()
    session = cast(
        Session, SimpleNamespace(store=Store.from_snapshot(eg.snapshot()), reading=read_into(read))
    )
    seen = ReadTracker(lambda: session, looks=lambda: True, marks_read=True)
    seen.see(narrow, [1, "a date"])
    assert read == ({1} if is_read else set())


def read_into(read: set[MessageId]) -> SimpleNamespace:
    """What takes the IDs of read messages."""
    return SimpleNamespace(add=read.update)
