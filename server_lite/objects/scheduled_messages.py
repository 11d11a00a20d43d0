"""What is to be sent later, as the API's JSON. Reads nothing."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.store.scheduled_messages import ScheduledRow


class PutOff(TypedDict):
    """What both have: the text as written and as HTML, and when it is due, in UNIX seconds."""

    content: str
    rendered_content: str
    scheduled_delivery_timestamp: int
    failed: bool


class ScheduledMessageObject(PutOff):
    """A message to be sent later: `to` is a channel's id, or the ids of people."""

    scheduled_message_id: int
    type: Literal["stream", "private"]
    to: int | list[int]
    topic: NotRequired[str]


class ReminderObject(PutOff):
    """A reminder of a message; `content` is the note, `to` the person alone."""

    reminder_id: int
    type: Literal["private"]
    to: list[int]
    reminder_target_message_id: int


def scheduled_object(row: ScheduledRow) -> ScheduledMessageObject:
    """The ScheduledMessage object."""
    shown: ScheduledMessageObject = {
        "scheduled_message_id": row.id,
        "type": "private",
        "to": list(row.people),
        "content": row.content,
        "rendered_content": row.rendered,
        "scheduled_delivery_timestamp": row.due,
        "failed": row.failed,
    }
    if row.channel_id is None:
        return shown
    return {**shown, "type": "stream", "to": row.channel_id, "topic": row.topic}


def reminder_object(row: ScheduledRow) -> ReminderObject:
    """The Reminder object."""
    assert row.target_id is not None
    return {
        "reminder_id": row.id,
        "type": "private",
        "to": [row.user_id],
        "content": row.content,
        "rendered_content": row.rendered,
        "scheduled_delivery_timestamp": row.due,
        "failed": row.failed,
        "reminder_target_message_id": row.target_id,
    }
