"""News for a screen: a flood is shown a frame at a time, and what the person did at once."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tui import dispatch
from tui.api.model import LocalId, MessageId, UserId
from tui.screens.news import FRAME_SECONDS, News, StoreChanged
from tui.store import Changes


class _Screen:
    """What `News` needs of one."""

    def __init__(self) -> None:
        self.posted: list[StoreChanged] = []
        self.timers: list[tuple[float, Callable[[], None]]] = []
        self.now = 100.0

    def post_message(self, message: StoreChanged) -> bool:
        self.posted.append(message)
        return True

    def set_timer(self, delay: float, callback: Callable[[], None]) -> None:
        self.timers.append((delay, callback))


def _news() -> tuple[_Screen, News]:
    screen: Any = _Screen()
    deliver: Any = _Screen.post_message
    return screen, News(screen, lambda: screen.now, deliver)


def _said(number: int) -> Changes:
    return Changes(arrived=(MessageId(number),), users=frozenset({UserId(number)}))


def test_a_flood_is_one_redraw_a_frame_and_nothing_is_lost() -> None:
    """The first is shown at once; what comes within a frame is shown together, in its order."""
    screen, news = _news()
    news.tell(_said(1))
    assert len(screen.posted) == 1
    news.taken(screen.posted[0])
    for number in range(2, 40):
        news.tell(_said(number))
    assert len(screen.posted) == 1
    ((delay, show),) = screen.timers
    assert 0 < delay <= FRAME_SECONDS
    show()
    assert screen.posted[1].changes.arrived == tuple(MessageId(n) for n in range(2, 40))
    news.tell(_said(40))  # posted, and not shown yet
    assert len(screen.posted) == 2
    assert screen.posted[1].changes.arrived[-1] == 40
    news.taken(screen.posted[1])
    screen.now += FRAME_SECONDS
    news.tell(_said(41))
    assert len(screen.posted) == 3


def test_what_the_person_sent_waits_for_nothing() -> None:
    """An echo is shown at once, with what was waiting; its timer then finds nothing to do."""
    for own in (
        Changes(parts=frozenset({"outbox"})),
        Changes(echoes={LocalId("a"): MessageId(5)}),
        Changes(replaced=True),
    ):
        screen, news = _news()
        news.tell(_said(1))
        news.taken(screen.posted[0])
        news.tell(_said(2))
        news.tell(own)
        assert screen.posted[1].changes == _said(2).merge(own)
        screen.timers[0][1]()
        assert len(screen.posted) == 2


async def test_others_hear_of_a_message_before_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be marked as read by that, and a hook runs on unread messages."""
    screen: Any = _Screen()
    monkeypatch.setattr(dispatch, "deliver", _Screen.post_message)
    News(screen).tell(_said(1))
    assert screen.posted == []
    await asyncio.sleep(0)
    assert [each.changes for each in screen.posted] == [_said(1)]
