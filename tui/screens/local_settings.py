"""The settings of this machine in a list: each is changed by Enter, holds at once, and is kept.

What a setting does is decided elsewhere; here it has its name and its sentence. Draws nothing itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, Protocol

from tui.config import Settings, choices_of
from tui.content.sanitise import sanitise_line
from tui.errors import ConfigError
from tui.screens.dialogs.acts import Act
from tui.screens.dialogs.chooser import Choice, Chooser
from tui.screens.dialogs.listing import Listing, ListingRow
from tui.screens.dialogs.prompt import Prompt

LABELS: Final[dict[str, tuple[str, str]]] = {
    "theme": ("Colours", "one of the themes"),
    "density": ("Density", "compact: no empty lines between what people say"),
    "fold_lines": ("Fold long messages", "after so many lines; 0: never"),
    "images": ("Pictures", "auto: as well as the terminal can"),
    "clock": ("Clock", "how times are written"),
    "screen_reader": ("Screen reader", "one thing at a time, plain text, a cursor to follow"),
    "reduced_motion": ("Reduced motion", "nothing blinks, slides or turns"),
    "enter_sends": ("Enter sends", "no: Enter inserts a line break, Ctrl+S sends"),
    "keys_preset": ("Keys", "vim: h j k l, i writes, u undoes, zz; single keys: Ctrl+G k"),
    "alt_letters": (
        "Alt with letters",
        "yes: this terminal sends Alt; pressing Esc and a letter fast is Alt too",
    ),
    "mark_read": ("Mark read when seen", "no: nothing is marked read unless you ask"),
    "hold_seconds": ("Hold before sending", "seconds in which Ctrl+Z takes a message back"),
    "paste_lines": ("Ask about pastes from", "lines; 0: always paste as text"),
    "notify": ("Notify by", "while the terminal is not looked at"),
    "notify_by": ("Desktop is told by", "terminal sequences, or a program"),
    "notify_for": ("Notify of", "mentions: also followed topics and alert words"),
    "notify_content": ("Notifications quote", "no: they say who wrote, and not what"),
    "quiet_hours": ("Quiet hours", "without notifications, such as 22:00-07:00"),
    "terminal_title": ("Terminal title", "the count of what waits, and the organisation"),
    "downloads": ("Downloads folder", "for files you save; empty: the system's"),
}
"""In the order of the list; what it does not name is changed elsewhere."""


class Application(Protocol):
    """What the list needs of the application."""

    settings: Settings

    @property
    def available_themes(self) -> dict[str, Any]:
        """By name."""

    @property
    def push_screen_wait(self) -> Callable[..., Any]:
        """Shows a dialog and answers what it was dismissed with."""

    def change(self, name: str, value: str | int | bool | None) -> None:
        """Apply a setting and keep it; None is its default. Raises ConfigError."""


async def show(app: Application) -> None:
    """The list, until Esc."""
    await app.push_screen_wait(
        Listing(
            "Settings on this machine",
            rows=lambda: rows(app.settings),
            acts=_acts,
            do=lambda act, key: _do(app, act, key),
        )
    )


def rows(settings: Settings) -> list[ListingRow]:
    """Every setting with its value."""
    return [
        ListingRow(key=name, label=label, detail=f"{said(getattr(settings, name)):<16}  {about}")
        for name, (label, about) in LABELS.items()
    ]


def said(value: str | int | bool) -> str:
    """A value in a word."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return sanitise_line(str(value)) or "—"


def _acts(key: Hashable | None) -> Sequence[Act]:
    if key is None:
        return ()
    return (
        Act(key="enter", label="change", act="change"),
        Act(key="r", label="the default", act="reset"),
    )


async def _do(app: Application, act: str, key: Hashable | None) -> bool | None:
    name = str(key)
    value = None if act == "reset" else await _ask(app, name)
    if value is not None or act == "reset":
        app.change(name, value)
    return None


async def _ask(app: Application, name: str) -> str | int | bool | None:
    """What the person wants instead; None if they thought better of it."""
    now = getattr(app.settings, name)
    label, about = LABELS[name]
    if isinstance(now, bool):
        return not now
    if name == "theme":
        return await _theme(app)
    few = choices_of(name)
    if few:
        return few[(few.index(now) + 1) % len(few)]
    typed: str | None = await app.push_screen_wait(Prompt(label, hint=about, text=str(now)))
    if typed is None or isinstance(now, str):
        return typed if typed is None else typed.strip()
    if not (typed.strip().isascii() and typed.strip().isdecimal()):
        raise ConfigError(f"{label} is a number, 0 or more.")
    return int(typed)


async def _theme(app: Application) -> str | None:
    """Chinwag's own first; the one that is on is said."""
    choices = [
        Choice(
            value=name,
            label=name,
            detail="as it is now" if name == app.settings.theme else "",
            weight=float(name.startswith("chinwag")),
        )
        for name in sorted(app.available_themes)
    ]
    chosen: str | None = await app.push_screen_wait(Chooser("Colours", choices, hint="which ones?"))
    return chosen
