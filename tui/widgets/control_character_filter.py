"""The last filter of everything that is drawn: removes what a terminal would obey. No I/O.

Text of others is sanitized before a widget gets it (`tui.content.sanitize`); fields show their raw value,
which may be a draft or a quotation of a stranger's text. Characters removed here have no width, or leave
blanks.
"""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

OBEYED: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f"  # controls with 7 and with 8 bits
    "\u2028\u2029\u202a-\u202e\u2066-\u2069"  # line separators, and characters that change the direction
    "\ud800-\udfff"  # surrogates, which cannot be encoded
    "\U000e0000-\U000e007f]"  # invisible tags
)


class InertText(LineFilter):
    """Replaces characters that a terminal would obey; a line keeps its width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  # Textual's signature
        """Return the segments, the same ones where nothing has to be replaced."""
        for segment in segments:
            # None of them is printable: nearly all texts need no search.
            if not (segment.control or segment.text.isprintable()) and OBEYED.search(segment.text):
                break
        else:
            return segments
        return [
            segment if segment.control else segment._replace(text=OBEYED.sub(_blank, segment.text))
            for segment in segments
        ]


def _blank(match: re.Match[str]) -> str:
    return " " * cell_len(match[0])
