"""Which narrows anonymous visitors may request. Pure."""

from collections.abc import Sequence
from typing import Final

from server_lite.access.anonymous import REFUSED
from server_lite.errors import Unauthenticated
from server_lite.narrow.terms import Term

WEB_PUBLIC: Final = Term("channels", "web-public")
RESOLVED: Final = Term("is", "resolved")
OPERATORS: Final = frozenset(
    {"channels", "channel", "topic", "sender", "has", "search", "near", "id", "with"}
)
"""Operators that do not depend on the user."""


def check_for_strangers(terms: Sequence[Term]) -> None:
    """Raise unless the narrow is explicitly of web-public channels, and independent of the user."""
    impersonal = all(term.operator in OPERATORS or term == RESOLVED for term in terms)
    if not impersonal or WEB_PUBLIC not in terms:
        raise Unauthenticated(REFUSED)
