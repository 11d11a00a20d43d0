"""Replaces emoji that this terminal draws wider or narrower than Textual counts.

A filter over everything that is drawn: each cluster keeps the cells it was laid out for, so nothing else has
to know. No I/O; `tui.terminal` finds out which are broken.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from tui.terminal import Cluster

_SUSPECT: Final = re.compile(
    "[\ufe0f\u200d\u20e3\U0001f1e6-\U0001f1ff\U0001f3fb-\U0001f3ff\U0001fa70-\U0001faff]"
)
_TONES: Final = re.compile("[\U0001f3fb-\U0001f3ff]")
_NOT_DRAWN: Final = re.compile("[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]")
_RECENT: Final = frozenset(
    "\U0001fa77\U0001fa89\U0001fa8a\U0001fa8e\U0001fa8f\U0001fabe\U0001fac6\U0001fac8\U0001facd\U0001fadc\U0001fadf"
    "\U0001fae8\U0001fae9\U0001faea\U0001faef"
)
"""Emoji of Unicode 15.1 to 17."""
_REGION_TO_LETTER: Final = 0x1F1E6 - ord("A")


class SafeText(LineFilter):
    """Replaces the kinds of clusters that the terminal draws in a wrong width."""

    def __init__(self, broken: frozenset[Cluster]) -> None:
        super().__init__(enabled=bool(broken))
        self._broken = broken

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002  # Textual's signature
        """Return the segments with safe text of the same width."""
        return [
            segment
            if segment.control or segment.text.isascii() or not _SUSPECT.search(segment.text)
            else segment._replace(text=safe(segment.text, self._broken))
            for segment in segments
        ]


@lru_cache(maxsize=128)
def safe(text: str, broken: frozenset[Cluster]) -> str:
    """Return `text` without the kinds of clusters in `broken`, in as many cells as Textual counts for it."""
    drawn: list[str] = []
    for left, right, width in split_graphemes(text)[0]:
        cluster = text[left:right]
        if _kinds(cluster) & broken:
            base = _base(cluster)
            cluster = base + " " * (width - cell_len(base))
        drawn.append(cluster)
    return "".join(drawn)


def _kinds(cluster: str) -> frozenset[Cluster]:
    """Return the features that a terminal needs to draw a cluster in its counted width."""
    kinds: set[Cluster] = set()
    if "\u20e3" in cluster:
        kinds.add("keycap")
    elif "\ufe0f" in cluster:
        kinds.add("variation")
    if _TONES.search(cluster, 1):
        kinds.add("tone")
    if "\u200d" in cluster and cluster[0] >= "\u203c":
        kinds.add("joined")
    if "\U0001f1e6" <= cluster[0] <= "\U0001f1ff":
        kinds.add("flag")
    if cluster[0] in _RECENT:
        kinds.add("recent")
    return frozenset(kinds)


def _base(cluster: str) -> str:
    """Return the emoji that a cluster begins with; a letter for a flag, a box for an unknown emoji."""
    if "\U0001f1e6" <= cluster[0] <= "\U0001f1ff":
        return chr(ord(cluster[0]) - _REGION_TO_LETTER)
    if cluster[0] in _RECENT:
        return "□"
    return cluster[0] + _NOT_DRAWN.sub("", cluster[1:].partition("\u200d")[0])
