"""Sets the outcomes of futures. Knows nothing of who waits."""

import asyncio
from typing import Any


def settle_future(future: "asyncio.Future[Any]", outcome: object) -> None:
    """Set a future's result, or its exception."""
    if future.done():  # the request was canceled; its change was committed or not regardless
        return
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(outcome)
