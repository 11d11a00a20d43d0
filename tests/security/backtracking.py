"""Counts the steps of a regular expression on a text, with a matcher like Python's own. No clock.

It follows the tree that Python's parser makes of the pattern, tries the same choices in the same order, and
counts each examined character or position. Long bounds are cut (`SHORT`), so that growth shows on short
texts.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from typing import Any, Final

c: Any = import_module("re._constants")  # by name: mypy knows them only without a cache of its own
parser: Any = import_module("re._parser")

SHORT: Final = 6
"""Maximum of bounded repeats: `{1,64}` costs a constant, however large."""

CHARACTER: Final = frozenset({c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN})
"""Nodes that match one character."""

Next = Callable[[int], bool]
Matcher = Callable[[int, Next], bool]


class TooManySteps(Exception):
    """The count exceeded its limit: the text would take very long."""


class Counter:
    """Counts steps of one pattern; more than `limit` raise TooManySteps."""

    def __init__(self, pattern: re.Pattern[str], limit: int) -> None:
        self.steps = 0
        self._text = ""
        self._limit = limit
        self._flags = int(pattern.flags)
        self._groups: dict[int, tuple[int, int]] = {}
        tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
        self._match = self._sequence(list(tree))

    def scan(self, text: str) -> int:
        """Return the steps of `sub` or `finditer`: a try at every position outside of earlier matches."""
        self.steps, self._text = 0, text
        at = 0
        while at <= len(self._text):
            end = self._end(at)
            at = at + 1 if end is None or end == at else end
        return self.steps

    def anchored(self, text: str) -> int:
        """Return the steps of `fullmatch` at the start, or of a failing `match`."""
        self.steps, self._text = 0, text
        self._match(0, lambda end: end == len(self._text))
        return self.steps

    def _end(self, start: int) -> int | None:
        ends: list[int] = []

        def done(end: int) -> bool:
            ends.append(end)
            return True

        self._groups.clear()
        return ends[0] if self._match(start, done) else None

    def _step(self) -> None:
        self.steps += 1
        if self.steps > self._limit:
            raise TooManySteps

    def _sequence(self, items: list[Any]) -> Matcher:
        matchers = [self._node(op, value) for op, value in items]

        def run(at: int, then: Next, index: int = 0) -> bool:
            if index == len(matchers):
                return then(at)
            return matchers[index](at, lambda end: run(end, then, index + 1))

        return run

    def _node(self, op: Any, value: Any) -> Matcher:
        if op in CHARACTER:
            return self._one(op, value)
        if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
            return self._repeat(op, *value)
        if op is c.SUBPATTERN:
            return self._group(value[0], self._sequence(list(value[3])))
        if op is c.BRANCH:
            return self._branch([self._sequence(list(each)) for each in value[1]])
        if op is c.AT:
            return self._place(value)
        if op in (c.ASSERT, c.ASSERT_NOT):
            return self._look(value[0], self._sequence(list(value[1])), wanted=op is c.ASSERT)
        if op is c.GROUPREF:
            return self._again(value)
        if op is c.ATOMIC_GROUP:
            return self._atomic(self._sequence(list(value)))
        raise NotImplementedError(str(op))

    def _one(self, op: Any, value: Any) -> Matcher:
        fits = self._fits(op, value)

        def run(at: int, then: Next) -> bool:
            self._step()
            return at < len(self._text) and fits(self._text[at]) and then(at + 1)

        return run

    def _fits(self, op: Any, value: Any) -> Callable[[str], bool]:
        return cache(lambda char: contains(op, value, char, self._flags))

    def _repeat(self, op: Any, least: int, most: Any, items: Any) -> Matcher:
        bound = sys.maxsize if most is c.MAXREPEAT else min(int(most), SHORT)
        least = min(least, SHORT)
        if op is c.MAX_REPEAT and len(items) == 1 and items[0][0] in CHARACTER:
            return self._characters(self._fits(*items[0]), least, bound)
        item = self._sequence(list(items))
        if op is c.POSSESSIVE_REPEAT:
            greedy = self._greedy(item, least, bound)
            return self._atomic(lambda at, then: greedy(at, then))
        return (
            self._greedy(item, least, bound)
            if op is c.MAX_REPEAT
            else self._lazy(item, least, bound)
        )

    def _characters(self, fits: Callable[[str], bool], least: int, most: int) -> Matcher:
        """Match as many as possible, then one less at a time: like `_greedy`, without a call each."""

        def run(at: int, then: Next) -> bool:
            text, end = self._text, at
            while end < len(text) and end - at < most and fits(text[end]):
                end += 1
            self.steps += end - at
            while end - at >= least:
                self._step()
                if then(end):
                    return True
                end -= 1
            return False

        return run

    def _greedy(self, item: Matcher, least: int, most: int) -> Matcher:
        def run(at: int, then: Next, done: int = 0) -> bool:
            self._step()
            if done < most and item(
                at, lambda end: (end > at or done < least) and run(end, then, done + 1)
            ):
                return True
            return done >= least and then(at)

        return run

    def _lazy(self, item: Matcher, least: int, most: int) -> Matcher:
        def run(at: int, then: Next, done: int = 0) -> bool:
            self._step()
            if done >= least and then(at):
                return True
            return done < most and item(
                at, lambda end: (end > at or done < least) and run(end, then, done + 1)
            )

        return run

    def _group(self, number: int | None, inner: Matcher) -> Matcher:
        def run(at: int, then: Next) -> bool:
            def closed(end: int) -> bool:
                if number is not None:
                    self._groups[number] = (at, end)
                return then(end)

            return inner(at, closed)

        return run

    def _branch(self, ways: list[Matcher]) -> Matcher:
        return lambda at, then: any(way(at, then) for way in ways)

    def _place(self, where: Any) -> Matcher:
        def run(at: int, then: Next) -> bool:
            self._step()
            return self._holds(where, at) and then(at)

        return run

    def _holds(self, where: Any, at: int) -> bool:
        text, many = self._text, bool(self._flags & re.MULTILINE)
        if where in (c.AT_BEGINNING, c.AT_BEGINNING_STRING):
            return at == 0 or (many and where is c.AT_BEGINNING and text[at - 1] == "\n")
        if where is c.AT_END_STRING:
            return at == len(text)
        if where is c.AT_END:
            return at == len(text) or (text[at] == "\n" and (many or at == len(text) - 1))
        before = at > 0 and is_word(text[at - 1])
        after = at < len(text) and is_word(text[at])
        return (before != after) == (where is c.AT_BOUNDARY)

    def _look(self, direction: int, inner: Matcher, *, wanted: bool) -> Matcher:
        def run(at: int, then: Next) -> bool:
            if direction > 0:
                matches = inner(at, lambda _: True)
            else:  # Python allows only a fixed width; the counter tries each
                matches = any(
                    inner(start, lambda end: end == at) for start in range(at, max(-1, at - 9), -1)
                )
            return matches == wanted and then(at)

        return run

    def _again(self, number: int) -> Matcher:
        def run(at: int, then: Next) -> bool:
            start, end = self._groups.get(number, (0, 0))
            said = self._text[start:end]
            self.steps += len(said)
            return self._text.startswith(said, at) and then(at + len(said))

        return run

    def _atomic(self, inner: Matcher) -> Matcher:
        def run(at: int, then: Next) -> bool:
            ends: list[int] = []

            def first(end: int) -> bool:
                ends.append(end)
                return True

            return inner(at, first) and then(ends[0])

        return run


def contains(op: Any, value: Any, char: str, flags: int) -> bool:
    """Whether a single-character node of a pattern's tree matches this character."""
    if op is c.ANY:
        return char != "\n" or bool(flags & re.DOTALL)
    if op is c.LITERAL:
        return same(chr(value), char, flags)
    if op is c.NOT_LITERAL:
        return not same(chr(value), char, flags)
    items = list(value)
    negated = bool(items) and items[0][0] is c.NEGATE
    is_in = any(_in(each, what, char, flags) for each, what in items[negated:])
    return is_in != negated


