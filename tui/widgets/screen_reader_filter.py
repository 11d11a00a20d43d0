"""Replaces drawing characters for screen readers. Every cell keeps its place."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_SIGNS: Final = {
    "▌": ">",  # the row under the cursor, or the open one
    "•": "*",  # unread
    "●": "+", "◐": "~", "○": "-",  # here, idle, away
    "⚑": "!",  # followed
    "›": ">", "↩": "r",
    "▸": "+", "∴": "&", "▽": " ", "↺": " ", "≡": " ", "★": " ", "✎": " ", "◷": " ", "▾": " ", "⚙": " ",
    "◇": " ",
}  # fmt: skip
"""Signs with a meaning of their own, or beside a word that says the same."""

_DRAWN: Final = str.maketrans(
    {chr(code): " " for code in range(0x2500, 0x25A0)} | _SIGNS  # boxes, lines, blocks
)


class PlainText(LineFilter):
    """Turns boxes and lines into blanks, and signs into characters that are read as one word."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  # Textual's signature
        """Return the segments as plain text of the same width."""
        return [
            segment
            if segment.control or segment.text.isascii()
            else segment._replace(text=plain(segment.text))
            for segment in segments
        ]


@lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """Return the text without drawing characters."""
    return text.translate(_DRAWN)
