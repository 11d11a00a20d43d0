"""Optimistic updates: shows what the person does at once, and rolls it back on an error. No Textual."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tui.store.optimistic import Operation
from tui.sync.machine import Sync


@asynccontextmanager
async def shown_at_once(sync: Sync, operation: Operation) -> AsyncIterator[None]:
    """Applies the operation to the store for as long as the request within takes, and its event.

    Any failure rolls it back and goes on to the caller.
    """
    operation_id = sync.add_operation(operation)
    try:
        yield
    except BaseException:
        sync.rollback(operation_id)
        raise
    sync.acknowledge(operation_id)
