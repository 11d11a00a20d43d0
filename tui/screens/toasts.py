"""Which notifications a screen shows: Textual shows all on each new screen. Raises no notification."""

from typing import Any

from textual.app import App
from textual.notifications import Notifications
from textual.screen import ModalScreen
from textual.widgets._toast import Toast, ToastRack


def show_unseen(app: App[Any]) -> None:
    """Show on the top screen what no screen that is still in sight below it shows."""
    stack = app._screen_stack if app._running else []
    racks = list(stack[-1].query_children(ToastRack)) if stack else []
    if not racks:
        return
    seen: set[str] = set()
    for above, below in zip(reversed(stack), reversed(stack[:-1]), strict=False):
        if not isinstance(above, ModalScreen):
            break
        seen |= {toast._notification.identity for toast in below.query(Toast)}
    unseen = Notifications()
    for each in app._notifications:
        if each.identity not in seen:
            unseen.add(each)
    racks[0].show(unseen)
