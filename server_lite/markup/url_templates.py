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
    """Raised for a template with an unbalanced brace or an invalid expression."""


@lru_cache(maxsize=256)
def variables(template: str) -> frozenset[str]:
    """Return the variables of a template; raises BadTemplate."""
    return frozenset(_parsed(template).variable_names)


def expand(template: str, values: Mapping[str, str | None]) -> str:
    """Return the URL; variables without a value are omitted, as the RFC says. Raises BadTemplate."""
    # Not `URITemplate.expand`: its keyword arguments cannot hold a variable called `self`.
    return "".join(
        part if isinstance(part, str) else part.expand(values) or "" for part in _parts(template)
    )


@lru_cache(maxsize=256)
def _parts(template: str) -> tuple[str | Expansion, ...]:
    """Return the template's parts; text between variables is encoded once, not for each link."""
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
        IndexError,  # of an empty name, as in `{.,a}`
    ) as error:
        raise BadTemplate(template) from error
