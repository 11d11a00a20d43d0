"""Scheduled messages and reminders. Thin."""

from typing import Annotated, Literal, NewType

from typing_extensions import TypedDict

from server_lite.access.message_validation import normalize_content
from server_lite.access.messages import access_message
from server_lite.access.recipients import Kind, address
from server_lite.actions import reminders, scheduled_messages
from server_lite.api.answers import Done
from server_lite.api.decoding import INT64, LongText, MaxLength, OptionalLongText
from server_lite.api.params import RequestInfo
from server_lite.errors import ApiError, NoSuchObject
from server_lite.ids import MessageId
from server_lite.objects.personal import (
    ReminderObject,
    ScheduledMessageObject,
    reminder_object,
    scheduled_object,
)
from server_lite.store import scheduled_messages as store
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.scheduled_messages import ScheduledRow
from server_lite.store.users import UserRow

ScheduledId = NewType("ScheduledId", int)
ReminderId = NewType("ReminderId", int)
MAX_PUT_OFF = 1000
NOTE = 1000


class ScheduledMessages(TypedDict):
    """All scheduled messages of the user."""

    scheduled_messages: list[ScheduledMessageObject]


class Scheduled(TypedDict):
    """ID of the scheduled message."""

    scheduled_message_id: int


class Reminders(TypedDict):
    """All reminders of the user."""

    reminders: list[ReminderObject]


class ReminderCreated(TypedDict):
    """ID of the created reminder."""

    reminder_id: int


def listing(db: Db, user: UserRow) -> ScheduledMessages:
    """Get the user's scheduled messages, next one first."""
    rows = store.of_user(db, user.id, reminders=False)
    return {"scheduled_messages": [scheduled_object(row) for row in rows]}


def create(
    tx: Tx,
    user: UserRow,
    *,
    type: Kind,
    to: str,
    content: LongText,
    topic: OptionalLongText = None,
    scheduled_delivery_timestamp: int,
    read_by_sender: bool | None = None,
    request: RequestInfo,
) -> Scheduled:
    """Schedule a message."""
    _check_time(tx, scheduled_delivery_timestamp)
    _check_room(tx, user)
    empty = ScheduledRow(
        id=0,
        user_id=user.id,
        channel_id=None,
        people=[],
        topic="",
        content="",
        rendered="",
        due=0,
        read_by_sender=read_by_sender,
        client=request.client,
        failed=False,
        target_id=None,
    )
    row = scheduled_messages.addressed(
        tx,
        empty,
        user,
        address(tx, user, type, to, topic),
        content=normalize_content(content),
        due=scheduled_delivery_timestamp,
    )
    return {"scheduled_message_id": scheduled_messages.create(tx, row)}


def edit(
    tx: Tx,
    user: UserRow,
    scheduled_id: ScheduledId,
    *,
    type: Kind | None = None,
    to: str | None = None,
    content: OptionalLongText = None,
    topic: OptionalLongText = None,
    scheduled_delivery_timestamp: int | None = None,
) -> Done:
    """Edit a scheduled message. One that failed, or is overdue, needs a new time."""
    row = _mine(tx, user, scheduled_id, "message")
    if all(one is None for one in (type, to, content, topic, scheduled_delivery_timestamp)):
        raise ApiError("Nothing to change")
    if type is not None and to is None:
        raise ApiError("Recipient required when updating type of scheduled message.")
    due = row.due if scheduled_delivery_timestamp is None else scheduled_delivery_timestamp
    if scheduled_delivery_timestamp is not None or row.failed:
        _check_time(tx, due)
    if to is not None or topic is not None:
        kind: Kind = type or ("direct" if row.channel_id is None else "channel")
        where = str(row.channel_id) if to is None and row.channel_id is not None else to
        if where is None:
            place = scheduled_messages.address_of(tx, user, row)
        else:
            place = address(tx, user, kind, where, row.topic if topic is None else topic)
    else:
        place = scheduled_messages.address_of(tx, user, row)
    text = row.content if content is None else normalize_content(content)
    changed = scheduled_messages.addressed(tx, row, user, place, content=text, due=due)
    if changed != row:
        scheduled_messages.edit(tx, changed)
    return {}


def delete(tx: Tx, user: UserRow, scheduled_id: ScheduledId) -> Done:
    """Delete a scheduled message."""
    scheduled_messages.delete(tx, _mine(tx, user, scheduled_id, "message"))
    return {}


def reminders_of(db: Db, user: UserRow) -> Reminders:
    """Get the user's reminders, next one first."""
    rows = store.of_user(db, user.id, reminders=True)
    return {"reminders": [reminder_object(row) for row in rows]}


def remind(
    tx: Tx,
    user: UserRow,
    *,
    message_id: MessageId,
    scheduled_delivery_timestamp: int,
    note: Annotated[str | None, MaxLength(NOTE)] = None,
) -> ReminderCreated:
    """Create a reminder of a message."""
    message = access_message(tx, user, message_id)
    _check_time(tx, scheduled_delivery_timestamp)
    _check_room(tx, user)
    reminder_id = reminders.create(
        tx, user, message, due=scheduled_delivery_timestamp, note=(note or "").strip()
    )
    return {"reminder_id": reminder_id}


def forget(tx: Tx, user: UserRow, reminder_id: ReminderId) -> Done:
    """Delete a reminder."""
    reminders.delete(tx, _mine(tx, user, reminder_id, "reminder"))
    return {}


def _mine(db: Db, user: UserRow, row_id: int, kind: Literal["message", "reminder"]) -> ScheduledRow:
    row = store.by_id(db, row_id)
    is_reminder = row is not None and row.target_id is not None
    if row is None or row.user_id != user.id or is_reminder != (kind == "reminder"):
        what = "Reminder" if kind == "reminder" else "Scheduled message"
        raise NoSuchObject(f"{what} does not exist")
    return row


def _check_time(tx: Tx, due: int) -> None:
    if not tx.now < due < INT64:
        raise ApiError("Scheduled delivery time must be in the future.")


def _check_room(db: Db, user: UserRow) -> None:
    if store.count_of_user(db, user.id) >= MAX_PUT_OFF:
        raise ApiError(f"There can be at most {MAX_PUT_OFF} scheduled messages and reminders.")
