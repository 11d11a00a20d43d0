"""The bytes that terminals send for a key: xterm and tmux in the legacy encoding, and two newer protocols.

Pure: converts a name of a key (`alt+enter`, as in `tui.keys`) and a keyboard to bytes.
"""

import unicodedata
from typing import Final, Literal, TypeAlias

Keyboard: TypeAlias = Literal["legacy", "tmux", "kitty", "modify_other_keys"]
"""`legacy` is xterm with Alt as Escape before the key, like VTE, Konsole and others."""

NAMED: Final = {
    "escape": 27, "enter": 13, "tab": 9, "backspace": 127, "space": 32,
}  # fmt: skip
"""Keys that are a control character, by its code."""
_LETTERED: Final = {
    "up": "A", "down": "B", "right": "C", "left": "D", "end": "F", "home": "H",
    "f1": "P", "f2": "Q", "f3": "R", "f4": "S",
}  # fmt: skip
"""CSI 1 ; modifiers LETTER."""
_NUMBERED: Final = {
    "insert": 2, "delete": 3, "pageup": 5, "pagedown": 6, "f5": 15, "f6": 17, "f7": 18, "f8": 19,
    "f9": 20, "f10": 21, "f11": 23, "f12": 24,
}  # fmt: skip
"""CSI NUMBER ; modifiers ~."""
_TMUX: Final = {"home": b"\x1b[1~", "end": b"\x1b[4~"}
_UNSHIFTED: Final = dict(zip('~!@#$%^&*()_+{}|:"<>?', "`1234567890-=[]\\;',./", strict=True))
_CHARACTERS: Final = {
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "slash": "/",
    "plus": "+",
    "minus": "-",
    "underscore": "_",
    "at": "@",
}
_BITS: Final = {"shift": 1, "alt": 2, "ctrl": 4, "super": 8}
_RUSSIAN: Final = dict(zip("йцукенгшщзфывапролдячсмить", "qwertyuiopasdfghjklzxcvbnm", strict=True))
"""Letters of the Russian layout, with those that the Latin one has on the same keys."""
OTHER_LAYOUTS: Final = 4
"""The Kitty protocol's flag for sending a key's code in a Latin layout, too."""
ALL_KEYS: Final = 8
"""The Kitty protocol's flag for sending text as sequences, too."""


def encode(key: str, keyboard: Keyboard, *, kitty_flags: int = 25, level: int = 2) -> bytes:
    """Return the bytes of a key press.

    `kitty_flags` are those that the program requested from a Kitty (0: none yet, so it is a legacy terminal);
    `level` is that of `modifyOtherKeys`. Without bytes for a combination, a terminal sends those of the key
    without the modifier.
    """
    *modifiers, name = key.split("+")
    bits = sum(_BITS[each] for each in modifiers)
    if keyboard == "kitty" and kitty_flags:
        return _kitty(name, bits, kitty_flags)
    if keyboard == "modify_other_keys" and level and (sequence := _other_key(name, bits, level)):
        return sequence
    if keyboard == "tmux" and not bits and name in _TMUX:
        return _TMUX[name]
    return _legacy(name, bits)


def character(name: str) -> str:
    """Return the character that a key's name stands for; "" if none."""
    if len(name) == 1:
        return name
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    try:
        return unicodedata.lookup(name.replace("_", " "))
    except KeyError:
        return ""


def _modified(name: str, bits: int) -> bytes | None:
    """Return the sequence of a special key, equal on all keyboards."""
    if name in _LETTERED:
        if bits:
            return f"\x1b[1;{bits + 1}{_LETTERED[name]}".encode()
        return f"\x1b{'O' if name.startswith('f') else '['}{_LETTERED[name]}".encode()
    if name in _NUMBERED:
        return f"\x1b[{_NUMBERED[name]}{f';{bits + 1}' if bits else ''}~".encode()
    return None


def _legacy(name: str, bits: int) -> bytes:
    sequence = _modified(name, bits)
    if sequence is not None:
        return sequence
    if name == "tab" and bits & 1:
        return b"\x1b[Z"
    escape = b"\x1b" if bits & 2 else b""
    if name in NAMED and name != "space":
        return escape + bytes([NAMED[name]])
    text = " " if name == "space" else character(name)
    if bits & 4:
        text = {"/": "_", " ": "@"}.get(text, text)
        return escape + bytes([ord(text.upper()) & 0x1F])
    return escape + (text.upper() if bits & 1 else text).encode()


def _other_key(name: str, bits: int, level: int) -> bytes | None:
    """Return `CSI 27 ; modifiers ; code ~`, if the level encodes the key this way."""
    if _modified(name, bits) is not None or not bits:
        return None
    if name in NAMED:
        if name == "tab" and bits == 1:
            return None
        code = NAMED[name]
    else:
        text = character(name)
        if bits == 1:
            return None  # a shifted character is a character of its own
        if level == 1 and (bits == 2 or (bits == 4 and text.isalpha())):
            return None  # the legacy bytes are unambiguous
        code = ord(text.upper() if bits & 1 else text)
    return f"\x1b[27;{bits + 1};{code}~".encode()


def _kitty(name: str, bits: int, flags: int) -> bytes:
    sequence = _modified(name, bits)
    if sequence is not None:
        return sequence.replace(b"\x1bO", b"\x1b[")
    if name in NAMED and name != "space":
        return f"\x1b[{NAMED[name]}{f';{bits + 1}' if bits else ''}u".encode()
    text = " " if name == "space" else character(name)
    if bits in (0, 1):
        text = text.upper() if bits else text
        base = _UNSHIFTED.get(text, text.lower())
        if not flags & ALL_KEYS:
            return text.encode()
        return f"\x1b[{ord(base)};{'2' if base != text else ''};{ord(text)}u".encode()
    base = _UNSHIFTED.get(text, text.lower())
    bits |= base != text
    latin = _RUSSIAN.get(base) if flags & OTHER_LAYOUTS else None
    code = f"{ord(base)}::{ord(latin)}" if latin else ord(base)
    return f"\x1b[{code};{bits + 1}u".encode()
