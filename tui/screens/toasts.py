"""Toasts: which of them a screen shows, their size and time. Posts none."""

from typing import Any, Final

from textual.app import App
from textual.content import Content
from textual.notifications import Notifications
from textual.screen import ModalScreen
from textual.widgets._toast import Toast, ToastHolder, ToastRack

CSS: Final = "ToastHolder { max-width: 60; } Toast { width: auto; max-width: 100%; }"
"""In small terminals, too, a sentence has few lines."""

READ_A_SECOND: Final = 15
"""Characters that a slow reader reads in a second."""


def reading_seconds(text: str) -> float:
    """Return how long a toast is shown, so that it can be read: 6 to 60 seconds."""
    return min(60.0, max(6.0, len(text) / READ_A_SECOND))


def fitting(text: str, width: int, height: int) -> str:
    """Shorten a toast to a terminal of that size: its end would push its beginning out."""
    columns = min(60, width * 9 // 10) - 3
    lines = Content(text).wrap(max(columns, 10))
    most = max(height - 6, 1)
    return text if len(lines) <= most else "\n".join(line.plain for line in lines[:most])[:-1] + "…"


def show_unseen(app: App[Any]) -> None:
    """Show on the top screen only toasts that no visible screen below it shows.

    Textual shows all of them again on each new screen.
    """
    stack = app._screen_stack if app._running else []
    if not stack or not stack[-1].children:
        return  # it shows them once it is composed
    seen: set[str] = set()
    for above, below in zip(reversed(stack), reversed(stack[:-1]), strict=False):
        if not isinstance(above, ModalScreen):
            break
        seen |= {toast._notification.identity for toast in below.query(Toast)}
    unseen = Notifications()
    for each in app._notifications:
        if each.identity not in seen:
            unseen.add(each)
    if racks := list(stack[-1].query_children(ToastRack)):
        _show(racks[0], unseen)
    elif unseen and isinstance(stack[-1], ModalScreen) and not app._disable_notifications:
        # A dialog gets a rack with its first toast.
        rack = ToastRack()
        stack[-1].mount(rack)
        rack.call_next(show_unseen, app)  # by then there may be others, or none


def _show(rack: ToastRack, unseen: Notifications) -> None:
    """Show toasts as Textual does, and remove the holders of those whose time is over.

    Textual leaves them, each with its toast, if the next toast comes before the timer of the one before.
    """
    for toast in rack.query(Toast):
        if toast._notification not in unseen and isinstance(toast.parent, ToastHolder):
            toast.parent.remove()
    rack.show(unseen)
