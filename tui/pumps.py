"""Lets Textual's message pumps go on after a handler failed. Knows of no screens.

Textual ends the pump of a widget whose handler raises, and with it the widget. Here, too, the error goes to
`App._handle_exception`, which decides what it means, but the pump takes the next message.
"""

from textual import events
from textual.message import Message
from textual.message_pump import MessagePump

_dispatch = MessagePump._dispatch_message
_ONCE = (events.Load, events.Compose, events.Mount)
"""Events that build a widget: if one of these fails, the widget cannot go on."""


def go_on_after_failures() -> None:
    """Install this from now on, in every app of this process."""
    MessagePump._dispatch_message = _dispatch_guarded  # type: ignore[method-assign]  # Textual has no hook for it


async def _dispatch_guarded(self: MessagePump, message: Message) -> None:
    if isinstance(message, _ONCE):
        await _dispatch(self, message)
        return
    try:
        await _dispatch(self, message)
    except Exception as error:  # noqa: BLE001  # any failure of a handler
        self.app._handle_exception(error)
