"""The user's settings of a channel: notifications, muting, pinning, and colors to choose from. Pure."""

from __future__ import annotations

import re
from typing import Final

from tui.store import Store
from tui.view.settings import BoolSetting, ChoiceSetting, ColorSetting, Setting, SettingsSection

COLORS: Final = (
    ("#d65a7e", "rose"),
    ("#c46ba8", "orchid"),
    ("#a86fc9", "violet"),
    ("#6272c4", "indigo"),
    ("#4a90d9", "blue"),
    ("#4fb0c6", "sky"),
    ("#3fa7a0", "teal"),
    ("#5fae57", "green"),
    ("#7fb069", "leaf"),
    ("#7f8c3d", "olive"),
    ("#c9a227", "gold"),
    ("#e0a458", "amber"),
    ("#d9734a", "orange"),
    ("#b5654d", "brick"),
    ("#9a7b4f", "earth"),
    ("#8d99ae", "grey"),
)
"""Easy to tell apart, and readable on dark and light."""

_HEX = re.compile(r"#?((?:[0-9a-f]{3}){1,2})")


def parse_color(text: str) -> str | None:
    """Return `#4a90d9` or `4a9` as `#rrggbb`; None for an invalid text."""
    match = _HEX.fullmatch(text.strip().casefold())
    if match is None:
        return None
    digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])
    return f"#{digits}"


def section(store: Store, undo: str) -> SettingsSection:
    """Return the settings; those that follow a general setting show its value. `undo` is the name of a key."""
    general = store.settings
    settings: tuple[Setting, ...] = (
        ColorSetting(name="color", label="Color", values=COLORS, parse=parse_color),
        BoolSetting(name="is_muted", label="muted: no unread count, no notifications"),
        BoolSetting(name="pin_to_top", label="pinned: above other channels"),
        _heard("desktop_notifications", "Desktop", general.enable_stream_desktop_notifications),
        _heard("audible_notifications", "Sound", general.enable_stream_audible_notifications),
        _heard("push_notifications", "Push", general.enable_stream_push_notifications),
        _heard("email_notifications", "Email", general.enable_stream_email_notifications),
        _heard(
            "wildcard_mentions_notify", "@all counts as a mention", general.wildcard_mentions_notify
        ),
    )
    return SettingsSection(
        name="own",
        label="Your settings",
        help="color, pin, mute, notifications",
        settings=settings,
        text=f"Only for you. {undo} in the conversation undoes the changes one by one.",
    )


def _heard(name: str, label: str, general: bool | None) -> ChoiceSetting:
    usual = "" if general is None else f" ({'yes' if general else 'no'})"
    values = ((None, f"default{usual}"), (True, "yes"), (False, "no"))
    return ChoiceSetting(name=name, label=label, values=values)
