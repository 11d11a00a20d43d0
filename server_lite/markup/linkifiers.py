"""Linkifiers: patterns of the organization, found with RE2 so that no pattern costs more than linear.

Pure functions; whether a linkifier may be saved is decided by `check`.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from server_lite.dataclass import dataclass
from server_lite.markup import url_templates
from server_lite.markup.lookup import Linkifier
from server_lite.markup.urls import safe_href

MAX_PATTERN: Final = 1000
"""Characters of a pattern."""

MAX_HITS: Final = 1000
"""Hits of all linkifiers together in one message; what comes after them stays text."""

# A match stands after the start, a space or opening punctuation and before no letter or digit.
_BEFORE: Final = r"(?:^|[\s'\"(,:<\[{])"
_AFTER: Final = r"(?:$|[^\pL\pN])"
_WORDS: Final = "linkifier_words"


class BadLinkifier(ValueError):
    """The pattern or its template cannot be used; the text says why, for the person who wrote it."""

    def __init__(self, message: str, field: str = "__all__") -> None:
        super().__init__(message)
        self.field = field
        """The parameter that is wrong; `__all__` where two do not fit together."""


class LinkifierMatch(NamedTuple):
    """Where a linkifier matched, in characters, and the URL that it makes."""

    start: int
    end: int
    url: str


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    """The pattern in its surroundings; the object behaves like one of the standard library."""
    return compiled(f"{_BEFORE}(?P<{_WORDS}>{pattern}){_AFTER}")


def compiled(pattern: str) -> Any:
    """The pattern as it was written; raises `re2.error`, which says what is wrong with it."""
    import re2  # type: ignore[import-untyped]  # google-re2 ships no types; few need it

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 4 << 20
    return re2.compile(pattern, options)


def check(linkifier: Linkifier) -> None:
    """Raises BadLinkifier unless pattern and template fit together and can be a link."""
    import re2

    if not linkifier.pattern or len(linkifier.pattern) > MAX_PATTERN:
        raise BadLinkifier(f"A pattern has 1 to {MAX_PATTERN} characters.", "pattern")
    try:
        compiled(linkifier.pattern)  # alone, so that what is wrong is said of what was written
        groups = set(_compiled(linkifier.pattern).groupindex) - {_WORDS}
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        reason = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise BadLinkifier(f"Bad regular expression: {reason}", "pattern") from error
    try:
        names = url_templates.variables(linkifier.url_template)
    except url_templates.BadTemplate as error:
        raise BadLinkifier("Invalid URL template.", "url_template") from error
    if extra := sorted(names - groups):
        raise BadLinkifier(
            f"Group {extra[0]!r} in URL template is not present in linkifier pattern."
        )
    if unused := sorted(groups - names):
        raise BadLinkifier(
            f"Group {unused[0]!r} in linkifier pattern is not present in URL template."
        )
    if not may_lead(linkifier.url_template):
        raise BadLinkifier("Invalid URL template.", "url_template")


def may_lead(template: str) -> bool:
    """Whether a template can become the target of a link; what it does become is looked at each time."""
    values = dict.fromkeys(url_templates.variables(template), "x")
    return safe_href(url_templates.expand(template, values), "") is not None


def hits(text: str, linkifier: Linkifier) -> Iterator[LinkifierMatch]:
    """The matches in one text from left to right; none for a pattern or template that is not valid."""
    import re2

    try:
        pattern = _compiled(linkifier.pattern)
        url_templates.variables(linkifier.url_template)  # an older version may have saved it
    except (re2.error, url_templates.BadTemplate):
        return
    # Bytes, because the library encodes a str anew at every search, which would be quadratic.
    encoded = text.encode("utf-8", "surrogatepass")
    offset, characters, position = 0, 0, 0
    while match := pattern.search(encoded, position):
        first, last = match.span(1)
        if first == last:
            position = max(match.end(), position + 1)
        else:
            # The character after a match may be the one before the next.
            position = last
            values = {
                name: value.decode("utf-8", "replace") if value is not None else None
                for name, value in match.groupdict().items()
                if name != _WORDS
            }
            url = safe_href(url_templates.expand(linkifier.url_template, values), "")
            start = characters + len(encoded[offset:first].decode("utf-8", "surrogatepass"))
            end = start + len(encoded[first:last].decode("utf-8", "surrogatepass"))
            offset, characters = last, end
            if url is not None:
                yield LinkifierMatch(start, end, url)
        if position > len(encoded):
            return


@dataclass(slots=True)
class Allowance:
    """How many more hits one message may have looked at: many rules may match at every word."""

    left: int = MAX_HITS


def all_hits(
    text: str, linkifiers: Sequence[Linkifier], allowance: Allowance
) -> list[LinkifierMatch]:
    """The hits of all linkifiers, the earlier one winning where two overlap, in text order."""
    chosen: list[LinkifierMatch] = []
    used = bytearray(len(text))
    for linkifier in linkifiers:
        for hit in islice(hits(text, linkifier), max(allowance.left, 0)):
            allowance.left -= 1
            if not any(used[hit.start : hit.end]):
                used[hit.start : hit.end] = b"\x01" * (hit.end - hit.start)
                chosen.append(hit)
    return sorted(chosen, key=lambda hit: hit.start)
