"""Rewrites what terminals send for keys into the one form that identifies the key exactly.

Terminals encode keys in four ways. Textual's parser reads that of the Kitty protocol exactly, and guesses at
the others: `ESC CR` was Enter, Escape and a quick letter were Alt with that letter. So the others are
rewritten in Kitty's form before it sees them (docs/decisions/0015). Reads no terminal.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from typing import Final

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.message import Message

from tui.content import pasted

ESCAPE_SECONDS: Final = 0.05
"""Seconds that an Escape at the end of a read waits for the rest of a sequence, which a network may cut."""
ANSWER_SECONDS: Final = 1.0
"""Seconds that the beginning of a terminal's report waits for its rest; then it is dropped, not typed."""

_ESCAPE: Final = "\x1b[27u"
STRING: Final = r"\x1b\]\d+;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b(?:P[01>]|_G)[^\x1b]*\x1b\\"
"""A complete report of the terminal: its colors, name, capabilities, or about pictures."""
UNFINISHED: Final = (
    r"\x1b(?:\[\?[0-?]*[ -/]*|\[[0-?]*|O|\](?:\d+(?:;[^\x07\x1b]*\x1b?)?)?"
    r"|P(?:[01>][^\x1b]*\x1b?)?|_(?:G[^\x1b]*\x1b?)?)?\Z"
)
"""Beginnings of sequences that the next read may complete."""
_TOKEN: Final = re.compile(
    STRING + r"|\x1b\[\[[A-E]"  # function keys of the Linux console
    r"|\x1b\[[0-?]*[ -/]*[@-~]"
    r"|\x1b\[\d+\$(?=\x1b|\Z)"  # rxvt
    r"|\x1bO[A-DFHMP-Sa-dj-y]"
    r"|\x1b[^\x1b\[O]|\x1b|[^\x1b]+",
    re.DOTALL,
)
_UNFINISHED: Final = re.compile(UNFINISHED)
_STRING_BEGINS: Final = re.compile(r"\]\d+;|P[01>][|$+]|_G")
_ANSWER_BEGINS: Final = re.compile(r"\x1b(?:\[[?>=]|\]\d+;|P[01>]|_G)")
"""The beginnings of reports; no key begins so."""
_ANSWER: Final = re.compile(
    r"\x1b(?:\][^\x1b]*|P[^\x1b]+|_G[^\x1b]*)(?:\x07|\x1b\\)|\x1b\[[?>=][0-9;]*[cRSn]"
)
"""Reports of the terminal. Asked for at the start, they may arrive between keys."""
_OTHER_KEY: Final = re.compile(r"\x1b\[27;(\d+);(\d+)~")
_SHIFTED: Final = re.compile(r"\x1b\[(\d+);(?:2|66|130|194)u")
"""Shift alone, with or without Caps Lock and Num Lock."""
_KITTY_ANSWER: Final = re.compile(r"\x1b\[\?\d+u")
_OTHER_KEYS_ANSWER: Final = re.compile(r"\x1b\[>4;?\d*m")
_TOO_LARGE: Final = re.compile(r"\d{8}")
_KEY: Final = re.compile(r"\x1b\[([\d:]*(?:;[\d:]*){0,2})([u~A-FHPQRS])")
"""A key in the Kitty protocol: codes; modifiers with the kind of event; text."""
_SIZE: Final = re.compile(r"\x1b\[48;(\d{1,7})(?::[\d:]*)?;(\d{1,7})(?::[\d:]*)?;[\d:]*;[\d:]*t")
_RELEASE: Final = "3"
_MOST_CELLS: Final = 9999
_END_OF_UNICODE: Final = 0x110000
_LAST_OF_ASCII: Final = 127
_EDITING: Final = {"\r": 13, "\n": 13, "\x7f": 127, "\x08": 127}
"""Keys that send Escape and themselves in one read with Alt, in every terminal."""
_OPTION_ARROWS: Final = frozenset("bf")
"""A Mac's Option with an arrow sends Escape and one of these: a word back or forward."""
_MAC_TERMINALS: Final = frozenset({"Apple_Terminal", "iTerm.app"})
"""Values of `TERM_PROGRAM`, which tmux and SSH do not pass on."""
_SHIFT: Final = 2
_ALT: Final = 3
_LAYOUT_MODIFIERS: Final = 2 | 4 | 8
"""Bits of Alt, Ctrl and Super: with them a key stands for a command, not for its character."""
_BACKSPACES: Final = (8, 127)
_KEYPAD: Final = range(57399, 57417)
"""Codes of the Kitty protocol for the digits and signs of the numeric keypad, and its Enter."""


