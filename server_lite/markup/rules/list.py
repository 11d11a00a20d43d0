"""Lists: `*`, `-` and `+` (which may mix) and `1.`. Pure."""

import re
from typing import Final

from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from server_lite.dataclass import dataclass
from server_lite.markup.blocks import ends
from server_lite.markup.context import context_of

_MARKER: Final = re.compile(r"(?:[*+-]|([0-9]{1,9})\.)(?=[ \t])[ \t]*")
_INDENT: Final = 2
"""Spaces by which a list inside an item, or a further paragraph of it, is indented."""

_MAX_AFTER_WORDS: Final = 9


@dataclass(frozen=True, slots=True)
class _Marker:
    """`number` is None for a bullet; `end` is where the item's text starts."""

    number: int | None
    end: int


def list_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse items until something less indented or of the other kind starts."""
    context = context_of(state)
    marker = None if context.is_full else _marker(state, start)
    if marker is None:
        return False
    if silent:
        # "It was in\n1985. Or later?" is no list, but the next item of an outer list may be one.
        is_in_words = state.parentType == "paragraph" and state.sCount[start] >= state.blkIndent
        return not is_in_words or (marker.number or 0) <= _MAX_AFTER_WORDS
    context.depth += 1
    _list(state, marker, start, end)
    context.depth -= 1
    return True


def _marker(state: StateBlock, line: int) -> _Marker | None:
    if state.is_code_block(line):
        return None
    first = state.bMarks[line] + state.tShift[line]
    match = _MARKER.match(state.src, first, state.eMarks[line])
    if match is None or match.end() >= state.eMarks[line]:
        return None
    return _Marker(int(match[1]) if match[1] else None, match.end())


def _list(state: StateBlock, marker: _Marker, start: int, end: int) -> None:
    name = "ul" if marker.number is None else "ol"
    opening = state.push("list_open", name, 1)
    if marker.number not in {None, 1}:
        opening.attrs = {"start": marker.number or 0}
    first_token = len(state.tokens)
    indent = state.sCount[start]
    is_loose = False
    line = start
    current: _Marker | None = marker
    while current is not None:
        is_loose |= not _item(state, current, line, end)
        line = state.line
        current = _next_marker(state, marker, line, end, indent)
        is_loose |= current is not None and state.isEmpty(line - 1)
    state.push("list_close", name, -1)
    if not is_loose:
        _tighten(state.tokens, first_token, opening.level + 2)


def _next_marker(
    state: StateBlock, marker: _Marker, line: int, end: int, indent: int
) -> _Marker | None:
    """Return the next item of the same list, if it starts in this line."""
    if line >= end or not state.blkIndent <= state.sCount[line] < indent + _INDENT:
        return None
    if ends(state, line, end, "list"):
        return None
    following = _marker(state, line)
    is_same = following and (following.number is None) == (marker.number is None)
    return following if is_same else None


def _item(state: StateBlock, marker: _Marker, line: int, end: int) -> bool:
    """Parse one item; returns whether it contains no blank line."""
    saved_line = state.bMarks[line], state.tShift[line], state.sCount[line]
    saved_state = state.blkIndent, state.tight, state.parentType
    state.push("item_open", "li", 1)
    state.blkIndent = state.sCount[line] + _INDENT
    # As if the text started where the item's further lines start, however wide the marker is.
    state.bMarks[line], state.tShift[line], state.sCount[line] = marker.end, 0, state.blkIndent
    state.tight, state.parentType = True, "list"
    state.md.block.tokenize(state, line, end)
    was_tight = state.tight
    state.push("item_close", "li", -1)
    state.bMarks[line], state.tShift[line], state.sCount[line] = saved_line
    state.blkIndent, state.tight, state.parentType = saved_state
    return was_tight


def _tighten(tokens: list[Token], start: int, level: int) -> None:
    """Hide the tags of the items' paragraphs."""
    for token in tokens[start:]:
        if token.level == level and token.tag == "p":
            token.hidden = True
