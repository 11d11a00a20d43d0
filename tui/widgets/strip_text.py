"""Text in drawn lines: where it is, how it is highlighted and copied. No widget, no I/O.

A drawn line holds text and decoration (margins, names of columns, borders). Text carries an `offset` in the
meta of its segments, (character, line) in what was laid out, as Textual's `Content` writes it; an item
without any is text as a whole. A place in an item is (character of the drawn line, drawn line).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip


def addressed(strip: Strip, line: int) -> Strip:
    """Return the line with the place (character, `line`) in every segment, as Textual's selection needs."""
    segments: list[Segment] = []
    start = 0
    for text, style, _ in strip:
        place = Style.from_meta({"offset": (start, line)})
        segments.append(Segment(text, place if style is None else style + place))
        start += len(text)
    return Strip(segments, strip.cell_length)


def has_text(strips: Sequence[Strip]) -> bool:
    """Whether any segment is marked as text; if none is, all of them are text."""
    return any(_offset(segment) is not None for strip in strips for segment in strip)


def highlighted(strip: Strip, start: int, end: int, style: Style, marked: bool) -> Strip:
    """Return the line with the text between two characters in another style.

    `marked`: only segments marked as text are text; if False, all are.
    """
    segments: list[Segment] = []
    at = 0
    for segment in strip:
        text, own, _ = segment
        after = at + len(text)
        left, right = max(start, at), min(end, after)
        if left < right and (not marked or _offset(segment) is not None):
            lit = style if own is None else own + style
            parts = (
                Segment(text[: left - at], own),
                Segment(text[left - at : right - at], lit),
                Segment(text[right - at :], own),
            )
            segments.extend(part for part in parts if part.text)
        else:
            segments.append(segment)
        at = after
    return Strip(segments, strip.cell_length)


def extract(strips: Sequence[Strip], start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the text of an item from one place up to another, exclusive; a wrapped line becomes one again.

    Places beyond the end of a line or of the item are taken as that end.
    """
    marked = has_text(strips)
    out: list[str] = []
    previous: tuple[int, int] | None = None
    for line in range(start[1], min(end[1], len(strips) - 1) + 1):
        strip = strips[line]
        left = start[0] if line == start[1] else 0
        right = end[0] if line == end[1] else len(strip.text)
        if not marked:
            out.append(strip.text[left:right].rstrip() + "\n")
            continue
        runs = [(begin, segment, offset) for begin, segment, offset in _runs(strip)]
        if not runs:
            if not strip.text.strip():
                out.append("\n")
                previous = None
            continue
        first = runs[0][2]
        if previous is not None and first[1] == previous[1] and first[0] >= max(previous[0], 1):
            out[-1] = out[-1].removesuffix("\n") + " " * (first[0] - previous[0])
        out.append("".join(_cut(segment.text, begin, left, right) for begin, segment, _ in runs))
        out[-1] += "\n"
        last = runs[-1]
        previous = (last[2][0] + len(last[1].text), last[2][1])
    return "".join(out).rstrip("\n")


def _runs(strip: Strip) -> Iterator[tuple[int, Segment, tuple[int, int]]]:
    """Yield the segments of a line that are text: first character, segment, offset."""
    at = 0
    for segment in strip:
        if (offset := _offset(segment)) is not None:
            yield at, segment, offset
        at += len(segment.text)


def _offset(segment: Segment) -> tuple[int, int] | None:
    style = segment.style
    if style is None or style._meta is None:  # `meta` unpickles, even when there is none
        return None
    offset: tuple[int, int] | None = style.meta.get("offset")
    return offset


def _cut(text: str, begin: int, left: int, right: int) -> str:
    return text[max(0, left - begin) : max(0, right - begin)]
