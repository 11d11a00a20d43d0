"""URL templates (RFC 6570) of linkifiers and playgrounds, with string values. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # loaded with the first template: no start needs one
    from uri_template import URITemplate

_literal: Final = re.escape
_NAMED: Final = frozenset(";?&")
_RESERVED: Final = frozenset("+#")


def variables(template: str) -> frozenset[str] | None:
    """Return the variables of a template; None if it is invalid."""
    parsed = _parsed(template)
    return None if parsed is None else frozenset(parsed.variable_names)


def expand(template: str, values: Mapping[str, str | None]) -> str:
    """Return the URL; variables without a value are left out. An invalid template is returned as it is."""
    parsed = _parsed(template)
    if parsed is None:
        return template
    # Not `URITemplate.expand`: its keyword arguments cannot hold a variable called `self`.
    return "".join(part.expand(values) or "" for part in parsed.expansions)


def matching(template: str, address: str) -> str | None:
    """Return a regular expression for URLs of a template, with a group for each variable.

    None if `address` cannot be such a URL, or if a variable does not stand there whole, exactly once.
    """
    parsed = _parsed(template)
    if parsed is None or not address.startswith(template.partition("{")[0]):
        return None
    from uri_template.expansions import ExpressionExpansion

    written: list[str] = []
    names: set[str] = set()
    for part in parsed.expansions:
        if not isinstance(part, ExpressionExpansion):
            written.append(_literal(part.expand({}) or ""))
            continue
        groups = []
        for variable in part.vars:
            name = variable.name
            if variable.max_length or name in names or not name.isidentifier():
                return None
            names.add(name)
            value = ".*" if part.operator in _RESERVED else r"[\w.~%-]*"
            key = _literal(f"{name}=") if part.operator in _NAMED else ""
            groups.append(f"{key}(?P<{name}>{value})")
        written.append(_literal(part.output_prefix) + _literal(part.var_joiner).join(groups))
    return "".join(written)


@lru_cache(maxsize=64)
def _parsed(template: str) -> URITemplate | None:
    from uri_template import (
        ExpansionInvalidError,
        ExpansionReservedError,
        URITemplate,
        VariableInvalidError,
    )

    try:
        return URITemplate(template)
    except (
        ExpansionInvalidError,
        ExpansionReservedError,
        VariableInvalidError,
        IndexError,  # for an empty name, as in `{.,a}`
    ):
        return None
