"""RFC 6570 URL templates as linkifiers and playgrounds have them, with values that are texts. Pure."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from tui.dataclass import dataclass

_EXPRESSION: Final = re.compile(r"\{([+#./;?&]?)([A-Za-z0-9_.,:*%]+)\}")
_literal: Final = re.escape
_RESERVED: Final = ":/?#[]@!$&'()*+,;=%"


@dataclass(frozen=True, slots=True)
class _Kind:
    """How the values of an expression are joined; `named` ones stand behind their name."""

    first: str
    between: str
    safe: str = ""
    named: bool = False
    empty: str = ""


_KINDS: Final = {
    "": _Kind("", ","),
    "+": _Kind("", ",", safe=_RESERVED),
    "#": _Kind("#", ",", safe=_RESERVED),
    ".": _Kind(".", "."),
    "/": _Kind("/", "/"),
    ";": _Kind(";", ";", named=True),
    "?": _Kind("?", "&", named=True, empty="="),
    "&": _Kind("&", "&", named=True, empty="="),
}


def variables(template: str) -> frozenset[str] | None:
    """The names that a template wants; None if it is none."""
    if re.search(r"[{}]", _EXPRESSION.sub("", template)):
        return None
    return frozenset(
        name for match in _EXPRESSION.finditer(template) for name, _ in _specs(match[2])
    )


def expand(template: str, values: Mapping[str, str | None]) -> str:
    """The address; variables without a value are left out."""

    def expression(match: re.Match[str]) -> str:
        kind = _KINDS[match[1]]
        parts = [
            _part(kind, name, value[:most])
            for name, most in _specs(match[2])
            if (value := values.get(name)) is not None
        ]
        return kind.first + kind.between.join(parts) if parts else ""

    return _EXPRESSION.sub(expression, template)


def matching(template: str, address: str) -> str | None:
    """A regular expression of addresses that a template makes, a group for each variable.

    None if `address` cannot be one, or if a variable is not there as a whole, once.
    """
    if not address.startswith(template.partition("{")[0]) or variables(template) is None:
        return None
    written: list[str] = []
    named: set[str] = set()
    at = 0
    for match in _EXPRESSION.finditer(template):
        written.append(_literal(template[at : match.start()]))
        at = match.end()
        kind, parts = _KINDS[match[1]], []
        for name, most in _specs(match[2]):
            if most is not None or name in named or not name.isidentifier():
                return None
            named.add(name)
            of_value = ".*" if kind.safe else r"[\w.~%-]*"
            key = _literal(f"{name}=") if kind.named else ""
            parts.append(f"{key}(?P<{name}>{of_value})")
        written.append(_literal(kind.first) + _literal(kind.between).join(parts))
    return "".join([*written, _literal(template[at:])])


def _specs(body: str) -> list[tuple[str, int | None]]:
    """Names, and how many characters of their value are taken."""
    found: list[tuple[str, int | None]] = []
    for spec in body.split(","):
        name, _, most = spec.removesuffix("*").partition(":")
        found.append((name, int(most) if most.isdecimal() else None))
    return found


def _part(kind: _Kind, name: str, value: str) -> str:
    encoded = quote(value, safe=kind.safe)
    if not kind.named:
        return encoded
    return f"{name}={encoded}" if value else name + kind.empty
