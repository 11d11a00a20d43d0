"""URL templates (RFC 6570) of linkifiers and playgrounds, with string values. Pure functions."""

from collections.abc import Mapping
from functools import lru_cache

from uri_template import (
    ExpansionInvalidError,
    ExpansionReservedError,
    URITemplate,
    VariableInvalidError,
)
from uri_template.expansions import Expansion, Literal


class BadTemplate(ValueError):
    """The template has a brace without its partner or an expression that means nothing."""


@lru_cache(maxsize=256)
def variables(template: str) -> frozenset[str]:
    """The names that a template wants; raises BadTemplate."""
    return frozenset(_parsed(template).variable_names)


def expand(template: str, values: Mapping[str, str | None]) -> str:
    """The URL; variables without a value are left out, as the RFC says. Raises BadTemplate."""
    # Not `URITemplate.expand`: its keyword arguments cannot hold a variable called `self`.
    return "".join(
        part if isinstance(part, str) else part.expand(values) or "" for part in _parts(template)
    )


@lru_cache(maxsize=256)
def _parts(template: str) -> tuple[str | Expansion, ...]:
    """What stands between the variables is encoded once, not for each link of a message."""
    return tuple(
        part.expand({}) or "" if isinstance(part, Literal) else part
        for part in _parsed(template).expansions
    )


def _parsed(template: str) -> URITemplate:
    try:
        return URITemplate(template)
    except (
        ExpansionInvalidError,
        ExpansionReservedError,
        VariableInvalidError,
        IndexError,  # of a name that is empty, as in `{.,a}`
    ) as error:
        raise BadTemplate(template) from error
