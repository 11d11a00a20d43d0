"""Telling others that the person types, as rarely as the server wants it. No Textual."""

from tui.api.destination import Destination, DirectDestination
from tui.api.routes import typing as routes
from tui.api.routes.typing import TypingOp
from tui.errors import ApiError
from tui.sync.machine import Surroundings, Sync


class TypingNotices:
    """Where the person types now. `keystroke` at every change, `tick` about once a second."""

    def __init__(self, sync: Sync, surroundings: Surroundings | None = None) -> None:
        self._sync = sync
        self._clock = (surroundings or Surroundings()).clock
        self._where: Destination | None = None
        self._told = 0.0
        self._typed = 0.0

    @property
    def is_typing(self) -> bool:
        """Whether the others were told so, and not yet that it ended."""
        return self._where is not None

    async def keystroke(self, destination: Destination) -> None:
        """Something was typed; told at the start, and again after the wait that the server asks."""
        now = self._clock()
        if self._where is not None and self._where != destination:
            await self.stop()
        limits = self._sync.store.realm.limits
        self._typed = now
        wait = limits.typing_started_wait_period_milliseconds / 1000
        if self._where is None or now - self._told >= wait:
            self._where, self._told = destination, now
            await self._tell(destination, "start")

    async def tick(self) -> None:
        """Time passed: who stopped long enough is not typing any more."""
        limits = self._sync.store.realm.limits
        silence = limits.typing_stopped_wait_period_milliseconds / 1000
        if self._where is not None and self._clock() - self._typed >= silence:
            await self.stop()

    async def stop(self) -> None:
        """It was sent, or thrown away."""
        where, self._where = self._where, None
        if where is not None:
            await self._tell(where, "stop")

    async def _tell(self, destination: Destination, op: TypingOp) -> None:
        settings = self._sync.store.settings
        direct = isinstance(destination, DirectDestination)
        wanted = (
            settings.send_private_typing_notifications
            if direct
            else settings.send_stream_typing_notifications
        )
        if direct and destination == DirectDestination(
            user_ids=frozenset({self._sync.store.self_id})
        ):
            return
        if not wanted:
            return
        try:
            await routes.set_status(self._sync.connection, destination=destination, op=op)
        except ApiError:
            return  # nobody misses a notice, and the stream tells what is wrong with the network
