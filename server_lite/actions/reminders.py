"""Creates reminders of messages, and delivers them to the user when due."""

import re
from dataclasses import replace

from server_lite.access.mentions import Names
from server_lite.access.messages import access_message
from server_lite.access.recipients import DirectRecipient
from server_lite.actions.messages import send_message
from server_lite.errors import ApiError
from server_lite.events.personal import ReminderAdded, ReminderRemoved
from server_lite.ids import MessageId
from server_lite.markup.render import render
from server_lite.markup.urls import message_path
from server_lite.objects.personal import reminder_object
from server_lite.store import channels, scheduled_messages, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.messages import MessageRow
from server_lite.store.scheduled_messages import ScheduledRow
from server_lite.store.users import NOTIFICATION_BOT, UserRow

CLIENT = "Internal"


def create(tx: Tx, user: UserRow, message: MessageRow, *, due: int, note: str) -> int:
    """Schedule a reminder of a message; returns its ID."""
    row = ScheduledRow(
        id=0,
        user_id=user.id,
        channel_id=None,
        people=[user.id],
        topic="",
        content=note,
        rendered=render(note, Names(tx, user)).html if note else "",
        due=due,
        read_by_sender=False,
        client=CLIENT,
        failed=False,
        target_id=message.id,
    )
    reminder = replace(row, id=scheduled_messages.insert(tx, row))
    tx.emit(ReminderAdded(reminder=reminder_object(reminder)), to=[user.id])
    return reminder.id


def delete(tx: Tx, row: ScheduledRow) -> None:
    """Delete the reminder, whether canceled or just delivered."""
    scheduled_messages.delete(tx, row.id)
    tx.emit(ReminderRemoved(reminder_id=row.id), to=[row.user_id])


def deliver(tx: Tx, row: ScheduledRow) -> None:
    """Deliver the reminder; if the user lost access to the message, the text says so."""
    user, bot = users.by_id(tx, row.user_id), users.by_id(tx, NOTIFICATION_BOT)
    assert bot is not None
    if user is not None and user.is_active:
        text = text_of(tx, user, row)
        send_message(tx, bot, DirectRecipient((bot, user)), text, client=CLIENT)
    delete(tx, row)


def text_of(db: Db, user: UserRow, row: ScheduledRow) -> str:
    """Return the text that reminds the user, with the message."""
    note = f"\n\nYour note: {row.content}" if row.content else ""
    assert row.target_id is not None
    try:
        message = access_message(db, user, MessageId(row.target_id))
    except ApiError:
        return f"You asked to be reminded of a message that is no longer visible to you.{note}"
    sender = users.by_id(db, message.sender_id)
    assert sender is not None
    fence = "`" * max(
        3, 1 + max((len(run) for run in re.findall("`+", message.content)), default=0)
    )
    return (
        f"You asked to be reminded of {_link(db, message)}"
        f" by @_**{sender.full_name}|{sender.id}**.{note}"
        f"\n\n{fence}quote\n{message.content}\n{fence}"
    )


def _link(db: Db, message: MessageRow) -> str:
    channel = None if message.channel_id is None else channels.by_id(db, message.channel_id)
    if channel is None:
        return "a direct message"
    return f"[a message]({message_path(channel.id, channel.name, message.topic, message.id)})"
