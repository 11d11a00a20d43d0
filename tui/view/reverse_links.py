"""Turns a pasted URL back into the text that a linkifier makes it of. Pure; bounded time.

Patterns and templates are others': they are matched by RE2, in time linear in the URL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import unquote

from tui.api.organization import Linkifier
from tui.view import linkifiers, url_templates
from tui.view.patterns import groups

LONGEST: Final = 2000
"""Longest URL that is looked at, in characters."""
_ADDRESS: Final = re.compile(r"https?://\S+")


def short_form(address: str, candidates: Iterable[Linkifier]) -> str | None:
    """Return the text that becomes a link to `address` in a message; None if no linkifier has one."""
    if len(address) > LONGEST or not _ADDRESS.fullmatch(address):
        return None
    for linkifier in candidates:
        if linkifier.reverse_template is None:
            continue
        for template in (linkifier.url_template, *linkifier.alternative_url_templates):
            values = _values(template, address)
            if values is None:
                continue
            text = linkifiers.made_back(linkifier.reverse_template, values)
            if text and groups(linkifier.pattern, text) == values:
                return text
    return None


def fits(before: str, behind: str) -> bool:
    """Whether such a text becomes a link there; `before` is everything before the place.

    In code, in the brackets of a link, and within a word it does not.
    """
    line = before.rpartition("\n")[2]
    in_block = sum(each.lstrip().startswith(("```", "~~~")) for each in before.split("\n")) % 2
    in_code = in_block or line.count("`") % 2
    return not in_code and (not line or line[-1].isspace()) and not behind[:1].isalnum()


def _values(template: str, address: str) -> dict[str, str] | None:
    """Return the variables with which a template expands to the address; None if there are none."""
    pattern = url_templates.matching(template, address)
    encoded = None if pattern is None else groups(pattern, address)
    if encoded is None:
        return None
    values = {name: unquote(value) for name, value in encoded.items()}
    return values if url_templates.expand(template, values) == address else None
