"""Parses the terms of a narrow as clients send them: objects, or pairs without negation. Pure."""

from collections.abc import Sequence
from typing import Final, TypeGuard

from server_lite.dataclass import dataclass
from server_lite.errors import BadNarrow

Operand = str | int | list[int] | list[str]

ALIASES: Final = {
    "stream": "channel",
    "streams": "channels",
    "pm-with": "dm",
    "from": "sender",
    "subject": "topic",
}


MAX_TERMS: Final = 100
"""More terms than users need, and fewer than SQLite can nest."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term; `operator` is the newest of its names."""

    operator: str
    operand: Operand
    negated: bool = False


def parse_narrow(sent: Sequence[object]) -> list[Term]:
    """Return the terms of a decoded narrow; raises BadNarrow."""
    if len(sent) > MAX_TERMS:
        raise BadNarrow(f"more than {MAX_TERMS} terms")
    return [_term(one) for one in sent]


def _term(sent: object) -> Term:
    if isinstance(sent, list):
        if len(sent) != 2:
            raise BadNarrow("element is not a string pair")
        operator, operand, negated = *sent, False
    elif isinstance(sent, dict):
        if "operator" not in sent or "operand" not in sent:
            raise BadNarrow("operator or operand is missing")
        operator, operand = sent["operator"], sent["operand"]
        negated = sent.get("negated", False)
    else:
        raise BadNarrow("dict or list required")
    if not isinstance(operator, str):
        raise BadNarrow("operator is not a string")
    if not isinstance(negated, bool):
        raise BadNarrow("negated is not a boolean")
    return Term(ALIASES.get(operator, operator), _operand(operand), negated)


def _operand(value: object) -> Operand:
    if isinstance(value, str) and "\0" not in value:
        return value
    if _is_id(value):
        return value
    if isinstance(value, list) and (
        all(map(_is_id, value)) or all(isinstance(one, str) for one in value)
    ):
        if len(value) > MAX_TERMS:
            raise BadNarrow(f"more than {MAX_TERMS} operands")
        return value
    raise BadNarrow("operand is not a string, an integer or a list of them")


def _is_id(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63
