"""What is drawn, without drawings: for those to whom the screen is read aloud. Keeps every cell's place."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_SIGNS: Final = {
    "▌": ">",  # the row one stands on, or that is open
    "•": "*",  # unread
    "●": "+", "◐": "~", "○": "-",  # here, idle, away
    "⚑": "!",  # followed
    "›": ">", "↩": "r",
    "▸": "+", "∴": "&", "▽": " ", "↺": " ", "≡": " ", "★": " ", "✎": " ", "◷": " ", "▾": " ", "⚙": " ",
    "◇": " ",
}  # fmt: skip
"""Signs that stand for something, or beside a word that says the same."""

_DRAWN: Final = str.maketrans(
    {chr(code): " " for code in range(0x2500, 0x25A0)} | _SIGNS  # boxes, lines, blocks
)


class PlainText(LineFilter):
    """Boxes and lines become blanks, signs become characters that are read as one word."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  # Textual's signature
        """The segments as plain text; they are as wide as before."""
        return [
            segment
            if segment.control or segment.text.isascii()
            else segment._replace(text=plain(segment.text))
            for segment in segments
        ]


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """The text without drawings."""
    return text.translate(_DRAWN)
