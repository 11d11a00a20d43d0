"""What is to be sent later, as the API's JSON. Reads nothing."""

from typing import Any

from server_lite.store.scheduled_messages import ScheduledRow


def scheduled_object(row: ScheduledRow) -> dict[str, Any]:
    """The ScheduledMessage object."""
    place: dict[str, Any] = {"type": "private", "to": list(row.people)}
    if row.channel_id is not None:
        place = {"type": "stream", "to": row.channel_id, "topic": row.topic}
    return {
        "scheduled_message_id": row.id,
        **place,
        "content": row.content,
        "rendered_content": row.rendered,
        "scheduled_delivery_timestamp": row.due,
        "failed": row.failed,
    }


def reminder_object(row: ScheduledRow) -> dict[str, Any]:
    """The Reminder object."""
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
