"""Sets the outcomes of futures. Knows nothing of who waits."""

import asyncio
from typing import TypeVar, cast

T = TypeVar("T")


def settle_future(future: "asyncio.Future[T]", outcome: object) -> None:
    """Set a future's result, or its exception."""
    if future.done():  # the request was canceled; its change was committed or not regardless
        return
    if isinstance(outcome, BaseException):
        future.set_exception(outcome)
    else:
        future.set_result(cast(T, outcome))
