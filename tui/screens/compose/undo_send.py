"""Messages that wait a moment before they are sent, and can be taken back until then. No widgets.

They lie in the outbox on disk meanwhile: what is held when the program ends is sent the next time.
"""

from collections.abc import Callable
from typing import Final

from tui.api.destination import Destination
from tui.api.model import LocalId
from tui.screens.session import Session

NOTE: Final = "sending soon · Ctrl+Z to undo"


class UndoSend:
    """`seconds` 0 holds nothing; it may be changed."""

    def __init__(
        self,
        seconds: int,
        session: Callable[[], "Session"],
        *,
        after: Callable[[float, Callable[[], None]], object],
        note: Callable[[str], None],
    ) -> None:
        """`after` calls back later; `note` says that something is held, "" that nothing is."""
        self.seconds = seconds
        self._session = session
        self._after = after
        self._note = note
        self._held: list[LocalId] = []

    def show(self, destination: Destination, content: str) -> LocalId:
        """Show what is to be sent, or held for a moment; the outbox is to be told to save it."""
        held = self.seconds > 0
        local_id = self._session().sending.show(destination, content, held=held)
        if held:
            self._held.append(local_id)
            self._note(NOTE)
            self._after(self.seconds, lambda: self.release(local_id))
        return local_id

    def release(self, local_id: LocalId) -> None:
        """Its time is over."""
        if self.forget(local_id):
            self._session().sending.release(local_id)

    def take(self) -> LocalId | None:
        """The one that was written last, to be taken back; None if nothing is held."""
        local_id = self._held[-1] if self._held else None
        if local_id is not None:
            self.forget(local_id)
        return local_id

    def forget(self, local_id: LocalId) -> bool:
        """It is not held any more; False if it was not."""
        if local_id not in self._held:
            return False
        self._held.remove(local_id)
        if not self._held:
            self._note("")
        return True