class ExactKeys(Message):
    """Posted when the terminal reports, later than at the start, that it tells all keys apart."""


class KeyStream:
    """Rewrites a terminal's input, with exact keys.

    Escape and a character are Alt with it only where `alt_letters` says so, and if both came in one read: to
    most terminals these are the bytes of two keys as well.
    """

    alt_letters = False

    def __init__(self) -> None:
        self._held = ""
        self._since = 0.0
        self._in_paste = False
        self._option_arrows = os.environ.get("TERM_PROGRAM") in _MAC_TERMINALS
        self._shift_tab = os.environ.get("TERM") == "linux"
        self.is_exact = False
        """Whether the terminal reported that it tells all keys apart."""

    def feed(self, data: str, now: float) -> str:
        """Return the input of a read at `now`, in seconds, rewritten; its end may be held back."""
        out = ""
        if self._held and self._is_due(now):
            out = self.give_up()
        is_cut = data[:1] in ("[", "O") or _STRING_BEGINS.match(data)
        if self._held == "\x1b" and not is_cut:
            out += self.give_up()  # two reads are two keys
        data, self._held = self._held + data, ""
        while data:
            if self._in_paste:
                text, end, data = data.partition(BRACKETED_PASTE_END)
                self._in_paste = not end
                out += text + end
                continue
            typed, start, data = data.partition(BRACKETED_PASTE_START)
            self._in_paste = bool(start)
            if not start and (unfinished := _UNFINISHED.search(typed)):
                typed, self._held = typed[: unfinished.start()], unfinished[0]
                self._since = now
            out += "".join(map(self._exact, _TOKEN.findall(typed))) + start
        return out

    @property
    def is_holding(self) -> bool:
        """Whether the end of the last read is held back."""
        return bool(self._held)

    def tick(self, now: float) -> str:
        """Return input that was held back long enough, else ""."""
        return self.give_up() if self._held and self._is_due(now) else ""

    def _is_due(self, now: float) -> bool:
        is_answer = _ANSWER_BEGINS.match(self._held)
        return now - self._since >= (ANSWER_SECONDS if is_answer else ESCAPE_SECONDS)

    def give_up(self) -> str:
        """Return the input that was held back, since nothing more comes."""
        held, self._held = self._held, ""
        if _ANSWER_BEGINS.match(held):
            return ""
        return _ESCAPE + held[1:] if held else ""

    def _exact(self, token: str) -> str:
        if not token.startswith("\x1b"):
            return token
        if len(token) == 1:
            return _ESCAPE
        if _ANSWER.fullmatch(token):
            return ""
        if len(token) == 2:
            return self._after_escape(token[1])
        token = _readable(token)
        if match := _OTHER_KEY.fullmatch(token):
            return _kitty(int(match[2]), int(match[1]))
        if match := _SHIFTED.fullmatch(token):
            return _kitty(int(match[1]), _SHIFT)
        if _KITTY_ANSWER.fullmatch(token):
            self.is_exact = True
            return ""
        if _OTHER_KEYS_ANSWER.fullmatch(token):
            return ""  # too late to ask it for more
        return token

    def _after_escape(self, character: str) -> str:
        """Return the key of an Escape and a character that came in one read."""
        if character in _EDITING:
            return _kitty(_EDITING[character], _ALT)
        if character == "\t" and self._shift_tab:
            return "\x1b[Z"
        is_arrow = self._option_arrows and character in _OPTION_ARROWS
        if is_arrow or (self.alt_letters and character.isprintable()):
            return _kitty(ord(character), _ALT)
        return _ESCAPE + character


