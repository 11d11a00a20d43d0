"""*em*, **strong**, ***both*** and ~~del~~. Pure.

Markers are stored as tokens while a paragraph is parsed, and paired afterwards: code, mentions and
links between them are complete by then, and every marker is examined once.
"""

from dataclasses import field
from typing import Final

from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from server_lite.dataclass import dataclass
from server_lite.markup.tokens import LightToken

_MAX_STARS: Final = 3
_STRIKE: Final = 2
_PARTNERS: Final = {1: (1, 3), 2: (2, 3), 3: (1, 2, 3)}
_TAGS: Final = {"*": {1: "em", 2: "strong"}, "~": {2: "del"}}


@dataclass(slots=True)
class _Run:
    """A run of markers: how many are left, and the tags that it closes and opens."""

    character: str
    count: int
    can_open: bool
    can_close: bool
    closes: list[str] = field(default_factory=list)
    opens: list[str] = field(default_factory=list)


def marker(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse a run of `*` or `~`; `pair_markers` decides whether it has a meaning."""
    character = state.src[state.pos]
    end = state.pos
    while end < state.posMax and state.src[end] == character:
        end += 1
    count = end - state.pos
    is_valid = count == _STRIKE if character == "~" else count <= _MAX_STARS
    if not is_valid:
        state.append_pending(state.src[state.pos : end])
    else:
        before = state.src[state.pos - 1 : state.pos]
        after = state.src[end : end + 1]
        token = state.push("text", "", 0)
        token.content = character * count
        # Doubled markers may have spaces inside (`** x **`), a single star may not.
        can_open = count == _STRIKE or bool(after.strip())
        can_close = count == _STRIKE or bool(before.strip())
        token.meta = {"run": _Run(character, count, can_open=can_open, can_close=can_close)}
    state.pos = end
    return True


def pair_markers(state: StateInline) -> None:
    """Turn the markers that have a partner on the same line and level into tags."""
    if "*" not in state.src and "~" not in state.src:
        return
    levels = [_Level()]
    runs: dict[int, _Run] = {}
    for index, token in enumerate(state.tokens):
        run = token.meta.get("run")
        if isinstance(run, _Run):
            runs[index] = run
            _close_and_open(levels[-1], run)
        elif token.nesting > 0:
            levels.append(_Level())
        elif token.nesting < 0:
            levels.pop()
        elif token.type == "softbreak":
            levels[-1] = _Level()
    if any(run.closes or run.opens for run in runs.values()):
        state.tokens[:] = _replaced(state.tokens, runs)


class _Level:
    """The open runs of one line inside one element, indexed by character and count."""

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._places: dict[tuple[str, int], list[int]] = {}

    def push(self, run: _Run) -> None:
        """Open a run."""
        self._places.setdefault((run.character, run.count), []).append(len(self._runs))
        self._runs.append(run)

    def take_partner(self, closer: _Run) -> _Run | None:
        """Remove and return the nearest run that `closer` can close, with all that opened after it."""
        keys = [(closer.character, count) for count in _PARTNERS[closer.count]]
        place = max((self._places[key][-1] for key in keys if self._places.get(key)), default=None)
        if place is None:
            return None
        partner = self._runs[place]
        while len(self._runs) > place:
            run = self._runs.pop()
            self._places[run.character, run.count].pop()
        return partner


def _close_and_open(level: _Level, run: _Run) -> None:
    while run.can_close and run.count and (opener := level.take_partner(run)) is not None:
        both_are_three = opener.count == run.count == _MAX_STARS
        # The `em` of `***x***` is the inner one.
        count = 1 if both_are_three else min(opener.count, run.count)
        name = _TAGS[run.character][count]
        opener.opens.insert(0, name)
        run.closes.append(name)
        opener.count -= count
        run.count -= count
        if opener.count:
            level.push(opener)
    if run.count and run.can_open:
        level.push(run)


def _replaced(tokens: list[Token], runs: dict[int, _Run]) -> list[Token]:
    result: list[Token] = []
    for index, token in enumerate(tokens):
        run = runs.get(index)
        if run is None:
            result.append(token)
            continue
        result.extend(LightToken(f"{name}_close", name, -1) for name in run.closes)
        if run.count:
            token.content = run.character * run.count
            result.append(token)
        result.extend(LightToken(f"{name}_open", name, 1) for name in run.opens)
    return result
