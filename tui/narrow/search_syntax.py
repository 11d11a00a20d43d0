"""The search language: `channel:general topic:"new plans" -sender:me "a phrase"`. No I/O.

A term is `operator:operand`, negated by a `-` in front; everything else is text to search for, and a word or
phrase with a `-` in front must not be there. An unknown operator is an error; in quotation marks it is text.
An operand with spaces stands in quotation marks, inside which a backslash takes the next character as it is.
A bare number is an ID where IDs are possible; in quotation marks it is a name.
"""

import re
from collections.abc import Sequence
from typing import Final

from tui.errors import BadNarrow, DayInSearch
from tui.narrow.terms import ALIASES, HAS_OPERANDS, IS_OPERANDS, OPERATORS, Operand, Term

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_TERM = re.compile(
    rf"(?P<minus>-?)(?P<operator>[a-z][a-z-]*):(?P<operand>{_QUOTED}|[^\s\"]\S*|)(?!\S)"
)
_LIKE_A_TERM = re.compile(r"-?[a-z][a-z-]+:[^\s:/]\S*")
"""Matches an unknown operator, and not `http://x`, `std::x` or `c:x`, which are text."""
_NOT = re.compile(r'-("[^"]*"|[^\W_][^\s"]*)(?!\S)')
_TEXT = re.compile(r'"[^"]*"|\S+')
_PLAIN = re.compile(r'[^\s"]\S*')

_TAKES_ONE_ID = frozenset({"id", "with", "near"})
_TAKES_IDS = frozenset({"channel", "dm", "dm-including", "group-pm-with", "sender", "mentions"})
_OTHER_OPERANDS = {
    ("is", "private"): "dm",
    ("has", "links"): "link",
    ("has", "images"): "image",
    ("has", "attachments"): "attachment",
    ("has", "reactions"): "reaction",
}
_CHOICES = {"is": IS_OPERANDS, "has": HAS_OPERANDS, "in": frozenset({"home", "all"})}


def parse(text: str) -> tuple[Term, ...]:
    """Return the terms of a search. Raises BadNarrow if one of them is invalid."""
    terms: list[Term] = []
    words: list[str] = []
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        match = _TERM.match(text, position)
        operator = match and ALIASES.get(match["operator"], match["operator"])
        if match and operator in OPERATORS:
            _flush(words, terms)
            terms.append(_term(operator, match))
        elif _LIKE_A_TERM.match(text, position):
            raise _unknown(text[position:].split(None, 1)[0])
        elif (match := _NOT.match(text, position)) is not None:
            _flush(words, terms)
            terms.append(Term("search", match[1], negated=True))
        else:
            match = _TEXT.match(text, position)
            assert match is not None
            words.append(match[0])
        position = match.end()
    _flush(words, terms)
    return tuple(terms)


def format_terms(terms: Sequence[Term]) -> str:
    """Return text that `parse` reads to the same terms."""
    parts: list[str] = []
    after_text = False
    for term in terms:
        bare = f"{'-' if term.negated else ''}{term.operand}"
        is_bare = term.operator == "search" and _reads_as(bare, term)
        is_text = is_bare and not term.negated
        if is_bare and not (is_text and after_text):
            parts.append(bare)
        else:
            parts.append(_format(term))
            is_text = False
        after_text = is_text
    return " ".join(parts)


def _flush(words: list[str], terms: list[Term]) -> None:
    if words:
        terms.append(Term("search", " ".join(words)))
        words.clear()


_DAYS: Final = frozenset(("after", "before", "date", "during", "on", "since", "until"))
"""What other programs call operators of days, which servers do not have."""


def _unknown(written: str) -> BadNarrow:
    name = written.lstrip("-").partition(":")[0]
    if name in _DAYS:
        return DayInSearch(
            f"“{name}:” is not a search operator: a search covers all days. Put it in"
            " quotes to search for the text."
        )
    from difflib import get_close_matches  # no start waits for it

    like = get_close_matches(name, [*OPERATORS, *ALIASES], n=1)
    help_ = (
        f"Did you mean “{like[0]}:”?"
        if like
        else f"The operators are {', '.join(sorted(OPERATORS))}."
    )
    return BadNarrow(
        f"“{name}:” is not a search operator. {help_} Put it in quotes to search for the text."
    )


def _term(operator: str, match: re.Match[str]) -> Term:
    written = match["operand"]
    quoted = written.startswith('"')
    operand = re.sub(r"\\(.)", r"\1", written[1:-1], flags=re.DOTALL) if quoted else written
    if operand == "" and operator != "topic":
        raise BadNarrow(f"“{operator}:” needs a value.")
    return Term(operator, parse_operand(operator, operand, quoted=quoted), bool(match["minus"]))


def parse_operand(operator: str, text: str, *, quoted: bool) -> Operand:
    """Return an operand from its text; raises BadNarrow if it is invalid for the operator."""
    if operator in _TAKES_ONE_ID:
        if not _is_id(text):
            raise BadNarrow(f"“{operator}:” needs a message ID, not “{text}”.")
        return int(text)
    if operator in _TAKES_IDS and not quoted:
        parts = text.split(",")
        if all(_is_id(part) for part in parts):
            ids = tuple(int(part) for part in parts)
            many = operator in ("dm", "dm-including")
            return ids if many else ids[0] if len(ids) == 1 else text
    text = _OTHER_OPERANDS.get((operator, text), text)
    choices = _CHOICES.get(operator)
    if choices is not None and text not in choices:
        choices_text = ", ".join(f"{operator}:{choice}" for choice in sorted(choices))
        raise BadNarrow(f"“{operator}:{text}” does not exist; use {choices_text}.")
    return text


def _is_id(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 18


def _reads_as(text: str, term: Term) -> bool:
    try:
        return parse(text) == (term,)
    except BadNarrow:
        return False


def _format(term: Term) -> str:
    head = f"{'-' if term.negated else ''}{term.operator}:"
    if isinstance(term.operand, int):
        return f"{head}{term.operand}"
    if isinstance(term.operand, tuple):
        return head + ",".join(map(str, term.operand))
    plain = _PLAIN.fullmatch(term.operand) and _reads_as(head + term.operand, term)
    if plain or (term.operand == "" and term.operator == "topic"):
        return head + term.operand
    escaped = term.operand.replace("\\", "\\\\").replace('"', '\\"')
    return f'{head}"{escaped}"'
