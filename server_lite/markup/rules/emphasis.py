"""*em*, **strong**, ***both*** and ~~del~~. Pure.

Markers are stored as tokens while a paragraph is parsed, and paired afterwards: code, mentions and
links between them are complete by then, and every marker is examined once.
"""

from typing import Final

from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from server_lite.markup.tokens import LightToken, append_leaf

_MAX_STARS: Final = 3
_DOUBLE: Final = 2
_TILDES: Final = 4
"""The kind of `~~`, which is paired as a whole; the kind of other runs is how many stars are left."""

_PARTNERS: Final = ((), (1, 3), (2, 3), (1, 2, 3), (_TILDES,))
_TAGS: Final = ("", "em", "strong", "", "del")
# A tag is the same token wherever it stands: a message may have ten thousand.
_OPENS: Final = tuple((LightToken(f"{name}_open", name, 1),) for name in _TAGS)
_CLOSES: Final = tuple((LightToken(f"{name}_close", name, -1),) for name in _TAGS)


class _Run(LightToken):
    """A run of markers: text, of which pairing leaves `kind` and makes the tags `closes` and `opens`."""

    __slots__ = ("can_close", "can_open", "closes", "kind", "opens")

    def __init__(self, content: str, kind: int, *, can_open: bool, can_close: bool) -> None:
        super().__init__("text", "", 0, content=content)
        self.kind = kind
        self.can_open = can_open
        self.can_close = can_close
        self.closes: tuple[Token, ...] = ()
        self.opens: tuple[Token, ...] = ()


def marker(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse a run of `*` or `~`; `pair_markers` decides whether it has a meaning."""
    source, start = state.src, state.pos
    character = source[start]
    end = start + 1
    while end < state.posMax and source[end] == character:
        end += 1
    state.pos = end
    content = source[start:end]
    is_double = len(content) == _DOUBLE
    if not (is_double if character == "~" else len(content) <= _MAX_STARS):
        state.append_pending(content)
        return True
    kind = _TILDES if character == "~" else len(content)
    # Doubled markers may have spaces inside (`** x **`), a single star may not.
    can_open = is_double or bool(source[end : end + 1].strip())
    can_close = is_double or bool(source[start - 1 : start].strip())
    append_leaf(state, _Run(content, kind, can_open=can_open, can_close=can_close))
    return True


def pair_markers(state: StateInline) -> None:
    """Turn the markers that have a partner on the same line and level into tags."""
    if "*" not in state.src and "~" not in state.src:
        return
    level = _Level()
    outer: list[_Level] = []
    is_paired = False
    for token in state.tokens:
        if isinstance(token, _Run):
            is_paired |= _close_and_open(level, token)
        elif token.nesting > 0:
            outer.append(level)
            level = _Level()
        elif token.nesting < 0:
            level = outer.pop()
        elif token.type == "softbreak":
            level = _Level()
    if is_paired:
        state.tokens[:] = _replaced(state.tokens)


class _Level:
    """The open runs of one line inside one element, and their places by kind."""

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._places: tuple[list[int], ...] = ([], [], [], [], [])

    def push(self, run: _Run) -> None:
        """Open a run."""
        self._places[run.kind].append(len(self._runs))
        self._runs.append(run)

    def take_partner(self, kind: int) -> _Run | None:
        """Remove and return the nearest run that `kind` can close, with all that opened after it."""
        place = -1
        for partner in _PARTNERS[kind]:
            if (places := self._places[partner]) and places[-1] > place:
                place = places[-1]
        if place < 0:
            return None
        runs = self._runs
        while True:
            run = runs.pop()
            self._places[run.kind].pop()
            if len(runs) == place:
                return run


def _close_and_open(level: _Level, run: _Run) -> bool:
    """Pair a run with those before it; returns whether it has a partner."""
    is_paired = False
    while run.can_close and run.kind and (opener := level.take_partner(run.kind)) is not None:
        both_are_three = opener.kind == run.kind == _MAX_STARS
        # The `em` of `***x***` is the inner one.
        kind = 1 if both_are_three else min(opener.kind, run.kind)
        opener.opens = _OPENS[kind] + opener.opens
        run.closes += _CLOSES[kind]
        opener.kind -= kind
        run.kind -= kind
        is_paired = True
        if opener.kind:
            level.push(opener)
    if run.kind and run.can_open:
        level.push(run)
    return is_paired


def _replaced(tokens: list[Token]) -> list[Token]:
    result: list[Token] = []
    for token in tokens:
        if not isinstance(token, _Run):
            result.append(token)
            continue
        result += token.closes
        if token.kind:
            token.content = token.content[: token.kind]
            result.append(token)
        result += token.opens
    return result
