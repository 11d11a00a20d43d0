"""The one sanitizer: text from a server or another person, made safe for a terminal.

Every string that another person wrote passes here before a widget sees it. Textual removes neither escape
sequences nor C1 controls from what it draws, so an unsanitized name can rewrite the reader's clipboard,
window title or screen. Pure: no I/O, no clock, no Textual. Does not judge links.
"""

import re
import unicodedata
from typing import Final

MAX_MARKS: Final = 8
"""Combining marks kept in a row. Ordinary scripts need up to five (Tibetan, Hebrew with accents)."""

TAB: Final = 4
"""Columns between tab stops."""

_ASCII_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")

_NEWLINES = re.compile("\r\n?|[\u2028\u2029]")

# Replaced or removed in any context.
_NEVER = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f"  # C0 without newline, DEL, C1
    "\xad\u061c\u180e\u200e\u200f\ufeff\u2060-\u2064"  # invisible: soft hyphen, marks, joiners
    "\u202a-\u202e\u2066-\u206f\ufff9-\ufffb"  # bidi, deprecated format, interlinear
    "\ud800-\udfff]"  # lone surrogates
    "|[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]+"  # tag characters
)

# The flags of England, Scotland and Wales: terminals draw the black flag and disagree on the rest.
_REGION = re.compile("\U0001f3f4[\U000e0020-\U000e007f]+")

# Kept where a script or an emoji sequence needs them: zero width space and joiners, variation
# selectors.
_IN_PLACE = re.compile("[\u200b-\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")

# Marks are neither word characters nor ASCII, so a longer run of such characters may be too many marks (or a
# harmless row of emoji); `_cap_marks` decides.
_PERHAPS_MARKS = re.compile(rf"[^\w\x00-\x7f]{{{MAX_MARKS + 1},}}")

_SUSPECT = re.compile(
    f"{_NEVER.pattern}|\u2028|\u2029|{_IN_PLACE.pattern}|{_PERHAPS_MARKS.pattern}"
)

_DROPPED = frozenset("\xad\u061c\u180e\u200e\u200f\ufeff\u2060\u2061\u2062\u2063\u2064")

_DOTTED_CIRCLE = "\u25cc"


def sanitize(text: str) -> str:
    """Return `text` without anything that a terminal would obey; newlines stay, tabs become spaces.

    Controls become visible pictures (ESC is `␛`), bidi overrides, tag and interlinear characters
    become `⟨U+202E⟩`, lone surrogates U+FFFD, marks that only steer invisible layout are dropped,
    and at most `MAX_MARKS` combining marks stay in a row. Ordinary text of any script comes back
    unchanged, plain text as the same object. Idempotent, linear.
    """
    if text.isascii():
        if not _ASCII_CONTROL.search(text):
            return text
    elif not _SUSPECT.search(text) and not _starts_with_mark(text):
        return text
    text = _NEWLINES.sub("\n", text).expandtabs(TAB)
    text = _NEVER.sub(_inert, _REGION.sub("\U0001f3f4", text))
    return _anchor_marks(_cap_marks(_settle_joiners(text)))


def sanitize_line(text: str) -> str:
    """Return text safe for a field of one line (names, topics, errors): a newline becomes a space."""
    text = sanitize(text)
    return text.replace("\n", " ") if "\n" in text else text


def _inert(match: re.Match[str]) -> str:
    """Return the replacement of a character that must not reach the terminal."""
    char = match[0][0]
    code = ord(char)
    if char in _DROPPED:
        return ""
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"⟨U+{code:04X}⟩"


def _settle_joiners(text: str) -> str:
    """Drop zero width characters and variation selectors where nothing needs them."""
    if not _IN_PLACE.search(text):
        return text
    kept: list[str] = []
    for i, char in enumerate(text):
        if _IN_PLACE.match(char):
            before = kept[-1] if kept else ""
            after = text[i + 1] if i + 1 < len(text) else ""
            if not _belongs(char, before, after):
                continue
        kept.append(char)
    return "".join(kept)


def _belongs(char: str, before: str, after: str) -> bool:
    """Whether an invisible character has an effect between its neighbors."""
    if not before:
        return False
    if char == "\ufe0f" and before in "0123456789#*":
        return after == "\u20e3"  # a keycap emoji
    if char in "\u200b\u200c\u200d":
        if "\u0590" <= before <= "\u1cff" and unicodedata.category(before)[0] in "LM":
            return True  # Arabic, Indic and South-East Asian scripts shape and break words by them
        return char == "\u200d" and _in_emoji(before) and _is_emoji(after)
    return _is_emoji(before) or unicodedata.category(before) == "Lo"


def _in_emoji(char: str) -> bool:
    return char in "\ufe0f\u20e3" or _is_emoji(char)


def _is_emoji(char: str) -> bool:
    if not char or char < "\u203c":
        return char in ("©", "®")
    if "\U0001f000" <= char <= "\U0001fbff" or char == "ℹ":
        return True
    return char <= "\u33ff" and unicodedata.category(char) in ("So", "Sm", "Po", "Pd")


def _cap_marks(text: str) -> str:
    """Cut runs of combining marks: they pile up over the lines above and below."""
    return _PERHAPS_MARKS.sub(_cap_run, text)


def _cap_run(match: re.Match[str]) -> str:
    kept: list[str] = []
    marks = 0
    for char in match[0]:
        if _is_mark(char):
            marks += 1
        elif not _IN_PLACE.match(char):
            marks = 0
        if marks <= MAX_MARKS:
            kept.append(char)
    return "".join(kept)


def _anchor_marks(text: str) -> str:
    """Give a mark without a base one of its own, else it is drawn on the character left of the text."""
    if "\n" not in text:
        return _DOTTED_CIRCLE + text if _starts_with_mark(text) else text
    return "\n".join(
        _DOTTED_CIRCLE + line if _starts_with_mark(line) else line for line in text.split("\n")
    )


def _starts_with_mark(text: str) -> bool:
    return bool(text) and _is_mark(text[0])


def _is_mark(char: str) -> bool:
    return unicodedata.category(char)[0] == "M"
