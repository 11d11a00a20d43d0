"""Everything about writing that is more than a line sent now: by the name of the act. Draws nothing.

Imported when a session is opened: the commands bring httpx with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.screens.compose.attachments import Attaching
from tui.screens.compose.pasting import Pasting
from tui.screens.compose.preview import Previewing
from tui.screens.compose.saved_snippets import Snippets
from tui.screens.compose.scheduling import Later
from tui.screens.compose.video_calls import offer_call
from tui.screens.messages.forwarding import forward
from tui.screens.messages.moving import Moving
from tui.screens.messages.reporting import report
from tui.screens.notifying import Notifying
from tui.screens.people.own_status import set_own_status
from tui.sync.status import Live
from tui.view.offers import check
from tui.view.rows import MessageRow

if TYPE_CHECKING:
    from tui.screens.account import AccountScreen
    from tui.store import Changes
    from tui.sync.status import Status


class ComposeActions:
    """Passes each act of `tui.keys` on to who does it."""

    def __init__(self, screen: AccountScreen) -> None:
        self._screen = screen
        self._moving = Moving(screen)
        self._later = Later(screen)
        self._snippets = Snippets(screen)
        self.attaching = Attaching(screen)
        self.pasting = Pasting(screen, self.attaching)
        self.previewing = Previewing(screen)
        self.notifying = Notifying(screen)

    # What the sync machine tells

    def store_changed(self, changes: Changes) -> None:
        """Messages came, or drafts are otherwise."""
        self.notifying.store_changed(changes)
        if "drafts" in changes.parts:
            # Later: it may be the composer's own change, which is not over yet.
            self._screen.call_later(self._screen.composing.follow_draft)

    def status_changed(self, status: Status) -> None:
        """The network is there: files go on that were on their way when the program ended."""
        self.notifying.status_changed(status)
        if isinstance(status, Live):
            self._screen.begin(self.attaching.resume)

    async def act(self, name: str) -> None:
        """An act of the main screen. Raises NotSupported."""
        check(self._screen.session.store, f"writing('{name}')")
        match name:
            case "attach":
                await self.attaching.attach()
            case "cancel":
                await self.attaching.cancel()
            case "paste_image":
                await self.pasting.image()
            case "later":
                await self._later.send_later()
            case "waiting":
                await self._later.show()
            case "snippets":
                await self._snippets.choose()
            case "status":
                await set_own_status(self._screen)
            case "call":
                await offer_call(self._screen)
            case "preview":
                self.previewing.toggle()

    async def act_on(self, name: str, row: MessageRow) -> None:
        """An act on a message; what is not known does nothing."""
        match name:
            case "move":
                await self._moving.move(row.message_id)
            case "resolve":
                await self._moving.resolve(row.message_id)
            case "forward":
                await forward(self._screen, row)
            case "remind":
                await self._later.remind(row.message_id)
            case "report":
                await report(self._screen, row.message_id)
            case "save":
                await self.attaching.save(row)
