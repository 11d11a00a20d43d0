"""Requests that come together begin some at a time, in their order, and a client that is gone takes no turn."""

import asyncio

from server_lite.api.turns import Turns


async def test_hundreds_at_once_leave_turns_to_others() -> None:
    """Whoever comes in between waits for three of ten, and not for all."""
    turns, begun = Turns(3), list[int]()

    async def request(number: int) -> None:
        await turns.take()
        begun.append(number)

    tasks = [asyncio.create_task(request(number)) for number in range(10)]
    seen = []
    while len(begun) < 9:
        await asyncio.sleep(0)
        seen.append(len(begun))
        if len(begun) == 3:
            tasks[5].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert begun == [0, 1, 2, 3, 4, 6, 7, 8, 9]
    assert [count for count in dict.fromkeys(seen) if count] == [3, 6, 9]
    await asyncio.wait_for(turns.take(), 1)  # as at the beginning
