"""Sends scheduled messages and reminders that are due, also those missed while the server was down.

Each is sent in its own transaction, so that one that fails delays no other.
"""

import asyncio
import logging
from functools import partial

from server_lite.actions import reminders, scheduled_messages
from server_lite.context import Context
from server_lite.errors import ApiError, Unavailable
from server_lite.store import scheduled_messages as store
from server_lite.store.database import Tx

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
    for row_id in context.read(lambda db: store.due_ids(db, now)):
        try:
            await context.write(partial(_deliver, row_id=row_id))
        except Unavailable:
            raise
        except ApiError as error:
            log.info("scheduled message %d was not sent: %s", row_id, error.msg)
            await context.write(partial(_give_up, row_id=row_id))


def _deliver(tx: Tx, row_id: int) -> None:
    row = store.by_id(tx, row_id)
    if row is None or row.failed or row.due > tx.now:
        return  # edited or canceled a moment ago
    (scheduled_messages if row.target_id is None else reminders).deliver(tx, row)


def _give_up(tx: Tx, row_id: int) -> None:
    row = store.by_id(tx, row_id)
    if row is not None:
        scheduled_messages.give_up(tx, row)
