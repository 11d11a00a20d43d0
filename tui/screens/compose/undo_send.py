"""Messages that are held for a moment before they are sent, and can be undone until then. No widgets.

They are in the outbox on disk meanwhile: what is held when the program ends is sent the next time.
"""

from collections.abc import Callable

from tui.api.destination import Destination
from tui.api.model import LocalId
from tui.screens.session import Session


class UndoSend:
    """Holds messages for `seconds`, which may change; 0 holds none."""

    def __init__(
        self,
        seconds: int,
        session: Callable[[], "Session"],
        *,
        after: Callable[[float, Callable[[], None]], object],
        note: Callable[[str], None],
        key: Callable[[str], str],
    ) -> None:
        """`after` calls back later; `note` shows a note while messages are held, and "" afterwards.

        `key` names an action's key.
        """
        self.seconds = seconds
        self._session = session
        self._after = after
        self._note = note
        self._key = key
        self._held: list[LocalId] = []

    def show(self, destination: Destination, content: str) -> LocalId:
        """Show a message as sent or held; the caller has the outbox saved."""
        held = self.seconds > 0
        local_id = self._session().sending.show(destination, content, held=held)
        if held:
            self._held.append(local_id)
            self._note(f"sending soon · {self._key('app.undo')} to undo")
            self._after(self.seconds, lambda: self.release(local_id))
        return local_id

    def release(self, local_id: LocalId) -> None:
        """Send a held message, since its time is over."""
        if self.forget(local_id):
            self._session().sending.release(local_id)

    def take(self) -> LocalId | None:
        """Return the last held message and hold it no more; None if there is none."""
        local_id = self._held[-1] if self._held else None
        if local_id is not None:
            self.forget(local_id)
        return local_id

    def forget(self, local_id: LocalId) -> bool:
        """Stop holding a message; False if it was not held."""
        if local_id not in self._held:
            return False
        self._held.remove(local_id)
        if not self._held:
            self._note("")
        return True
