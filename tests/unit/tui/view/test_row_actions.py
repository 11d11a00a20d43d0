"""The hints name what makes sense for the message one stands on."""

from dataclasses import replace

from tui.api.model import LocalId, MessageId, UserId
from tui.view.row_actions import OF_EVERY_MESSAGE, actions_of
from tui.view.rows import EchoRow, MessageRow

HELLO = MessageRow(
    message_id=MessageId(1), sender_id=UserId(2), sender="Mary", note="", time="15:06", html="hi"
)


def test_only_ones_own_messages_can_be_edited_and_deleted() -> None:
    """A hint that leads to a refusal is none."""
    assert actions_of(HELLO) == OF_EVERY_MESSAGE
    assert actions_of(replace(HELLO, is_own=True)) == OF_EVERY_MESSAGE | {"edit", "delete"}


def test_what_a_message_has_is_offered() -> None:
    """Links, spoilers: nobody has to know that there is a key for them."""
    link = replace(HELLO, html='<p><a href="https://example.org">x</a></p>')
    assert "links" in actions_of(link)
    spoiler = '<div class="spoiler-block"><div class="spoiler-header"><p>s</p></div>'
    spoiler += '<div class="spoiler-content"><p>t</p></div></div>'
    assert "spoiler" in actions_of(replace(HELLO, html=spoiler))
    assert "spoiler" in actions_of(replace(HELLO, is_hidden=True))


def test_without_a_cursor_one_can_answer_and_no_more() -> None:
    """What else there is depends on the message, and is told when one stands on it."""
    assert actions_of(None) == {"reply"}


def test_what_was_not_sent_can_be_changed_or_thrown_away() -> None:
    """Nobody reacts to what nobody has."""
    echo = EchoRow(
        local_id=LocalId("a"), sender_id=UserId(1), sender="Iris", time="15:06", text="hi",
        state="failed",
    )  # fmt: skip
    assert actions_of(echo) == {"edit", "discard"}