def _readable(token: str) -> str:
    """Return a sequence as Textual's parser can read it; "" for a release, and what means nothing.

    Else the parser fails, and the keys that were read with it are lost.
    """
    if _TOO_LARGE.search(token):
        return ""
    if match := _SIZE.fullmatch(token):
        return token if all(0 < int(cells) <= _MOST_CELLS for cells in match.groups()) else ""
    match = _KEY.fullmatch(token)
    if match is None:
        return token
    code, modifiers, text = [*match[1].split(";"), "", ""][:3]
    code, _, others = code.partition(":")
    code = _latin(code, others.rpartition(":")[2], modifiers)
    modifiers, _, kind = modifiers.partition(":")
    characters = [code, *text.split(":")]
    if kind == _RELEASE or any(each and int(each) >= _END_OF_UNICODE for each in characters):
        return ""
    on_keypad = text.isdecimal() and code.isdecimal() and int(code) in _KEYPAD
    if on_keypad:
        code = text  # a plus is a plus; Textual calls this one "add"
    if not (others or kind or on_keypad):
        return token
    return f"\x1b[{code};{modifiers};{text}".rstrip(";") + match[2]


def _latin(code: str, base: str, modifiers: str) -> str:
    """Return the key's code in a Latin layout if it is a command in another script: Ctrl+K there is Ctrl+л."""
    bits = int(modifiers.partition(":")[0] or 1) - 1
    is_foreign = code.isdecimal() and int(code) > _LAST_OF_ASCII
    if is_foreign and base and bits & _LAYOUT_MODIFIERS:
        return base
    return code


def _kitty(code: int, modifiers: int) -> str:
    """Return the Kitty protocol's sequence; a shifted character is sent as that character.

    Shift with Backspace or Space is the key without it, as where terminals do not tell them apart.
    """
    if code in _BACKSPACES:
        return f"\x1b[127;{1 if modifiers == _SHIFT else modifiers}u"
    if code == ord(" ") and modifiers == _SHIFT:
        return " "
    character = chr(code) if 32 < code < _END_OF_UNICODE else ""
    if modifiers == _SHIFT and character.isprintable() and character:
        return character.upper()
    lower = character.lower()
    return f"\x1b[{ord(lower) if len(lower) == 1 else code};{modifiers}u"


class InvisibleKey(events.Key):
    """A character that fields insert, although Python does not count it as printable: spaces of other widths,
    and the joiners within emoji and within words of Persian and Indic scripts.
    """

    @property
    def is_printable(self) -> bool:
        return True


InvisibleKey.handler_name = (
    events.Key.handler_name
)  # Textual derives it from the name of each class


class KeyParser(XTermParser):
    """Textual's parser, behind a `KeyStream`."""

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        self._keys = KeyStream()

    def feed(self, data: str) -> Iterator[Message]:
        """Yield the events of a read; "" is the end of the input."""
        if not data:
            yield from self._parse(self._keys.give_up())
            yield from super().feed(data)
            return
        yield from self._parse(self._keys.feed(data, time.monotonic()))

    def is_letter(self, data: str) -> bool:
        """Whether a read is a character that neither ends nor begins anything: a key, whatever is looked for."""
        return len(data) == 1 and data.isprintable() and not self.is_waiting

    def letter(self, data: str) -> Iterator[Message]:
        """Yield the key of such a character: as `feed`, a fraction of its work."""
        yield from self._sequence_to_key_events(data)

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterator[events.Key]:
        for key in super()._sequence_to_key_events(sequence, alt):
            character = key.character or ""
            is_plain = character.isascii() or character.isprintable()
            # Typed text may have what a paste may have.
            if not is_plain and pasted.fit(character) == (character, 0):
                yield InvisibleKey(key.key, character)
            else:
                yield key

    @property
    def is_waiting(self) -> bool:
        """Whether input is held back until a later `tick`, here or by Textual's own parser."""
        return self._keys.is_holding or self._timeout_time is not None

    def tick(self) -> Iterator[Message]:
        """Yield the events of input that was held back long enough."""
        yield from self._parse(self._keys.tick(time.monotonic()))
        yield from super().tick()

    def _parse(self, exact: str) -> Iterator[Message]:
        if self._keys.is_exact:
            self._keys.is_exact = False
            yield ExactKeys()
        if exact:
            yield from super().feed(exact)
