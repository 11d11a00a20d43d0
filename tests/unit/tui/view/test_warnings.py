"""Before a message goes out its writer is told what they may not know, and nothing else."""

import pytest

from tests import eg
from tui.api.model import ChannelId, UserId
from tui.narrow import Conversation, DmNarrow, TopicNarrow
from tui.store import Store
from tui.view.slash_commands import slash_commands
from tui.view.warnings import MANY, warnings

CROWD = frozenset(UserId(i) for i in range(100, 100 + MANY)) | {eg.ME.user_id}
HALL = eg.subscription(9, "hall", subscribers=CROWD)
ROOM = eg.subscription(10, "room", subscribers=frozenset({eg.ME.user_id, eg.MARY.user_id}))
AWAY = eg.channel(11, "away")
IN_HALL = TopicNarrow(ChannelId(9), "tea")
IN_ROOM = TopicNarrow(ChannelId(10), "tea")


@pytest.fixture
def store() -> Store:
    """A crowded channel, a small one, and one that the person is not in."""
    return Store.from_snapshot(eg.snapshot(channels=[HALL, ROOM], never_subscribed=(AWAY,)))


MARY = eg.MARY.full_name


@pytest.mark.parametrize(
    ("place", "text", "said"),
    [
        (IN_ROOM, "hello", ""),
        (IN_ROOM, "@**all** hello", ""),
        (IN_HALL, "@**all** hello", f"@all notifies all {MANY + 1} people in #hall."),
        (IN_HALL, "@_**all** hello", ""),
        (IN_HALL, "```\n@**all**\n``` and `@**all**`", ""),
        (IN_HALL, "mail@**all**", ""),
        (IN_ROOM, f"@**{MARY}** look", ""),
        (IN_HALL, f"@**{MARY}** look", f"{MARY} is not in #hall and may not see this."),
        (IN_HALL, f"@**{MARY}|{eg.MARY.user_id}** @**{MARY}**", f"{MARY} is not in #hall and may not see this."),
        (IN_HALL, "@**Nobody Here** look", ""),
        (TopicNarrow(ChannelId(9), "✔ tea"), "ok", "This topic is marked as resolved."),
        (TopicNarrow(ChannelId(11), "tea"), "ok", "You have not joined #away and will not see replies."),
        (DmNarrow(frozenset({eg.ME.user_id})), "@**all**", ""),
    ],
)  # fmt: skip
def test_it_warns_of_what_matters(store: Store, place: Conversation, text: str, said: str) -> None:
    """A crowd called, somebody who will not see it, a topic that is done with."""
    assert " ".join(each.text for each in warnings(store, place, text)) == said


@pytest.mark.parametrize(
    ("typed", "names"),
    [("/", ["/me", "/poll", "/todo"]), ("/P", ["/poll"]), ("/me ", []), ("/x", []), ("a /", [])],
)
def test_commands_are_proposed_at_the_beginning(typed: str, names: list[str]) -> None:
    """A slash at the start of a message offers what it can become."""
    assert [each.label for each in slash_commands(typed)] == names
