"""The request that starts a session, and the environment taken from a terminal. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, field
from typing import Final, Literal

from tui.dataclass import dataclass

Kind = Literal["screen", "join", "command"]

LONGEST: Final = 128
_TERM: Final = re.compile(r"[A-Za-z0-9.+-]{1,40}")
_ZONE: Final = re.compile(r"[A-Za-z0-9_+-]{1,30}(?:/[A-Za-z0-9_+-]{1,30}){0,2}")
_LOCALE: Final = re.compile(r"[A-Za-z0-9_.@-]{1,40}")
_WORD: Final = re.compile(r"[A-Za-z0-9_. -]{1,40}")
_TAKEN: Final[Mapping[str, re.Pattern[str]]] = {
    "LANG": _LOCALE,
    "LC_ALL": _LOCALE,
    "LC_CTYPE": _LOCALE,
    "COLORTERM": _WORD,
    "TERM_PROGRAM": _WORD,
    "TERM_PROGRAM_VERSION": _WORD,
    "NO_COLOR": _WORD,
    "TZ": _ZONE,
}
_ALL_COLORS: Final = ("kitty", "ghostty", "alacritty", "wezterm", "foot", "direct")
"""Kinds of terminals, by their TERM, with all colors; OpenSSH does not send COLORTERM unless asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRequest:
    """`folder` is the session's own; `command` is how the person connects to this host."""

    kind: Kind
    folder: str
    site: str
    command: str
    environment: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    """The words of a command."""
    offered: tuple[tuple[str, str], ...] = ()
    """Digest and description of keys that could be noted for the next time."""
    link: str = ""
    """The invitation link to join by."""
    round_trip: float = 0.0
    """Fastest round trip of the terminal, in seconds."""
    memory: int = 0
    """Bytes of address space; 0: no limit."""
    disk: int = 0
    """Bytes of a file; 0: no limit."""
    peer: str = ""
    """The address of the person."""
    secret: str = field(default="", repr=False)
    """Makes the server trust that address; "" for none."""

    def encoded(self) -> bytes:
        """Return the request as a line of JSON."""
        return json.dumps(asdict(self)).encode() + b"\n"


def decoded(line: bytes) -> SessionRequest:
    """Return the request of such a line, which only this program writes."""
    fields = json.loads(line)
    fields["words"] = tuple(fields["words"])
    fields["offered"] = tuple((digest, words) for digest, words in fields["offered"])
    return SessionRequest(**fields)


def environment(term: str, sent: Mapping[str, str]) -> dict[str, str]:
    """Return the whole environment of a session: variables of the terminal, where they are well-formed."""
    taken = {
        name: sent[name]
        for name, form in _TAKEN.items()
        if name in sent and form.fullmatch(sent[name])
    }
    for name in ("LANG", "LC_ALL", "LC_CTYPE"):
        if name in taken and not taken[name].lower().replace("-", "").endswith("utf8"):
            taken[name] = "C.UTF-8"
    taken.setdefault("LANG", "C.UTF-8")
    taken["TERM"] = term if _TERM.fullmatch(term) else "xterm-256color"
    if any(each in taken["TERM"] for each in _ALL_COLORS):
        taken.setdefault("COLORTERM", "truecolor")
    return taken


def size(columns: int, rows: int) -> tuple[int, int]:
    """Clamp the size of a terminal to what can be drawn; a client may send anything."""
    return min(max(columns, 1), 500) if columns else 80, min(max(rows, 1), 200) if rows else 24
