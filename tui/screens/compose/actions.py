"""The composer's actions beyond sending a line now. Draws nothing.

Controllers are imported at first use: importing all of them takes longer than importing HTTP, and a start without a
cache would wait for both.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tui.screens.context import ChatContext
from tui.store import Changes
from tui.sync.status import Live, Status

if TYPE_CHECKING:
    # Imported at first use.
    from tui.screens.compose.attachments import AttachmentController
    from tui.screens.compose.pasting import PasteController
    from tui.screens.compose.preview import PreviewController
    from tui.screens.compose.saved_snippets import Snippets
    from tui.screens.compose.scheduling import ScheduleController
    from tui.screens.notifications import NotificationController

RESUME_SECONDS: Final = 1.0
"""Seconds from the connection to the uploads that an earlier run left: first the conversation is shown."""


class ComposeActions:
    """The controllers of composing; the table at the end maps the names in `tui.keys` to their actions."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context

    @cached_property
    def attachments(self) -> AttachmentController:
        """Files that are uploaded and saved."""
        from tui.screens.compose.attachments import AttachmentController

        return AttachmentController(self._context)

    @cached_property
    def notifications(self) -> NotificationController:
        """The bell and the desktop."""
        from tui.screens.notifications import NotificationController

        return NotificationController(self._context)

    @cached_property
    def schedule(self) -> ScheduleController:
        """Messages that are sent later."""
        from tui.screens.compose.scheduling import ScheduleController

        return ScheduleController(self._context)

    @cached_property
    def snippets(self) -> Snippets:
        """Texts that are kept to be used again."""
        from tui.screens.compose.saved_snippets import Snippets

        return Snippets(self._context)

    @cached_property
    def paste(self) -> PasteController:
        """What was pasted: long texts, and images of the clipboard."""
        from tui.screens.compose.pasting import PasteController

        return PasteController(self._context, self.attachments)

    @cached_property
    def preview(self) -> PreviewController:
        """The preview of the draft."""
        from tui.screens.compose.preview import PreviewController

        return PreviewController(self._context)

    # Sync events

    def store_changed(self, changes: Changes) -> None:
        """Follow new messages and changed drafts."""
        if changes.arrived:
            self.notifications.store_changed(changes)
        if changes.replaced or "drafts" in changes.parts:
            # Later: it may be the composer's own change, which is not over yet.
            shown = self._context.panes.composer_place.shown
            shown.call_later(self._context.composing.follow_draft)

    def status_changed(self, status: Status) -> None:
        """Resume the uploads that an earlier run of the program left, once the network is there."""
        if isinstance(status, Live):
            self._context.run(self._resume)

    async def _resume(self) -> None:
        await asyncio.sleep(RESUME_SECONDS)
        await self.attachments.resume()

    async def run(self, name: str) -> None:
        """Run an action of the account screen by name. Raises NotSupported."""
        from tui.view.offers import check

        check(self._context.session.store, f"writing('{name}')")
        await COMPOSE_ACTIONS[name](self)

    async def _set_status(self) -> None:
        from tui.screens.people.own_status import set_own_status

        await set_own_status(self._context)

    async def _offer_call(self) -> None:
        from tui.screens.compose.video_calls import offer_call

        await offer_call(self._context)

    async def _toggle_preview(self) -> None:
        self.preview.toggle()


COMPOSE_ACTIONS: Final[Mapping[str, Callable[[ComposeActions], Awaitable[None]]]] = {
    "attach": lambda actions: actions.attachments.attach(),
    "cancel": lambda actions: actions.attachments.cancel(),
    "paste_image": lambda actions: actions.paste.image(),
    "later": lambda actions: actions.schedule.send_later(),
    "scheduled": lambda actions: actions.schedule.show(),
    "snippets": lambda actions: actions.snippets.choose(),
    "status": ComposeActions._set_status,
    "call": ComposeActions._offer_call,
    "preview": ComposeActions._toggle_preview,
}
"""The actions of the names in `writing('…')`."""
