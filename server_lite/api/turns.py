"""Lets only so many requests begin in one turn of the event loop. Knows nothing about them.

When a server was restarted, or a network is back, hundreds of clients ask in the same moment. Answered in one turn,
they would hold up events, timers and all who come a moment later.
"""

import asyncio
from collections import deque


class Turns:
    """A turn of the loop for at most `most` tasks; the others follow in later ones, in their order."""

    def __init__(self, most: int) -> None:
        self._most = self._left = most
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def take(self) -> None:
        """Go on at once, or when those before did."""
        loop = asyncio.get_running_loop()
        if self._left == self._most:
            loop.call_soon(self._renew)
        if self._left:
            self._left -= 1
            return
        turn: asyncio.Future[None] = loop.create_future()
        self._waiting.append(turn)
        await turn

    def _renew(self) -> None:
        """Begin another turn, with those who wait."""
        self._left = self._most
        while self._left and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():  # canceled, when its client is gone
                turn.set_result(None)
                self._left -= 1
        if self._left < self._most:
            asyncio.get_running_loop().call_soon(self._renew)
