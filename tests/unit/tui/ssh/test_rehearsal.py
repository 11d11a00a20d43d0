"""The made-up answers of the rehearsal are answers: else each session would build for itself what they build."""

from tui.api import decode
from tui.api.routes.messages import FetchedMessages
from tui.ssh import rehearsal
from tui.store import Store


def test_the_answers_can_be_read() -> None:
    """The client draws what it gets there."""
    store = Store.from_snapshot(decode.snapshot(rehearsal._register(), "register"))
    assert store.channels.find("design") is not None
    fetched = decode.decode(FetchedMessages, rehearsal._messages(), "messages")
    assert (len(fetched.messages), fetched.found_newest) == (rehearsal.MESSAGES, True)
