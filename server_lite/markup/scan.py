"""Scans an inline text once for code spans, brackets and URLs, with their ends.

Pure. Every search that a rule would repeat at each character is done here once, from left to right,
so that no input makes the rules scan the same text repeatedly.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import Enum, auto
from typing import Final, NamedTuple

from server_lite.dataclass import dataclass
from server_lite.markup import emoji
from server_lite.markup.linkifiers import LinkifierMatch
from server_lite.markup.lookup import Settings
from server_lite.markup.tlds import TOP_LEVEL_DOMAINS
from server_lite.markup.urls import safe_href

MAX_PARENTHESES: Final = 7
"""Limit of nested balanced parentheses in a URL."""

_BACKTICKS: Final = re.compile(r"`+")
_BRACKETS: Final = re.compile(r"[\[\]()]")
# Punctuation of scripts without spaces: it ends a URL, and one may start after it.
_MARKS: Final = "\u00ab\u00bb\u2010-\u2027\u2e80-\u2eff\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65"
_TAIL: Final = rf"[^\s<>\"`{_MARKS}]*+"
# May precede a URL: not `=`, `/` or `@`, so that no part of `src=http://…` becomes a link.
_BEFORE: Final = rf"(?<![^\s'\"(,:<\[{{*~|>{_MARKS}])"
_IDEOGRAPH: Final = r"(?<=[\u2e80-\u9fff\uac00-\ud7af])"
# May follow it: punctuation up to a space, as after `"http://…"`, not that of `"http://…"></script>`.
_AFTER: Final = rf"(?=[{_MARKS}]|[!:;?),.'\">\]}}*~|]*+(?:\s|\Z))"
_ADDRESS: Final = re.compile(
    rf"""
    (?P<url> (?:{_BEFORE}|{_IDEOGRAPH}) (?i:https?):// [\w\[%] {_TAIL} {_AFTER} )
    | (?P<email> (?<![\w.+@/=-]) [\w.+-]{{1,64}} @ [^\W_](?:[\w-]*\.)+ \w{{1,24}} {_AFTER} )
    | (?P<bare> {_BEFORE} [^\W_][\w-]*\.(?:[\w-]+\.)* (?P<tld>[^\W\d_]{{2,24}})
        (?![\w@-]) (?! \.[\w] ) (?: :\d{{1,5}}(?!\d) )? (?: [/?\#] {_TAIL} )?+ {_AFTER} )
    """,
    re.VERBOSE,  # without IGNORECASE, for which `re` looks at each character of a range when it compiles
)
_EDGE: Final = r",.;?!()\[\]\s\"'"
_EMOTICON: Final = re.compile(
    rf"(?<![^{_EDGE}])(?:{'|'.join(map(re.escape, emoji.EMOTICONS))})(?![^{_EDGE}])"
)
_CLOSING: Final = frozenset(".,?!:;\"'*~")


class Kind(Enum):
    """Kinds of spans."""

    LINK = auto()
    EMOJI = auto()
    EMOTICON = auto()


class Span(NamedTuple):
    """A span found without markers. `value` is the URL, the code or the name."""

    start: int
    end: int
    kind: Kind
    value: str


@dataclass(slots=True)
class Scan:
    """The places of interest in a text.

    `code` maps the start of a code span to its content and end; `brackets` and `parentheses` map
    an opening one to its partner; `spans` maps starts to spans.
    """

    code: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    brackets: dict[int, int] = field(default_factory=dict)
    parentheses: dict[int, int] = field(default_factory=dict)
    spans: dict[int, Span] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)

    def next_start(self, after: int) -> int:
        """Return the start of the first span at or after `after`; a large number if there is none."""
        index = bisect_left(self.starts, after)
        return self.starts[index] if index < len(self.starts) else 1 << 60


def scan(text: str, hits: Sequence[LinkifierMatch], settings: Settings) -> Scan:
    """Return the places of interest in an inline text; `hits` are its linkifier matches."""
    result = Scan()
    if "`" in text:
        result.code = _code_spans(text)
    if "[" in text:
        result.brackets, result.parentheses = _pairs(text, result.code)
    taken = bytearray(len(text))
    for span in _candidates(text, hits, settings):
        if taken.find(1, span.start, span.end) < 0:
            taken[span.start : span.end] = b"\x01" * (span.end - span.start)
            result.spans[span.start] = span
    result.starts = sorted(result.spans)
    return result


def _code_spans(text: str) -> dict[int, tuple[int, int, int]]:
    """Return runs of backticks with the next run of the same length, from left to right."""
    runs = [(match.start(), match.end()) for match in _BACKTICKS.finditer(text)]
    starts_by_length: dict[int, list[int]] = {}
    for start, end in runs:
        starts_by_length.setdefault(end - start, []).append(start)
    spans: dict[int, tuple[int, int, int]] = {}
    position = 0
    for start, end in runs:
        if start < position or text[start - 1 : start] == "\\":
            continue
        same = starts_by_length[end - start]
        index = bisect_right(same, start)
        if index < len(same):
            position = same[index] + end - start
            spans[start] = (end, same[index], position)
    return spans


def _pairs(
    text: str, code: dict[int, tuple[int, int, int]]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return partners of square and of round brackets, ignoring those inside code spans."""
    brackets: dict[int, int] = {}
    parentheses: dict[int, int] = {}
    open_brackets: list[int] = []
    open_parentheses: list[int] = []
    skips = iter(sorted((start, end) for start, (_, _, end) in code.items()))
    skip = next(skips, None)
    for match in _BRACKETS.finditer(text):
        position = match.start()
        while skip is not None and skip[1] <= position:
            skip = next(skips, None)
        if skip is not None and skip[0] < position:
            continue
        character = match[0]
        if character == "[":
            open_brackets.append(position)
        elif character == "(":
            open_parentheses.append(position)
        elif character == "]" and open_brackets:
            brackets[open_brackets.pop()] = position
        elif character == ")" and open_parentheses:
            parentheses[open_parentheses.pop()] = position
    return brackets, parentheses


def _candidates(text: str, hits: Sequence[LinkifierMatch], settings: Settings) -> Iterator[Span]:
    """Yield spans in order of precedence: of overlapping ones, the earlier one counts."""
    if ":" in text or "." in text:
        yield from _addresses(text, settings.realm_url)
    for hit in hits:
        yield Span(hit.start, hit.end, Kind.LINK, hit.url)
    for start, end, code in emoji.find_all(text):
        yield Span(start, end, Kind.EMOJI, code)
    if settings.translate_emoticons:
        for match in _EMOTICON.finditer(text):
            yield Span(match.start(), match.end(), Kind.EMOTICON, emoji.EMOTICONS[match[0]])


def _addresses(text: str, realm_url: str) -> Iterator[Span]:
    for match in _ADDRESS.finditer(text):
        top_level = match["tld"]
        if top_level is not None and top_level.lower() not in TOP_LEVEL_DOMAINS:
            continue
        address = match[0] if match["email"] else trimmed(match[0])
        url = safe_href(address, realm_url)
        if url is not None:
            yield Span(match.start(), match.start() + len(address), Kind.LINK, url)


def trimmed(address: str) -> str:
    """Return a URL without the punctuation of its sentence; empty if its parentheses nest too deeply."""
    end = len(address)
    depth = 0
    for position, character in enumerate(address):
        if character == "(":
            depth += 1
            if depth > MAX_PARENTHESES:
                return ""
        elif character == ")":
            depth -= 1
            if depth < 0:
                end = position
                break
    closing = _CLOSING if "[" in address else _CLOSING | {"]"}
    while end and address[end - 1] in closing:
        end -= 1
    return address[:end]
