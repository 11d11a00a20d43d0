"""Completions of a search: operators and operands. Pure."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from tui.api.model import ChannelId, UserId
from tui.content.sanitize import sanitize_line
from tui.errors import BadNarrow, DayInSearch
from tui.narrow import Operand, Term, format_terms, parse, resolve, unresolved
from tui.narrow.terms import HAS_OPERANDS, IS_OPERANDS
from tui.store.store import Store
from tui.view import names
from tui.view.completions import Completion

MOST: Final = 8
"""Most completions at once."""

OPERATORS: Final = {
    "sender": "sender: a name, or me",
    "channel": "channel",
    "topic": "topic",
    "dm": "direct messages with a person",
    "dm-including": "direct and group messages with a person",
    "mentions": "mentioned person",
    "is": "unread, starred, mentioned, followed, and more",
    "has": ", ".join(sorted(HAS_OPERANDS)),
    "near": "ID of a message to start at",
}
"""Operators that are proposed, with descriptions."""

_OPERAND: Final = re.compile(r'(?:^|(?<=\s))(-?)([a-z-]+):("[^"]*|[^\s"]*)$')
_NAME: Final = re.compile(r'(?:^|(?<=\s))(-?)([a-z-]+):([^\s":]+\s[^":]*)$')
"""An operand of several words that is not quoted yet."""
_WORD: Final = re.compile(r"(?:^|(?<=\s))(-?)([a-z-]*)$")


def proposals(store: Store, text: str) -> list[Completion]:
    """Return completions for the end of the text, best first: an operator, or operands."""
    operand = _OPERAND.search(text)
    if operand is not None and operand[2] in OPERATORS:
        operands = _operands(store, operand[2], text[: operand.start()])
        minus, size = bool(operand[1]), len(operand[0])
        return _ranked(operands, operand[3].removeprefix('"'), operand[2], size, minus=minus)
    name = _NAME.search(text)
    if name is not None and name[2] in OPERATORS:
        operands = _operands(store, name[2], text[: name.start()])
        begun = ((label, value) for label, value in operands if _begins(label, name[3]))
        completions = _ranked(begun, name[3], name[2], len(name[0]), minus=bool(name[1]))
        if completions:
            return completions
    word = _WORD.search(text)
    if word is None:
        return []
    return [
        Completion(
            label=f"{word[1]}{name}:",
            detail=detail,
            text=f"{word[1]}{name}:",
            replaces=len(word[0]),
        )
        for name, detail in OPERATORS.items()
        if name.startswith(word[2])
    ]


def trouble(store: Store, text: str, key: Callable[[str], str]) -> str:
    """Return the error of a search as a sentence; "" for a valid one. `key` returns the key of an action ID."""
    try:
        terms = resolve(parse(text), store)
    except DayInSearch as error:
        return f"{sanitize_line(str(error))} Press {key('app.day')} in a conversation or a search to go to a day."
    except BadNarrow as error:
        return sanitize_line(str(error))
    return sanitize_line(unresolved(terms))


def _begins(label: str, typed: str) -> bool:
    return label.casefold().startswith(typed.casefold())


def _ranked(
    operands: Iterable[tuple[str, Operand]], typed: str, operator: str, size: int, *, minus: bool
) -> list[Completion]:
    folded = typed.casefold()
    matching = [(label, value) for label, value in operands if folded in label.casefold()]
    matching.sort(key=lambda pair: not pair[0].casefold().startswith(folded))
    return [
        Completion(
            label=sanitize_line(label),
            detail="",
            text=f"{format_terms((Term(operator, value, minus),))} ",
            replaces=size,
        )
        for label, value in matching[:MOST]
    ]


def _operands(store: Store, operator: str, before: str) -> Iterator[tuple[str, Operand]]:
    match operator:
        case "is":
            yield from ((choice, choice) for choice in sorted(IS_OPERANDS))
        case "has":
            yield from ((choice, choice) for choice in sorted(HAS_OPERANDS))
        case "channel":
            for channel in store.channels.by_id.values():
                yield channel.name, channel.name
        case "topic":
            for channel_id in _channels(store, before):
                yield from ((p.topic, p.topic) for p in names.topics(store, channel_id) if p.topic)
        case "sender" | "dm" | "dm-including" | "mentions":
            yield from _people(store, operator)
        case _:
            return


def _people(store: Store, operator: str) -> Iterator[tuple[str, Operand]]:
    if operator == "sender":
        yield "me", "me"
    count = Counter(
        user.full_name.casefold() for user in store.users.by_id.values() if user.is_active
    )
    for user in store.users.by_id.values():
        # A name that several people have would match nobody.
        is_unique = count[user.full_name.casefold()] == 1
        operand: Operand = user.full_name if is_unique else _id(operator, user.user_id)
        if user.is_active:
            yield user.full_name, operand


def _id(operator: str, user_id: UserId) -> Operand:
    return (user_id,) if operator in ("dm", "dm-including") else user_id


def _channels(store: Store, before: str) -> list[ChannelId]:
    """Return the channel that the search names already, or all subscribed ones."""
    try:
        terms = resolve(parse(before), store)
    except BadNarrow:
        terms = ()
    named = [
        ChannelId(t.operand)
        for t in terms
        if t.operator == "channel" and isinstance(t.operand, int)
    ]
    return named or sorted(store.channels.subscribed)
