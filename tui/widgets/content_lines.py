"""Styled text -> lines of a width: breaking between words, and turning lines into strips.

Knows nothing of messages or themes. A cell is a column of the terminal; no cluster of characters
that share cells is ever cut.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from rich.cells import cell_len, split_graphemes
from rich.segment import Segment
from textual.content import Content, Span
from textual.strip import Strip
from textual.style import Style

Piece: TypeAlias = tuple[str, Style]
"""Text in one style; a newline in it begins a line."""


class Run(NamedTuple):
    """A part of a line in one style.

    `place` is (character, line) in the laid out text, from which selected text is put together again; None
    for decoration.
    """

    text: str
    style: Style
    place: tuple[int, int] | None = None


Line: TypeAlias = list[Run]

# Scripts without spaces between words: a line may end after any character, but not before a closing mark, or
# a character that belongs to the one before it.
_WIDE = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u3098\u309b-\u31ff\u3400-\u9fff"
)
_WIDE += "\uf900-\ufaff\U00020000-\U0003ffff"
_STAYS = "\u3001\u3002\u300d\u300f\u3011\u3099\u309a\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f"
_STAYS += "\ufe00-\ufe0f\U000e0100-\U000e01ef"
_SPACED_WORD = re.compile(r"[^ ]+| +")

# rich.cells counts the character after a joiner as part of an emoji. In other scripts it has cells of its
# own, so text is measured, and handed over, in parts that end with the joiner.
_AFTER_JOINER = re.compile("(?<=[\u0590-\u1cff]\u200d)")

MIN_WIDTH: Final = 2
"""In cells; one wide character must fit."""


_NARROW: Final = re.compile(
    "[\\x20-~\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u205e\u2500-\u25fc]*"
)
"""Characters of Western scripts, punctuation and lines, each of which fills one cell."""


def is_narrow(text: str) -> bool:
    """Whether a text surely fills one cell for each character; False for some that do, too."""
    return text.isascii() or _NARROW.fullmatch(text) is not None


def cells(text: str) -> int:
    """Return the width of a text, in cells."""
    if is_narrow(text):
        return len(text)
    if "\u200d" in text:
        return sum(map(cell_len, _AFTER_JOINER.split(text)))
    return cell_len(text)


def wrap(pieces: Sequence[Piece], width: int, number: int) -> list[Line]:
    """Return lines of at most `width` cells, broken between words; `number` is that of the first line.

    Spaces at a break are left out. Every line of the text has at least one line in the result.
    """
    return _broken(pieces, width, number, _breaks)


def fold(pieces: Sequence[Piece], width: int, number: int) -> list[Line]:
    """Return lines as `wrap`, for text whose white space counts (code): broken only where a line is full."""
    return _broken(pieces, width, number, _folds)


def _broken(
    pieces: Sequence[Piece],
    width: int,
    number: int,
    breaks: Callable[[str, int], list[tuple[int, int]]],
) -> list[Line]:
    width = max(width, MIN_WIDTH)
    cursor = _Cursor(pieces)
    lines: list[Line] = []
    start = 0
    for i, part in enumerate("".join([text for text, _ in pieces]).split("\n")):
        for left, right in breaks(part, width):
            lines.append(cursor.cut(start + left, start + right, start, number + i))
        start += len(part) + 1
    return lines


class _Cursor:
    """Cuts runs out of pieces, from left to right."""

    __slots__ = ("_at", "_index", "_pieces")

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._index = 0
        self._at = 0  # where the piece at `_index` starts

    def cut(self, left: int, right: int, origin: int, number: int) -> Line:
        line: Line = []
        while left < right:
            text, style = self._pieces[self._index]
            end = self._at + len(text)
            if end <= left:
                self._at = end
                self._index += 1
                continue
            stop = min(end, right)
            part = text[left - self._at : stop - self._at]
            line.append(Run(part, style, (left - origin, number)))
            left = stop
        return line


@cache
def _word() -> re.Pattern[str]:
    """Return a pattern for words of any script; compiled when a text needs it, since that takes long."""
    return re.compile(f"[{_WIDE}][{_STAYS}]*| +|[^ {_WIDE}]+")


def _breaks(text: str, width: int) -> list[tuple[int, int]]:
    """Return (start, end) of each line of one line of text."""
    ascii_only = text.isascii()
    if len(text) <= width and (ascii_only or cells(text) <= width):
        return [(0, len(text))]
    bounds: list[tuple[int, int]] = []
    start = end = used = 0  # the line so far: its start, the end of its last word, its width
    for match in (_SPACED_WORD if max(text) < _WIDE[0] else _word()).finditer(text):
        word = match[0]
        size = len(word) if ascii_only else cells(word)
        if word[0] == " ":
            used += size
            continue
        if used + size > width:
            if end > start:
                bounds.append((start, end))
            start = match.start()
            used = 0
            if size > width:
                *full, (left, _) = _folds(word, width)
                bounds += [(start + one, start + other) for one, other in full]
                start += left
                size = cells(text[start : match.end()])
        used += size
        end = match.end()
    bounds.append((start, end))
    return bounds


def _folds(text: str, width: int) -> list[tuple[int, int]]:
    """Return (start, end) of parts of a text that are each as wide as `width` allows."""
    size = len(text)
    if text.isascii():
        return [(i, min(i + width, size)) for i in range(0, size or 1, width)]
    bounds: list[tuple[int, int]] = []
    start = used = 0
    for left, right in _clusters(text):
        taken = cells(text[left:right])
        if used + taken > width:
            bounds.append((start, left))
            start, used = left, 0
        used += taken
    bounds.append((start, size))
    return bounds


def _clusters(text: str) -> list[tuple[int, int]]:
    bounds: list[tuple[int, int]] = []
    start = 0
    for part in _AFTER_JOINER.split(text):
        bounds += [(start + left, start + right) for left, right, _ in split_graphemes(part)[0]]
        start += len(part)
    return bounds


def line_cells(line: Iterable[Run]) -> int:
    """Return the width of a line, in cells."""
    return sum([cells(run.text) for run in line])


def padded(line: Line, width: int, style: Style) -> Line:
    """Return the line filled with spaces up to `width` cells."""
    missing = width - line_cells(line)
    return [*line, Run(" " * missing, style)] if missing > 0 else line


def shortened(text: str, width: int) -> str:
    """Return one line of text within `width` cells, with an ellipsis where it was cut."""
    if cells(text) <= width:
        return text
    left, right = _folds(text, max(width - 1, 1))[0]
    return f"{text[left:right].rstrip()}…"


def to_strips(lines: Iterable[Line]) -> list[Strip]:
    """Return lines ready to draw; text carries its place as `offset` in the meta of its segments."""
    return [_strip(line) for line in lines]


def _strip(line: Line) -> Strip:
    segments: list[Segment] = []
    for text, style, place in line:
        at = 0
        for part in _AFTER_JOINER.split(text) if "\u200d" in text else (text,):
            drawn = style.rich_style
            if place is not None:
                drawn = style.rich_style_with_offset(place[0] + at, place[1])
            segments.append(Segment(part, drawn))
            at += len(part)
    return Strip(segments)


def to_content(lines: Iterable[Line]) -> Content:
    """Return lines as one `Content`, for widgets that are not lists of strips."""
    parts: list[str] = []
    spans: list[Span] = []
    at = 0
    for i, line in enumerate(lines):
        if i:
            parts.append("\n")
            at += 1
        for run in line:
            parts.append(run.text)
            spans.append(Span(at, at := at + len(run.text), run.style))
    return Content("".join(parts), spans)
