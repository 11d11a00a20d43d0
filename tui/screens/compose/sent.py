"""What was sent to where one does not look: says so, leads there, and tells what did not arrive. No widgets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.api.model import LocalId
from tui.narrow import Conversation
from tui.view import names
from tui.view.messages import looks_at

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen

GO = "Ctrl+G g to open it"


class Sent:
    """The last message that was sent, and those whose failure was told."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen
        self._place: Conversation | None = None
        self._told: set[LocalId] = set()

    def note(self, place: Conversation) -> None:
        """A message was sent there; where it shows up on screen, nothing has to be said."""
        self._place = place
        if place == self._screen.open_narrow.narrow and self._screen.overviews.opened is None:
            return  # its end comes into view
        if self._is_seen(place):
            if self._screen.messages.at_tail:
                return
            way = "End to see it"
        else:
            way = GO
        from tui.sync.status import Live

        is_live = isinstance(self._screen.session.sync.status, Live)
        words = "Sent to" if is_live else "Not connected: will be sent to"
        self._screen.tell(f"{words} {self._name(place)} · {way}")

    def follow(self) -> None:
        """Messages on their way changed: tell of those that failed out of sight."""
        store = self._screen.session.store
        for each in store.outbox.by_id.values():
            place = each.conversation(store.self_id)
            has_failed = each.state in ("failed", "unclear")
            if has_failed and each.local_id not in self._told and not self._is_seen(place):
                self._told.add(each.local_id)
                self._place = place
                self._screen.tell(f"Not sent to {self._name(place)}: {each.error} {GO}")
            elif not has_failed:
                self._told.discard(each.local_id)

    def go(self) -> None:
        """Open the conversation of the last message, at its end."""
        if self._place is None:
            self._screen.tell("You have not sent a message yet.")
            return
        self._screen.go(self._place)
        self._screen.begin(self._screen.open_narrow.go_to_newest, group="newest")

    def _is_seen(self, place: Conversation) -> bool:
        narrow = self._screen.open_narrow.narrow
        is_covered = self._screen.overviews.opened is not None
        return narrow is not None and not is_covered and looks_at(narrow, place)

    def _name(self, place: Conversation) -> str:
        return names.conversation(self._screen.session.store, place)
