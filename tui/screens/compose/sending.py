"""Sends the draft, says where it went, goes there, and reports failed messages. No widgets."""

from __future__ import annotations

from tui.api.model import LocalId
from tui.keys import keyboard_of
from tui.narrow import Conversation, conversation_of
from tui.screens.context import ChatContext
from tui.screens.news import drawn
from tui.store import Changes
from tui.view import names
from tui.view.messages import looks_at


class SendController:
    """Sends, and remembers the last destination and the failures that were reported."""

    def __init__(self, context: ChatContext) -> None:
        self._context = context
        self._place: Conversation | None = None
        self._announced: set[LocalId] = set()

    async def send(self, text: str) -> None:
        """Send a text to the draft's destination."""
        context = self._context
        place = await context.composing.submit(text)
        if place is None:
            return
        messages = context.panes.messages
        try:
            self._tell(place)
            if place == context.current_narrow:
                messages.action_newest()
                if context.panes.composer.has_focus:
                    messages.select(None)  # the next arrow key begins at the new message
            await drawn(messages)  # before the disk is waited for
        finally:
            context.composing.keep()
        await context.session.typing.stop()

    def _tell(self, place: Conversation) -> None:
        """Say where a message went, unless it appears on screen."""
        self._place = place
        if place == self._context.current_narrow and self._context.open_overview is None:
            return  # scrolled to the end
        if self._is_seen(place):
            if self._context.panes.messages.at_tail:
                return
            way = "End to see it"
        else:
            way = self._go()
        self._announce(place, way)

    def _announce(self, place: Conversation, way: str) -> None:
        from tui.sync.status import Live

        self._place = place
        is_live = isinstance(self._context.session.sync.status, Live)
        beginning = "Sent to" if is_live else "Not connected: will be sent to"
        self._context.toast(f"{beginning} {self._name(place)} · {way}")

    def _stays(self, source: Conversation, changes: Changes) -> bool:
        """Whether a message of the user was on its way to a topic while it moved: its request stays as it was."""
        store = self._context.session.store
        waiting = {each.conversation(store.self_id) for each in store.outbox.by_id.values()}
        received = map(store.message, changes.echoes.values())
        return source in waiting or any(
            each and conversation_of(each) == source for each in received
        )

    def _go(self) -> str:
        return f"{keyboard_of(self._context.app).key('app.go_to_sent')} to open it"

    def follow(self, changes: Changes) -> None:
        """Report messages out of sight that failed to send, or whose topic moved away without them."""
        for move in changes.moves:
            if (move.is_whole or move.goes_on) and self._stays(move.source, changes):
                self._announce(move.source, self._go())
        store = self._context.session.store
        for each in store.outbox.by_id.values():
            place = each.conversation(store.self_id)
            has_failed = each.state in ("failed", "unclear")
            if has_failed and each.local_id not in self._announced and not self._is_seen(place):
                self._announced.add(each.local_id)
                self._place = place
                self._context.toast(f"Not sent to {self._name(place)}: {each.error} {self._go()}")
            elif not has_failed:
                self._announced.discard(each.local_id)

    def go(self) -> None:
        """Open the conversation of the last message, at its end."""
        if self._place is None:
            self._context.toast("You have not sent a message yet.")
            return
        self._context.go(self._place)
        self._context.run(self._context.open_narrow.go_to_newest, group="newest")

    def _is_seen(self, place: Conversation) -> bool:
        narrow = self._context.current_narrow
        is_covered = self._context.open_overview is not None
        return narrow is not None and not is_covered and looks_at(narrow, place)

    def _name(self, place: Conversation) -> str:
        return names.conversation(self._context.session.store, place)
