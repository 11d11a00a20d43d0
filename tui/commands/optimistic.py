"""Optimistic updates: shows a change at once, and rolls it back on an error. No Textual."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tui.store.optimistic import Operation
from tui.sync.machine import Sync


@asynccontextmanager
async def shown_at_once(sync: Sync, operation: Operation) -> AsyncIterator[None]:
    """Apply the operation to the store until the block's request and its event are done.

    Any failure rolls it back and is raised.
    """
    operation_id = sync.add_operation(operation)
    try:
        yield
    except BaseException:
        sync.rollback(operation_id)
        raise
    sync.acknowledge(operation_id)