def _in(op: Any, value: Any, char: str, flags: int) -> bool:
    if op is c.RANGE:
        low, high = value
        return low <= ord(char) <= high or (
            bool(flags & re.IGNORECASE) and low <= ord(char.swapcase()[0]) <= high
        )
    if op is c.CATEGORY:
        return _category(value, char)
    return same(chr(value), char, flags)


def same(one: str, other: str, flags: int) -> bool:
    """Whether two characters are equal for the pattern."""
    return one == other or (bool(flags & re.IGNORECASE) and one.lower() == other.lower())


def _category(which: Any, char: str) -> bool:
    name = str(which)
    negated = "_NOT_" in name
    if name.endswith("SPACE"):
        return char.isspace() != negated
    if name.endswith("DIGIT"):
        return char.isdecimal() != negated
    return is_word(char) != negated


def is_word(char: str) -> bool:
    """Whether `\\w` matches the character."""
    return char.isalnum() or char == "_"


def is_bounded(pattern: re.Pattern[str]) -> bool:
    """Whether one try of the pattern examines a bounded number of characters."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    return bool(tree.getwidth()[1] < c.MAXREPEAT)


POOL: Final = "a0 \n<-_.:/*@é!"
"""Characters of each kind, for classes."""


def attacks(pattern: re.Pattern[str], size: int, *, thorough: bool = False) -> Iterator[str]:
    """Yield texts of about `size` characters, made of the pattern's own parts: potentially expensive ones."""
    flags = int(pattern.flags)
    tree = list(parser.parse(pattern.pattern, flags & ~re.DEBUG))
    atoms = list(dict.fromkeys(_characters(tree, flags)))[: 14 if thorough else 6]
    openings = list(dict.fromkeys(_openings(tree, flags)))[: 14 if thorough else 6]
    units = dict.fromkeys([*atoms, *openings])
    units |= dict.fromkeys(one + other for one in openings for other in atoms)
    if thorough:
        units |= dict.fromkeys(one + other for one in atoms for other in atoms)
    for unit in filter(None, units):
        yield (unit * size)[:size]
        yield (unit * size)[: size - 1] + "\n"
    for opening in openings:
        for atom in atoms:
            yield opening + atom * (size - len(opening))
            yield opening + atom * (size - len(opening) - 1) + "\x00"


