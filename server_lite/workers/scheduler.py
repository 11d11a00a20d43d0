"""Sends scheduled messages and reminders that are due, also those missed while the server was down.

Each is sent in its own transaction, so that one that fails delays no other.
"""

import asyncio
import logging
from contextlib import nullcontext
from functools import partial
from typing import Final

from server_lite.actions import reminders, scheduled_messages
from server_lite.context import Context
from server_lite.errors import ApiError, Unavailable
from server_lite.store import scheduled_messages as store
from server_lite.store import users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import NOTIFICATION_BOT, UserRow

PAGE: Final = 500
"""Messages that are looked up together: after a day without a server a hundred thousand may be due."""
log = logging.getLogger("chinwag.server")


async def run(context: Context) -> None:
    """Check for due messages every `timing.due` seconds; runs until canceled."""
    while True:
        try:
            await send_due(context)
        except Unavailable as error:
            log.warning("scheduled work was postponed: %s", error.__cause__)
        await asyncio.sleep(context.settings.timing.due)


async def send_due(context: Context) -> None:
    """Send everything that is due now, oldest first."""
    now = context.database.clock()
    last = (0, 0)
    while page := context.read(partial(store.next_due, now=now, after=last, limit=PAGE)):
        for _, row_id in page:
            await _send(context, row_id)
        last = page[-1]


async def _send(context: Context, row_id: int) -> None:
    """Send a message or reminder; it is marked as failed if its user may not."""
    try:
        text = context.read(partial(_text, row_id=row_id))
        async with nullcontext() if text is None else context.rendering.ahead(*text):
            await context.write(partial(_deliver, row_id=row_id))
    except Unavailable:
        raise
    except ApiError as error:
        log.info("scheduled message %d was not sent: %s", row_id, error.msg)
        await context.write(partial(_give_up, row_id=row_id))


def _text(db: Db, row_id: int) -> tuple[UserRow, str] | None:
    """Return the sender and the text of what is due, if its user still exists."""
    row = store.by_id(db, row_id)
    user = None if row is None else users.by_id(db, row.user_id)
    if row is None or user is None:
        return None
    if row.target_id is None:
        return user, row.content
    bot = users.by_id(db, NOTIFICATION_BOT)
    assert bot is not None
    return bot, reminders.text_of(db, user, row)


def _deliver(tx: Tx, row_id: int) -> None:
    row = store.by_id(tx, row_id)
    if row is None or row.failed or row.due > tx.now:
        return  # edited or canceled a moment ago
    (scheduled_messages if row.target_id is None else reminders).deliver(tx, row)


def _give_up(tx: Tx, row_id: int) -> None:
    row = store.by_id(tx, row_id)
    if row is not None:
        scheduled_messages.give_up(tx, row)
