"""The position of a later insertion in a text that changes meanwhile. Pure.

A file is attached at a position and its link comes when it is uploaded: the position is found again by the
text before and after it, and the link is inserted as a word of its own.
"""

import re
from typing import Final

from tui.dataclass import dataclass

_LINKS: Final = re.compile(r"(?:\s?\[[^\n\[\]]{0,1000}+\]\(/user_uploads/[^\s)]{0,1000}+\))++")
"""Links of files that were attached at the same position earlier."""

_CLOSING: Final = ")],.;:!?"
"""Characters that follow a word without a space."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A position in a text, in characters from its beginning."""

    text: str
    offset: int

    def within(self, text: str) -> int:
        """Return the position in a later version of the text, at the border of a word."""
        begin, end = _common(self.text, text), _common(self.text[::-1], text[::-1])
        if self.offset <= begin:
            at = self.offset
        elif self.offset >= len(self.text) - end:
            at = len(text) - (len(self.text) - self.offset)
        else:
            at = begin
        if 0 < at < len(text) and text[at - 1].isalnum() and text[at].isalnum():
            at += len(re.match(r"\S*", text[at:])[0])  # type: ignore[index]  # which matches anything
        links = _LINKS.match(text, at)
        return links.end() if links else at


def spaced(inserted: str, text: str, at: int) -> str:
    """Return the inserted text with the spaces that it needs; one after it at the end."""
    before, behind = text[:at], text[at:]
    space = " " if before and not before.endswith((" ", "\n", "(")) else ""
    ends = behind[:1].isspace() or behind[:1] in _CLOSING
    return f"{space}{inserted}{'' if behind and ends else ' '}"


def _common(one: str, other: str) -> int:
    """Return how many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
