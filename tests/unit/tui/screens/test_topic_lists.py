"""The topics of the open channel are asked for once, also while messages come faster than answers."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tui.api.model import ChannelId
from tui.narrow import TopicNarrow
from tui.screens.topic_lists import TopicLists
from tui.store.topics import Topics
from tui.sync.status import Live, Retrying, Status

TEA = TopicNarrow(ChannelId(9), "tea")
CUPS = TopicNarrow(ChannelId(8), "cups")


class _Account:
    """What `TopicLists` needs of one: each started worker stays unfinished until the test ends it."""

    def __init__(self) -> None:
        self.workers: list[SimpleNamespace] = []
        self.topics = Topics()
        self.status: Status = Live()
        session: Any = lambda: SimpleNamespace(  # noqa: E731  # as short as what it stands for
            store=SimpleNamespace(topics=self.topics), sync=SimpleNamespace(status=self.status)
        )
        run: Any = self._run
        self.lists = TopicLists(session, run)

    def _run(self, work: Callable[[], Any], *, group: str) -> SimpleNamespace:
        del work, group
        self.workers.append(SimpleNamespace(is_finished=False))
        return self.workers[-1]


def test_messages_that_come_meanwhile_do_not_ask_again() -> None:
    """On a far server each of them would cancel the request and send another, and no answer would be read."""
    account = _Account()
    for _ in range(500):
        account.lists.follow(TEA)
    assert len(account.workers) == 1


def test_a_failed_request_and_another_channel_ask_again() -> None:
    """When the last one is over without a list, when I opened another channel, and not while offline."""
    account = _Account()
    account.lists.follow(TEA)
    account.lists.follow(CUPS)
    account.lists.follow(TEA)
    assert len(account.workers) == 3
    account.workers[-1].is_finished = True
    account.status = Retrying(1.0, 1, "no network")
    account.lists.follow(TEA)
    assert len(account.workers) == 3
    account.status = Live()
    account.lists.follow(TEA)
    assert len(account.workers) == 4
    account.topics.complete.add(ChannelId(9))
    account.workers[-1].is_finished = True
    account.lists.follow(TEA)
    assert len(account.workers) == 4
