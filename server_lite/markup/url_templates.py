"""RFC 6570 URL templates for linkifiers, with string values only (level 3). Pure functions."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from server_lite.dataclass import dataclass

_EXPRESSION: Final = re.compile(r"\{([+#./;?&]?)([A-Za-z0-9_.,:*%]+)\}")
_RESERVED: Final = ":/?#[]@!$&'()*+,;=%"


class BadTemplate(ValueError):
    """The template has a brace without its partner or an expression that means nothing."""


@dataclass(frozen=True, slots=True)
class _Operator:
    first: str
    separator: str
    is_named: bool = False
    empty: str = ""
    safe: str = ""


_OPERATORS: Final = {
    "": _Operator("", ","),
    "+": _Operator("", ",", safe=_RESERVED),
    "#": _Operator("#", ",", safe=_RESERVED),
    ".": _Operator(".", "."),
    "/": _Operator("/", "/"),
    ";": _Operator(";", ";", is_named=True),
    "?": _Operator("?", "&", is_named=True, empty="="),
    "&": _Operator("&", "&", is_named=True, empty="="),
}


def variables(template: str) -> frozenset[str]:
    """The names that a template wants; raises BadTemplate."""
    if re.search(r"[{}]", _EXPRESSION.sub("", template)):
        raise BadTemplate(template)
    names = (_specs(match[2]) for match in _EXPRESSION.finditer(template))
    return frozenset(name for specs in names for name, _ in specs)


def expand(template: str, values: Mapping[str, str | None]) -> str:
    """The URL; variables without a value are left out, as the RFC says."""

    def expression(match: re.Match[str]) -> str:
        operator = _OPERATORS[match[1]]
        parts = [
            _part(operator, name, value[:length])
            for name, length in _specs(match[2])
            if (value := values.get(name)) is not None
        ]
        return operator.first + operator.separator.join(parts) if parts else ""

    return _EXPRESSION.sub(expression, template)


def _specs(body: str) -> list[tuple[str, int | None]]:
    """Names with their `:length` prefix; `*` changes nothing for a string."""
    result: list[tuple[str, int | None]] = []
    for spec in body.split(","):
        name, _, length = spec.removesuffix("*").partition(":")
        result.append((name, int(length) if length.isdecimal() else None))
    return result


def _part(operator: _Operator, name: str, value: str) -> str:
    encoded = quote(value, safe=operator.safe)
    if not operator.is_named:
        return encoded
    return f"{name}={encoded}" if value else name + operator.empty
