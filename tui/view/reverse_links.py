"""A pasted address back into the text that an organization's linkifier makes it of. Pure; bounded time.

Patterns and templates are others': they are matched by RE2, in time linear in the address.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import unquote

from tui.api.organization import Linkifier
from tui.view import linkifiers, url_templates

LONGEST: Final = 2000
"""Characters of an address that is looked at."""
_ADDRESS: Final = re.compile(r"https?://\S+")
_MEMORY: Final = 4 << 20
"""Bytes that a pattern may take, compiled."""


def short_form(address: str, known: Iterable[Linkifier]) -> str | None:
    """The text that becomes a link to `address` in a message; None if no linkifier has one."""
    if len(address) > LONGEST or not _ADDRESS.fullmatch(address):
        return None
    for linkifier in known:
        if linkifier.reverse_template is None:
            continue
        for template in (linkifier.url_template, *linkifier.alternative_url_templates):
            values = _values(template, address)
            if values is None:
                continue
            text = linkifiers.made_back(linkifier.reverse_template, values)
            if text and _groups(linkifier.pattern, text) == values:
                return text
    return None


def fits(before: str, behind: str) -> bool:
    """Whether such a text becomes a link there; `before` is all that is written up to the place.

    In code, in the brackets of a link, and within a word it does not.
    """
    line = before.rpartition("\n")[2]
    in_block = sum(each.lstrip().startswith(("```", "~~~")) for each in before.split("\n")) % 2
    in_code = in_block or line.count("`") % 2
    return not in_code and (not line or line[-1].isspace()) and not behind[:1].isalnum()


def _values(template: str, address: str) -> dict[str, str] | None:
    """The variables with which a template expands to the address."""
    pattern = url_templates.matching(template, address)
    found = None if pattern is None else _groups(pattern, address)
    if found is None:
        return None
    values = {name: unquote(value) for name, value in found.items()}
    return values if url_templates.expand(template, values) == address else None


def _groups(pattern: str, text: str) -> Mapping[str, str] | None:
    """The named groups of a pattern that is all of the text; None if it is not."""
    import re2  # type: ignore[import-untyped]  # google-re2 ships no types

    options = re2.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    try:
        match: Any = re2.compile(pattern, options).fullmatch(text)
    except re2.error:
        return None
    if match is None:
        return None
    return {name: value for name, value in match.groupdict().items() if value is not None}
