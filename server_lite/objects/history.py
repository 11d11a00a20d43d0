"""The edit history of a message as the API's JSON: one entry per state, oldest first. Pure."""

from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from server_lite.ids import UserId
from server_lite.markup.difference import difference
from server_lite.objects.messages import Form
from server_lite.store.history import Entry
from server_lite.store.messages import MessageRow


class MessageState(TypedDict):
    """A message as of `timestamp` (UNIX seconds), with what the edit changed."""

    topic: str
    content: str
    rendered_content: str
    user_id: UserId | None
    timestamp: int
    prev_topic: NotRequired[str]
    stream: NotRequired[int]
    prev_stream: NotRequired[int]
    prev_content: NotRequired[str]
    prev_rendered_content: NotRequired[str]
    content_html_diff: NotRequired[str]


def history_objects(row: MessageRow, entries: Sequence[Entry], form: Form) -> list[MessageState]:
    """Return `message_history`. `entries` are the edits that may be shown, newest first.

    States are reconstructed backwards from the current message.
    """
    content, rendered, topic = row.content, row.rendered, row.topic
    states: list[MessageState] = []
    for entry in entries:
        state: MessageState = {
            "topic": form.topic(topic),
            "content": content,
            "rendered_content": rendered,
            "user_id": entry["user_id"],
            "timestamp": entry["timestamp"],
        }
        if "prev_topic" in entry:
            topic = entry["prev_topic"]
            state["prev_topic"] = form.topic(topic)
        if "prev_stream" in entry:
            state["stream"], state["prev_stream"] = entry["stream"], entry["prev_stream"]
        if "prev_content" in entry:
            before = entry["prev_rendered_content"]
            state["prev_content"], state["prev_rendered_content"] = entry["prev_content"], before
            state["content_html_diff"] = difference(before, rendered)
            content, rendered = entry["prev_content"], before
        states.append(state)
    first: MessageState = {
        "topic": form.topic(topic),
        "content": content,
        "rendered_content": rendered,
        "user_id": row.sender_id,
        "timestamp": int(row.timestamp),
    }
    return [first, *reversed(states)]
