"""Schedules messages and sends them when due. Checks permissions only when sending."""

from dataclasses import replace

import orjson

from server_lite.access.mentions import Names
from server_lite.access.recipients import Address, DirectRecipient, address
from server_lite.access.rendering import rendered_for
from server_lite.actions.messages import send_message
from server_lite.errors import ApiError
from server_lite.events.personal import (
    ScheduledAdded,
    ScheduledRemoved,
    ScheduledUpdated,
)
from server_lite.objects.personal import scheduled_object
from server_lite.store import scheduled_messages, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.scheduled_messages import ScheduledRow
from server_lite.store.users import UserRow


def addressed(
    db: Db, row: ScheduledRow, user: UserRow, to: Address, *, content: str, due: int
) -> ScheduledRow:
    """Return the row with this address, content and time, not marked as failed."""
    rendered = rendered_for(db, Names(db, user), content).html
    row = replace(row, content=content, rendered=rendered, due=due, failed=False)
    if isinstance(to, DirectRecipient):
        others = [person.id for person in to.people if person.id != user.id] or [user.id]
        return replace(row, channel_id=None, people=others, topic="")
    return replace(row, channel_id=to.channel.id, people=[], topic=to.topic)


def address_of(db: Db, user: UserRow, row: ScheduledRow) -> Address:
    """Return the message's address; raises ApiError if the user may not send there now."""
    if row.channel_id is None:
        return address(db, user, "direct", orjson.dumps(list(row.people)).decode(), None)
    return address(db, user, "channel", str(row.channel_id), row.topic)


def create(tx: Tx, row: ScheduledRow) -> int:
    """Schedule a message; returns its ID."""
    scheduled = replace(row, id=scheduled_messages.insert(tx, row))
    tx.emit(ScheduledAdded(scheduled=scheduled_object(scheduled)), to=[scheduled.user_id])
    return scheduled.id


def edit(tx: Tx, row: ScheduledRow) -> None:
    """Replace the scheduled message of this ID with `row`."""
    scheduled_messages.replace(tx, row)
    tx.emit(ScheduledUpdated(scheduled=scheduled_object(row)), to=[row.user_id])


def delete(tx: Tx, row: ScheduledRow) -> None:
    """Delete the scheduled message, whether canceled or just sent."""
    scheduled_messages.delete(tx, row.id)
    tx.emit(ScheduledRemoved(scheduled_id=row.id), to=[row.user_id])


def deliver(tx: Tx, row: ScheduledRow) -> None:
    """Send a message that is due; raises ApiError if it cannot be sent."""
    user = users.by_id(tx, row.user_id)
    if user is None or not user.is_active:
        raise ApiError("The account is deactivated.")
    send_message(
        tx,
        user,
        address_of(tx, user, row),
        row.content,
        client=row.client,
        read_by_sender=row.read_by_sender,
    )
    delete(tx, row)


def give_up(tx: Tx, row: ScheduledRow) -> None:
    """Mark the message as failed; it is kept, so that its text is not lost."""
    edit(tx, replace(row, failed=True))
