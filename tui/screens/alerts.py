"""Notifications for terminals and desktops: escape sequences, arguments, and writing to the terminal.

Each sequence ends where the text cannot end it: the text has no control characters, and the separators of a
sequence's fields are replaced in it.
"""

import base64
import zlib
from collections.abc import Mapping
from typing import Any

from textual.app import App

from tui.content.sanitize import sanitize_line
from tui.view.notifications import Notice

SHOW_CURSOR = "\x1b[?25h"
SAVE_TITLE = "\x1b[22;2t"
RESTORE_TITLE = "\x1b[23;2t"


def write(app: App[Any], sequence: str) -> None:
    """Send bytes to the terminal, between two frames."""
    driver = app._driver  # Textual itself has no other way to write either
    if driver is not None:
        driver.write(sequence)


def write_with_frame(app: App[Any], sequence: str) -> None:
    """Send bytes to the terminal with the next frame, or soon: with one call of the system fewer."""
    later = getattr(app._driver, "write_with_frame", None)  # Textual's own has none
    if later is None:
        write(app, sequence)
    else:
        later(sequence)


def osc9(notice: Notice) -> str:
    """Return the notification for iTerm2, kitty, WezTerm, Ghostty and Windows Terminal."""
    # "4;…" at the beginning would be a progress bar.
    return f"\x1b]9;{_field(f'{notice.title}: {notice.body}')}\x1b\\"


def osc777(notice: Notice) -> str:
    """Return the notification for foot, rxvt, VTE, WezTerm and Ghostty."""
    return f"\x1b]777;notify;{_field(notice.title)};{_field(notice.body)}\x1b\\"


def osc99(notice: Notice) -> str:
    """Return the notification for kitty and foot, in two parts; encoded, so that the text cannot end it."""
    name = f"{zlib.crc32(f'{notice.title}{notice.body}'.encode()):x}"
    title, body = _encoded(notice.title), _encoded(notice.body)
    return f"\x1b]99;i={name}:d=0:e=1;{title}\x1b\\\x1b]99;i={name}:p=body:e=1;{body}\x1b\\"


def title(text: str) -> str:
    """Return the sequence that sets the terminal's title."""
    return f"\x1b]2;{sanitize_line(text)}\x1b\\"


def notify_send(notice: Notice) -> list[str]:
    """Return the arguments for `notify-send`, which reads the body as markup."""
    body = notice.body.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return ["notify-send", "--app-name=Chinwag", "--", notice.title, body]


def through(sequence: str, environment: Mapping[str, str]) -> str:
    """Wrap a sequence for the multiplexer (tmux) to pass on, if there is one."""
    if "TMUX" not in environment:
        return sequence
    doubled = sequence.replace("\x1b", "\x1b\x1b")
    return f"\x1bPtmux;{doubled}\x1b\\"


def _encoded(text: str) -> str:
    return base64.b64encode(sanitize_line(text).encode()).decode()


def _field(text: str) -> str:
    return sanitize_line(text).replace(";", ",")
