"""Waits for answers, as long as the client is connected. Knows no endpoint."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from typing import TypeVar

from server_lite.api.answers import Later
from server_lite.api.request import ClientDisconnected
from server_lite.futures import settle_future
from server_lite.http.connections import Connection

T = TypeVar("T")


async def while_connected(connection: Connection, work: Coroutine[object, object, T]) -> T:
    """Await `work`, but stop when the client disconnects: a long poll must not outlive its client.

    It starts in the turn of the event loop that authenticated its user, so that a revoked key ends it.
    """
    if connection.has_ended:
        work.close()
        raise ClientDisconnected
    task = asyncio.current_task()
    assert task is not None
    connection.at_end = task.cancel
    try:
        return await work
    except asyncio.CancelledError:
        if connection.has_ended:
            raise ClientDisconnected from None
        raise
    finally:
        connection.at_end = None


async def settled(work: Awaitable[object], settle: Callable[[object], object]) -> None:
    """Let `settle` get the result, or the exception."""
    try:
        outcome = await work
    except Exception as error:  # noqa: BLE001  # passed on
        outcome = error
    settle(outcome)


def begin_later(
    connection: Connection, answer: Later[T], settle: Callable[[T | Exception], object]
) -> None:
    """Let an answer come to `settle`, unless the client disconnects before."""
    has_come = False

    def come(outcome: T | Exception) -> None:
        nonlocal has_come
        has_come = True
        connection.at_end = None  # before the answer, after which the next request may begin
        settle(outcome)

    give_up = answer.begin(come)
    if not has_come:
        connection.at_end = give_up


async def awaited(answer: Later[T]) -> T:
    """Wait for an answer that comes later."""
    future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
    give_up = answer.begin(partial(settle_future, future))
    try:
        return await future
    finally:
        give_up()