def _characters(items: Iterable[tuple[Any, Any]], flags: int) -> Iterator[str]:
    for op, value in items:
        if op in CHARACTER:
            yield from islice(_every(op, value, flags), 3)
            if op is c.IN:
                yield from [chr(what) for each, what in value if each is c.LITERAL][:2]
        else:
            for inner in _children(op, value):
                yield from _characters(inner, flags)


def _children(op: Any, value: Any) -> list[list[tuple[Any, Any]]]:
    if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        return [list(value[2])]
    if op is c.SUBPATTERN:
        return [list(value[3])]
    if op is c.BRANCH:
        return [list(each) for each in value[1]]
    if op in (c.ASSERT, c.ASSERT_NOT):
        return [list(value[1])]
    return [list(value)] if op is c.ATOMIC_GROUP else []


def _openings(items: list[tuple[Any, Any]], flags: int, before: str = "") -> Iterator[str]:
    """Yield the shortest texts that lead to each part of the pattern."""
    for op, value in items:
        if op is not c.LITERAL:
            yield before
        if op not in (c.ASSERT, c.ASSERT_NOT):
            for inner in _children(op, value):
                yield from _openings(inner, flags, before)
        before += _shortest(op, value, flags)
    yield before


def _shortest(op: Any, value: Any, flags: int) -> str:
    if op is c.LITERAL:
        return chr(value)
    if op in (c.NOT_LITERAL, c.ANY, c.IN):
        return next(_every(op, value, flags))
    inner = _children(op, value)
    if not inner or op in (c.ASSERT, c.ASSERT_NOT):
        return ""
    once = "".join(_shortest(each, what, flags) for each, what in inner[0])
    if op in (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT):
        return once * min(int(value[0]), SHORT)
    return once


def _every(op: Any, value: Any, flags: int) -> Iterator[str]:
    """Yield characters that match, readable ones first."""
    named = [chr(value)] if op is c.LITERAL else []
    if op is c.IN:
        named = [
            chr(what[0] if each is c.RANGE else what) for each, what in value if each in _CHARS
        ]
    return (char for char in (*POOL, *named, *_OTHERS) if contains(op, value, char, flags))


_OTHERS: Final = "b~\u2014\u0301\u200b\U0001f600"
_CHARS: Final = frozenset({c.RANGE, c.LITERAL})
