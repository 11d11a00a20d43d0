"""Emoji that this terminal draws wider or narrower than Textual counts -> a form they agree on.

A filter over everything that is drawn: each cluster keeps the cells it was laid out for, so nothing else
has to know. No I/O; what is broken is found out by `tui.terminal`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tui.terminal import Cluster

_EMOJI = "[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]"
_PART = f"{_EMOJI}\ufe0f?[\U0001f3fb-\U0001f3ff]?"
_CLUSTER: Final = re.compile(
    "(?P<keycap>[0-9#*]\ufe0f?\u20e3)"
    "|(?P<flag>[\U0001f1e6-\U0001f1ff]{2})"
    f"|(?P<joined>{_PART}(?:\u200d{_PART})+)"
    f"|(?P<tone>{_EMOJI}\ufe0f?[\U0001f3fb-\U0001f3ff])"
    f"|(?P<variation>{_EMOJI}\ufe0f)"
    "|(?P<recent>[\U0001fa77\U0001fa89\U0001fa8a\U0001fa8e\U0001fa8f\U0001fabe\U0001fac6\U0001fac8"
    "\U0001facd\U0001fadc\U0001fadf\U0001fae8-\U0001faea\U0001faef])"
)
"""The last are of Unicode 15.1 to 17."""

_NOT_DRAWN: Final = re.compile("[\ufe0f\u200d\u20e3\U0001f3fb-\U0001f3ff]")
_REGION_TO_LETTER: Final = 0x1F1E6 - ord("A")


class SafeText(LineFilter):
    """Replaces the kinds of clusters that the terminal gets wrong."""

    def __init__(self, broken: frozenset[Cluster]) -> None:
        super().__init__(enabled=bool(broken))
        self._broken = broken

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 -- Textual's signature
        """The segments with safe text; they are as wide as before."""
        return [
            segment
            if segment.control or segment.text.isascii()
            else segment._replace(text=safe(segment.text, self._broken))
            for segment in segments
        ]


@lru_cache(maxsize=4096)
def safe(text: str, broken: frozenset[Cluster]) -> str:
    """`text` without the kinds of clusters in `broken`, in as many cells as Textual counts for it."""

    def replaced(match: re.Match[str]) -> str:
        kind: Cluster = match.lastgroup  # type: ignore[assignment]  # the groups are called like the kinds
        whole = match[0]
        needs = {kind, *_also(whole)} & broken
        return _form(whole, kind, broken) if needs else whole

    return _CLUSTER.sub(replaced, text)


def _also(whole: str) -> frozenset[Cluster]:
    """What else is in a cluster besides what it is as a whole."""
    found: set[Cluster] = set()
    if "\ufe0f" in whole and "\u20e3" not in whole:
        found.add("variation")
    if any("\U0001f3fb" <= char <= "\U0001f3ff" for char in whole[1:]):
        found.add("tone")
    return frozenset(found)


def _form(whole: str, kind: Cluster, broken: frozenset[Cluster]) -> str:
    """The base emoji, the letters of a flag, or a box; with spaces up to the cells of the whole."""
    if kind == "flag":
        return "".join(chr(ord(char) - _REGION_TO_LETTER) for char in whole)
    if kind == "recent":
        base = "□"
    else:
        base = _NOT_DRAWN.sub("", whole.partition("\u200d")[0])
        base = safe(base, broken)
    return base + " " * (cell_len(whole) - cell_len(base))
