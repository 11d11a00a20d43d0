"""Linkifiers: patterns of the organization, matched with RE2 in linear time for any pattern.

Pure functions; `check` decides whether a linkifier may be saved.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any, Final, NamedTuple

from server_lite.dataclass import dataclass
from server_lite.markup import url_templates
from server_lite.markup.lookup import Linkifier
from server_lite.markup.urls import safe_href

MAX_PATTERN: Final = 1000
"""Limit of characters in a pattern."""

MAX_HITS: Final = 1000
"""Limit of matches of all linkifiers in one message; later ones stay text."""

# A match follows the start, white space or opening punctuation and is not followed by a letter or digit.
_BEFORE: Final = r"(?:^|[\s'\"(,:<\[{])"
_AFTER: Final = r"(?:$|[^\pL\pN])"
_WORDS: Final = "linkifier_words"


class BadLinkifier(ValueError):
    """Raised if the pattern or its template is invalid; the text gives its author the reason."""

    def __init__(self, message: str, field: str = "__all__") -> None:
        super().__init__(message)
        self.field = field
        """The invalid parameter; `__all__` if two are inconsistent."""


class LinkifierMatch(NamedTuple):
    """A match of a linkifier, in characters, and its URL."""

    start: int
    end: int
    url: str


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:
    """Return the pattern in its surroundings; it has the interface of the standard library's."""
    return compiled(f"{_BEFORE}(?P<{_WORDS}>{pattern}){_AFTER}")


def compiled(pattern: str) -> Any:
    """Return the compiled pattern alone; raises `re2.error`, which describes the problem."""
    import re2  # type: ignore[import-untyped]  # google-re2 ships no types; few need it

    options = re2.Options()
    options.log_errors = False
    options.max_mem = 4 << 20
    return re2.compile(pattern, options)


def compile_all(linkifiers: Sequence[Linkifier]) -> None:
    """Compile the patterns, which may take milliseconds each, before the first text is matched."""
    for linkifier in linkifiers:
        import re2  # only if there are any

        with suppress(re2.error):
            _compiled(linkifier.pattern)


def check(linkifier: Linkifier) -> None:
    """Raise BadLinkifier unless pattern and template are consistent and can become a link."""
    import re2

    if not linkifier.pattern or len(linkifier.pattern) > MAX_PATTERN:
        raise BadLinkifier(f"A pattern has 1 to {MAX_PATTERN} characters.", "pattern")
    try:
        compiled(linkifier.pattern)  # alone, so that the error is about the pattern as written
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
    """Whether a template can become a link's target; each actual target is checked again."""
    values = dict.fromkeys(url_templates.variables(template), "x")
    return safe_href(url_templates.expand(template, values), "") is not None


def hits(text: str, linkifier: Linkifier) -> Iterator[LinkifierMatch]:
    """Yield the matches in a text from left to right; none if pattern or template is invalid."""
    import re2

    try:
        pattern = _compiled(linkifier.pattern)
        url_templates.variables(linkifier.url_template)  # an older version may have saved it
    except (re2.error, url_templates.BadTemplate):
        return
    # Bytes, because the library encodes a str for every search, which would be quadratic.
    encoded = text.encode("utf-8", "surrogatepass")
    offset, characters, position = 0, 0, 0
    while match := pattern.search(encoded, position):
        first, last = match.span(1)
        if first == last:
            position = max(match.end(), position + 1)
        else:
            # the character after a match may precede the next one
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
    """The remaining matches that a message may examine: many linkifiers may match at every word."""

    left: int = MAX_HITS


def all_hits(
    text: str, linkifiers: Sequence[Linkifier], allowance: Allowance
) -> list[LinkifierMatch]:
    """Return the matches of all linkifiers in text order; of overlapping ones the earlier linkifier's."""
    chosen: list[LinkifierMatch] = []
    used = bytearray(len(text))
    for linkifier in linkifiers:
        for hit in islice(hits(text, linkifier), max(allowance.left, 0)):
            allowance.left -= 1
            if not any(used[hit.start : hit.end]):
                used[hit.start : hit.end] = b"\x01" * (hit.end - hit.start)
                chosen.append(hit)
    return sorted(chosen, key=lambda hit: hit.start)
