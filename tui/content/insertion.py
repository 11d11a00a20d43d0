"""Where something goes that comes later, in a text that is written on meanwhile. Pure.

A file is attached at a place and its link comes when it is uploaded: the place is found again by what
stands before and behind it, and what is inserted is a word of its own.
"""

import re
from typing import Final

from tui.dataclass import dataclass

_LINKS: Final = re.compile(r"(?:\s?\[[^\n\[\]]{0,1000}+\]\(/user_uploads/[^\s)]{0,1000}+\))++")
"""Files that were attached at the same place and came before."""

_CLOSING: Final = ")],.;:!?"
"""What follows a word without a space."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a text: so many characters from its beginning."""

    text: str
    offset: int

    def within(self, text: str) -> int:
        """The same place in what became of the text, at the border of a word."""
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
    """What is inserted at a place, with the spaces that it needs there; one behind it at the end."""
    before, behind = text[:at], text[at:]
    space = " " if before and not before.endswith((" ", "\n", "(")) else ""
    ends = behind[:1].isspace() or behind[:1] in _CLOSING
    return f"{space}{inserted}{'' if behind and ends else ' '}"


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
