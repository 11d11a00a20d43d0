"""The settings of this machine in a list: Enter changes one, which applies at once and is saved.

The effect of a setting is implemented elsewhere; its label and sentence are here. Draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any, Final, Protocol

from tui.config import Settings, choices_of
from tui.content.sanitize import sanitize_line
from tui.host import LOCAL, Host, host_of
from tui.keys import Keyboard, keyboard_of
from tui.screens.dialogs.actions import DialogAction
from tui.screens.dialogs.choices import Choice
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.listing import ListDialog, ListingRow
from tui.screens.dialogs.prompt import Prompt

LABELS: Final[dict[str, tuple[str, str]]] = {
    "theme": ("Theme", "colors"),
    "density": ("Density", "compact: no empty lines between messages"),
    "fold_lines": ("Fold long messages", "number of lines shown; 0: never fold"),
    "images": ("Images", "auto: best quality of this terminal"),
    "clock": ("Clock", "12 or 24 hours"),
    "screen_reader": ("Screen reader", "plain text, one pane at a time, a visible cursor"),
    "reduced_motion": ("Reduced motion", "no blinking, sliding or spinning"),
    "enter_sends": ("Enter sends", "no: Enter inserts a line break, {send} sends"),
    "keys_preset": ("Keys", "vim: h j k l, i to write, u to undo, zz; single keys: {keys}"),
    "alt_letters": (
        "Alt with letters",
        "yes: treat Esc and a letter in one burst as Alt",
    ),
    "mark_read": ("Mark read when seen", "no: mark messages as read by hand only"),
    "hold_seconds": ("Undo send", "seconds to undo a send"),
    "paste_lines": ("Ask before long pastes", "number of lines; 0: never ask"),
    "notify": ("Notifications", "when the terminal is not focused"),
    "notify_by": ("Desktop notifications", "by terminal sequences or a program"),
    "notify_for": ("Notify of", "mentions: also followed topics and alert words"),
    "notify_content": ("Show message text", "no: show the sender only"),
    "quiet_hours": ("Quiet hours", "no notifications, e.g. 22:00-07:00"),
    "terminal_title": ("Terminal title", "unread count and organization"),
    "downloads": ("Downloads folder", "for saved files; empty: system default"),
}
"""In the order of the list, with names of keys to fill in; settings that are not here are changed elsewhere."""


OF_THE_MACHINE: Final = frozenset({"downloads", "images"})


class Application(Protocol):
    """The application, as this list sees it."""

    settings: Settings

    @property
    def available_themes(self) -> dict[str, Any]:
        """The themes by name."""

    @property
    def push_screen_wait(self) -> Callable[..., Any]:
        """Shows a dialog and returns its result."""

    def change(self, name: str, value: str | int | bool | None) -> None:
        """Apply a setting and save it; None for its default. Raises ConfigError."""


async def show(app: Application) -> None:
    """Show the list until Esc."""
    await app.push_screen_wait(
        ListDialog(
            "Settings on this machine",
            rows=lambda: rows(app.settings, keyboard_of(app), host_of(app)),
            actions=partial(_actions, app),
        )
    )


def rows(settings: Settings, keyboard: Keyboard, host: Host = LOCAL) -> list[ListingRow]:
    """Return a row for each setting with its value; on a shared host without those of the machine."""
    send, *_ = dict(settings.keys).get("composer.send", "ctrl+s").split(",")
    named = {"send": keyboard.name(send.strip()), "keys": keyboard.key("app.keys")}
    return [
        ListingRow(
            key=name,
            label=label,
            detail=(value_label(getattr(settings, name)), about.format_map(named)),
        )
        for name, (label, about) in LABELS.items()
        if host.is_local or name not in OF_THE_MACHINE
    ]


def value_label(value: str | int | bool) -> str:
    """Return a setting's value as text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return sanitize_line(str(value)) or "—"


def _actions(app: Application, key: Hashable | None) -> Sequence[DialogAction]:
    if not isinstance(key, str):
        return ()
    return (
        DialogAction(key="enter", label="change", run=partial(_change, app, key)),
        DialogAction(key="r", label="reset to default", run=partial(_reset, app, key)),
    )


async def _change(app: Application, name: str) -> None:
    value = await _ask(app, name)
    if value is not None:
        app.change(name, value)


async def _reset(app: Application, name: str) -> None:
    app.change(name, None)


async def _ask(app: Application, name: str) -> str | int | bool | None:
    """Ask for a new value; None if canceled."""
    now = getattr(app.settings, name)
    label, about = LABELS[name]
    if isinstance(now, bool):
        return not now
    if name == "theme":
        return await _theme(app)
    few = [
        each for each in choices_of(name) if host_of(app).can("programs") or each != "notify-send"
    ]
    if few:
        return few[(few.index(now) + 1) % len(few)] if now in few else few[0]

    def trouble(text: str) -> str:
        is_number = text.strip().isascii() and text.strip().isdecimal()
        return "" if is_number or isinstance(now, str) else f"{label} must be a number, 0 or more."

    typed: str | None = await app.push_screen_wait(
        Prompt(label, hint=about, text=str(now), trouble=trouble)
    )
    if typed is None or isinstance(now, str):
        return typed if typed is None else typed.strip()
    return int(typed)


async def _theme(app: Application) -> str | None:
    """Ask for a theme; Chinwag's own first, the current one marked."""
    choices = [
        Choice(
            value=name,
            label=name,
            detail="current" if name == app.settings.theme else "",
            weight=float(name.startswith("chinwag")),
        )
        for name in sorted(app.available_themes)
    ]
    chosen: str | None = await app.push_screen_wait(
        Chooser("Theme", choices, hint="type to filter")
    )
    return chosen
