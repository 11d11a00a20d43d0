"""Which messages run the person's programs: those that are for them, news, and nothing that is muted."""

from dataclasses import replace
from typing import Any

import pytest

from tests import eg
from tui.api.model import Message, MutedUser, VisibilityPolicy
from tui.hook_settings import Hooks
from tui.store import Store
from tui.view.hooks import record, triggered

RUN = ("true",)
ALL = Hooks(
    direct_message=RUN, mention=RUN, keyword=RUN, keywords=("outage", "c++", "deploy failed")
)
MUTED = eg.user(full_name="Loud")


@pytest.fixture
def store() -> Store:
    """Topic "noise" is muted, and so is a person."""
    general = eg.subscription(9, "general")
    return Store.from_snapshot(
        eg.snapshot(
            channels=[general],
            users=[eg.ME, eg.MARY, MUTED],
            muted_users=(eg.make(MutedUser, user_id=MUTED.user_id),),
            user_topics=(eg.user_topic(topic="noise", visibility_policy=VisibilityPolicy.MUTED),),
        )
    )


def flagged(*flags: str, **fields: Any) -> Message:
    """A message in a channel with these flags."""
    return eg.with_flags(eg.message(**fields), *flags)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (eg.dm(), ["direct_message"]),
        (eg.with_flags(eg.dm(), "mentioned"), ["direct_message", "mention"]),
        (eg.with_flags(eg.dm(), "read"), []),
        (eg.dm(sender=MUTED), []),
        (eg.dm(sender=eg.ME, to=[eg.MARY]), []),
        (flagged("mentioned"), ["mention"]),
        (flagged("stream_wildcard_mentioned"), ["mention"]),
        (flagged("mentioned", "read"), []),
        (flagged("mentioned", topic="noise"), []),
        (flagged("mentioned", sender=MUTED), []),
        (flagged(), []),
        (flagged(content="<p>An <b>Outage</b>!</p>"), ["keyword"]),
        (flagged(content="<p>outages</p>"), []),
        (flagged(content="<p>deploy\nfailed: C++</p>"), ["keyword"]),
    ],
)
def test_what_a_message_triggers(store: Store, message: Message, expected: list[str]) -> None:
    """Direct messages, mentions and keywords of others, unread and unmuted."""
    assert triggered(store, message, ALL) == expected


def test_what_has_no_program_is_not_triggered(store: Store) -> None:
    """Somebody who wants mentions alone gets them alone."""
    assert triggered(store, eg.dm(), replace(ALL, direct_message=())) == []


def test_a_program_gets_the_message_and_the_reason(store: Store) -> None:
    """Enough to show it and to go there."""
    told = record(store, eg.message(7), ["mention"], site="https://x.org", account="me@x.org")
    assert (told["hooks"], told["account"], told["text"]) == (["mention"], "me@x.org", "hello")
    assert (told["channel"], told["topic"], told["sender"]) == (
        "general",
        "greetings",
        "Mary Member",
    )
    assert str(told["link"]).startswith("https://x.org/#narrow/")
