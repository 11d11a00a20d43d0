"""Which narrows may be asked without having signed in. Pure."""

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
"""Those that ask nothing of who reads."""


def check_for_strangers(terms: Sequence[Term]) -> None:
    """Raise unless the narrow says that it is of web-public channels, and of nobody in particular."""
    impersonal = all(term.operator in OPERATORS or term == RESOLVED for term in terms)
    if not impersonal or WEB_PUBLIC not in terms:
        raise Unauthenticated(REFUSED)
