"""Two versions of a rendered message as one: added and removed text is marked, formatting stays. Pure.

Words are compared, not tags: the structure is the new version's, with removed words after those that
replaced them. It reads only HTML that `render` wrote.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Final

from server_lite.dataclass import dataclass

MAX_WORDS: Final = 250
"""Limit of words compared, between the first and the last difference; comparing takes quadratic time."""

_INSERTED: Final = "highlight_text_inserted"
_DELETED: Final = "highlight_text_deleted"
_FORMULA: Final = (
    r'<span class="katex"><span class="katex-mathml"><math[^<>]*><semantics><mrow><mtext>[^<]*</mtext></mrow>'
    r"<annotation[^<>]*>[^<]*</annotation></semantics></math></span>"
    r'<span class="katex-html" aria-hidden="true">[^<]*</span></span>'
)
_FORMULA_START: Final = '<span class="katex">'
_PIECE: Final = re.compile(rf"{_FORMULA}|<img [^<>]*>|<[^<>]*>|\s+|[^\s<]+")
_TAG: Final = re.compile(r"<(/?)([a-z0-9]+)")
_HREF: Final = re.compile(r'<a [^>]*?href="([^"]*)"')
_VOID: Final = frozenset({"br", "hr"})
_INLINE: Final = frozenset(
    {"a", "audio", "br", "code", "del", "em", "span", "strong", "time", "video"}
)


@dataclass(slots=True)
class _Word:
    """A word, the tags and white space around it, and the link that it is part of."""

    text: str
    before: list[str]
    href: str
    after: list[str] = field(default_factory=list)

    @property
    def key(self) -> tuple[str, str]:
        """The key that is equal for equal words."""
        return self.text, self.href


def difference(old: str, new: str) -> str:
    """Return the new HTML within a `<div>`, with spans around removed and added text."""
    before, after = _words(old), _words(new)
    result: list[str] = []
    # Pieces after the last word; removed words are inserted before its closing tags.
    held: list[str] = []
    for is_same, went, came in _runs(before, after):
        if came:
            result += held
            pieces, held = _flat(came), came[-1].after
            result += pieces if is_same else _marked(pieces, _INSERTED)
        if went and not is_same:
            gone = _marked(_balanced(_flat(went)), _DELETED)
            place = _place(held, gone)
            result += (
                *held[:place],
                *([] if held[:place] else [" "]),
                *gone,
                *_space(went[-1].after),
            )
            held = held[place:]
    return f"<div>{''.join((*result, *held))}</div>"


def _tag(piece: str) -> re.Match[str] | None:
    """Return the match of a tag; images and formulas count as words."""
    return None if piece.startswith(("<img ", _FORMULA_START)) else _TAG.match(piece)


def _words(html: str) -> list[_Word]:
    words: list[_Word] = []
    before: list[str] = []
    href = ""
    for match in _PIECE.finditer(html):
        piece = match[0]
        tag = _tag(piece)
        if tag is None and piece.strip():
            words.append(_Word(piece, before, href))
            before = []
            continue
        if tag is not None and tag[2] == "a":
            link = _HREF.match(piece)
            href = link[1] if link else ""
        is_behind = tag is None or bool(tag[1])
        (words[-1].after if words and is_behind and not before else before).append(piece)
    if before and words:
        words[-1].after += before
    return words


def _runs(
    before: Sequence[_Word], after: Sequence[_Word]
) -> Iterator[tuple[bool, Sequence[_Word], Sequence[_Word]]]:
    """Yield whether the words are equal, the old version's words, and the new version's."""
    old, new = [word.key for word in before], [word.key for word in after]
    shorter = min(len(old), len(new))
    first = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    same_end = next(
        (i for i in range(shorter - first) if old[-1 - i] != new[-1 - i]), shorter - first
    )
    old_last, new_last = len(old) - same_end, len(new) - same_end
    yield True, before[:first], after[:first]
    if max(old_last, new_last) - first > MAX_WORDS:
        yield False, before[first:old_last], after[first:new_last]
    else:
        from difflib import SequenceMatcher  # only needed when viewing an edit

        matcher = SequenceMatcher(None, old[first:old_last], new[first:new_last], autojunk=False)
        for kind, i, j, k, m in matcher.get_opcodes():
            yield kind == "equal", before[first + i : first + j], after[first + k : first + m]
    yield True, before[old_last:], after[new_last:]


def _flat(words: Sequence[_Word]) -> list[str]:
    """Return the pieces of a run of words, without those after the last word."""
    pieces: list[str] = []
    for word in words:
        pieces += (*word.before, word.text, *word.after)
    return pieces[: len(pieces) - len(words[-1].after)]


def _space(pieces: Sequence[str]) -> list[str]:
    return [" "] if pieces and not pieces[-1].strip() else []


def _partners(pieces: Sequence[str]) -> set[int]:
    """Return the indexes of tags whose partner is among the pieces."""
    places: set[int] = set()
    stack: list[tuple[int, str]] = []
    for place, piece in enumerate(pieces):
        tag = _tag(piece)
        if tag is None or tag[2] in _VOID:
            places.add(place)
        elif not tag[1]:
            stack.append((place, tag[2]))
        elif stack and stack[-1][1] == tag[2]:
            places |= {stack.pop()[0], place}
        else:
            stack.clear()
    return places


def _balanced(pieces: Sequence[str]) -> list[str]:
    partners = _partners(pieces)
    return [piece if place in partners else "" for place, piece in enumerate(pieces)]


def _marked(pieces: Sequence[str], css_class: str) -> list[str]:
    """Return the pieces with spans around words and complete inline tags; other tags stay outside."""
    partners = _partners(pieces)
    result: list[str] = []
    inside: list[str] = []
    for place, piece in enumerate(pieces):
        tag = _tag(piece)
        if tag is None or (tag[2] in _INLINE and place in partners):
            inside.append(piece)
        else:
            result += (*_span(inside, css_class), piece)
            inside = []
    return [*result, *_span(inside, css_class)]


def _span(pieces: Sequence[str], css_class: str) -> Iterator[str]:
    html = "".join(pieces)
    text = html.strip()
    start = html.find(text)
    if text:
        yield f'{html[:start]}<span class="{css_class}">{text}</span>{html[start + len(text) :]}'
    else:
        yield html


def _place(held: Sequence[str], gone: Iterable[str]) -> int:
    """Return how many held pieces precede the removed words: for blocks, up to the last one's closing tag."""
    names = [match[2] for piece in held if (match := _tag(piece))]
    block = next((m[2] for piece in gone if (m := _tag(piece)) and m[2] not in _INLINE), None)
    if not names:
        return len(held)
    if block is None:
        return 0
    return names.index(block) + 1 if block in names else len(held)
