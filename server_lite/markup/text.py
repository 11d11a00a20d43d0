"""The visible text of a rendered message: for the search index, notifications, and highlighting. Pure.

`text_of` and `highlight` count the same characters, so that matches in one can be highlighted by the
other. They read only HTML that `render` wrote.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape, unescape
from itertools import pairwise
from typing import Final

from server_lite.dataclass import dataclass

_PIECE: Final = re.compile(r"<[^<>]*>|&(?:#?\w{1,32});|[^<&]+|[<&]")
_ENTITY: Final = re.compile(r"&#?\w{1,32};")
# Splits into texts at even places, and for each tag at odd ones the name of its emoji or None.
_TAG: Final = re.compile(r'<(?:img alt="([^"<>]*)" class="emoji")?[^<>]*>')
_ALT: Final = re.compile(r'^<img alt="([^"]*)" class="emoji"')
_OPEN: Final = '<span class="highlight">'
_CLOSE: Final = "</span>"
_MATHML: Final = '<span class="katex-mathml">'


@dataclass(frozen=True, slots=True)
class _Piece:
    """A tag or a run of text in the HTML, and its visible text."""

    source: str
    text: str
    is_tag: bool


def text_of(html: str) -> str:
    """Return the visible text, blocks on lines of their own; formulas as their source, emoji by name."""
    if html.startswith("<p>") and html.count("<") == 2 and "&" not in html:  # a single paragraph
        return html[3:-4].strip("\n")
    # Splits as `_pieces` does, without an object for each tag: ten thousand emoji have twice as many.
    parts = _TAG.split(_without_mathml(html))
    if "&" in html:
        parts = [part and _ENTITY.sub(_character, part) for part in parts]
    return "".join(filter(None, parts)).strip("\n")


def _without_mathml(html: str) -> str:
    parts: list[str] = []
    position = 0
    while (start := html.find(_MATHML, position)) >= 0 and (
        end := html.find("</math>", start)
    ) >= 0:
        parts.append(html[position:start])
        position = end
    return "".join((*parts, html[position:]))


def _character(entity: re.Match[str]) -> str:
    return unescape(entity[0])


def highlight(html: str, hits: Iterable[tuple[int, int]]) -> str:
    """Return the HTML with `<span class="highlight">` around ranges of characters of `text_of(html)`.

    A match that crosses tags is highlighted in parts; the tags stay balanced.
    """
    plain = "".join(piece.text for piece in _pieces(html))
    length = len(plain.strip("\n"))
    ranges = _merged((start, min(end, length)) for start, end in hits)
    parts: list[str] = []
    # `text_of` drops leading line breaks, which therefore precede character 0.
    position = len(plain.lstrip("\n")) - len(plain)
    is_open = False
    for source, is_tag, is_hit in _cut(_pieces(html), ranges, position):
        if is_open and (is_tag or not is_hit):
            parts.append(_CLOSE)
            is_open = False
        if is_hit and not is_open:
            parts.append(_OPEN)
            is_open = True
        parts.append(source)
    return "".join(parts) + (_CLOSE if is_open else "")


def _cut(
    pieces: Iterable[_Piece], ranges: Sequence[tuple[int, int]], position: int
) -> Iterator[tuple[str, bool, bool]]:
    """Yield the HTML in parts that are a tag, or entirely inside or outside a match."""
    index = 0
    for piece in pieces:
        end = position + len(piece.text)
        while index < len(ranges) and ranges[index][1] <= position:
            index += 1
        if piece.is_tag:
            yield piece.source, True, False
        elif len(piece.text) != len(piece.source):
            yield piece.source, False, index < len(ranges) and ranges[index][0] < end
        else:
            cuts = [position]
            following = index
            while following < len(ranges) and ranges[following][0] < end:
                cuts += (max(ranges[following][0], position), min(ranges[following][1], end))
                following += 1
            cuts.append(end)
            for number, (first, last) in enumerate(pairwise(cuts)):
                if first < last:
                    yield piece.source[first - position : last - position], False, number % 2 == 1
        position = end


def highlight_plain(text: str, hits: Iterable[tuple[int, int]]) -> str:
    """Return plain text, such as a topic, as HTML with its matches highlighted."""
    parts: list[str] = []
    position = 0
    for start, end in _merged(hits):
        parts += (escape(text[position:start]), _OPEN, escape(text[start:end]), _CLOSE)
        position = end
    return "".join((*parts, escape(text[position:])))


def _merged(hits: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the ranges in order, overlapping ones joined, empty ones dropped."""
    result: list[tuple[int, int]] = []
    for start, end in sorted(hits):
        if result and start <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        elif start < end:
            result.append((start, end))
    return result


def _pieces(html: str) -> Iterator[_Piece]:
    """Yield tags and texts in order. MathML repeats visible text and counts as a tag without text."""
    skipped_until = 0
    for match in _PIECE.finditer(html):
        source = match[0]
        if match.start() < skipped_until:
            yield _Piece(source, "", is_tag=True)
        elif source.startswith("<") and len(source) > 1:
            alt = _ALT.match(source)
            yield _Piece(source, unescape(alt[1]) if alt else "", is_tag=True)
            if source == _MATHML:
                skipped_until = html.find("</math>", match.end())
        else:
            yield _Piece(source, unescape(source) if source[0] == "&" else source, is_tag=False)
