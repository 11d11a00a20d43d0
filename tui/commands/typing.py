"""Typing notices: sent as rarely as the server wants. No Textual."""

from typing import TypeAlias

from tui.api.destination import Destination, DirectDestination
from tui.api.features import TYPING_EDITS
from tui.api.model import MessageId
from tui.api.routes import typing as routes
from tui.api.routes.typing import TypingOp
from tui.errors import ApiError
from tui.narrow import conversation_of, destination_of
from tui.sync.machine import Environment, Sync

Where: TypeAlias = Destination | MessageId
"""A conversation that is written to, or a message that is edited."""


class TypingNotices:
    """Where the user is typing now. Call `note` at every change, `tick` about once a second."""

    def __init__(self, sync: Sync, environment: Environment | None = None) -> None:
        self._sync = sync
        self._clock = (environment or Environment()).clock
        self._where: Where | None = None
        self._last_sent = 0.0
        self._typed = 0.0

    @property
    def is_typing(self) -> bool:
        """Whether the others were told that the user is typing, and not yet that it ended."""
        return self._where is not None

    def note(self, where: Where | None) -> bool:
        """Record a keystroke, None where nothing is written; returns whether there is a notice to send.

        Then `keystroke` sends it, or `stop`.
        """
        if where is None:
            return self.is_typing
        self._typed = self._clock()
        return where != self._where or self._typed - self._last_sent >= self._wait

    @property
    def _wait(self) -> float:
        """Seconds between two notices, as the server wants."""
        return self._sync.store.realm.limits.typing_started_wait_period_milliseconds / 1000

    async def keystroke(self, where: Where) -> None:
        """Send a notice at the first keystroke, and again after the wait that the server asks for."""
        now = self._clock()
        if self._where is not None and self._where != where:
            await self.stop()
        self._typed = now
        if self._where is None or now - self._last_sent >= self._wait:
            self._where, self._last_sent = where, now
            await self._tell(where, "start")

    async def tick(self) -> None:
        """End the notice after a silence as long as the server says."""
        limits = self._sync.store.realm.limits
        silence = limits.typing_stopped_wait_period_milliseconds / 1000
        if self._where is not None and self._clock() - self._typed >= silence:
            await self.stop()

    async def stop(self) -> None:
        """End the notice, since the message was sent or discarded."""
        where, self._where = self._where, None
        if where is not None:
            await self._tell(where, "stop")

    async def _tell(self, where: Where, op: TypingOp) -> None:
        if not self._is_wanted(where):
            return
        connection = self._sync.connection
        try:
            if isinstance(where, int):
                await routes.set_edit_status(connection, message_id=where, op=op)
            else:
                await routes.set_status(connection, destination=where, op=op)
        except ApiError:
            return  # a missing notice does no harm, and the event stream reports the network

    def _is_wanted(self, where: Where) -> bool:
        store = self._sync.store
        if isinstance(where, int):
            message = store.message(where)
            if message is None or not TYPING_EDITS.is_in(store.realm.feature_level):
                return False
            where = destination_of(conversation_of(message))
        if isinstance(where, DirectDestination):
            others = where.user_ids - {store.self_id}
            return bool(others) and store.settings.send_private_typing_notifications
        return store.settings.send_stream_typing_notifications
