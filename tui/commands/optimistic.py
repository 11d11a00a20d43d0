"""Shows what the person does at once, and takes it back if the server says no. No Textual."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tui.store.optimistic import Operation
from tui.sync.machine import Sync


@asynccontextmanager
async def shown_at_once(sync: Sync, operation: Operation) -> AsyncIterator[None]:
    """Lays the operation over the store for as long as the request within takes, and its event.

    Any failure lifts it again and goes on to the caller.
    """
    operation_id = sync.lay(operation)
    try:
        yield
    except BaseException:
        sync.lift(operation_id)
        raise
    sync.answered(operation_id)
