"""> Quotes. Pure."""

from markdown_it.rules_block import StateBlock

from server_lite.markup.context import context_of
from server_lite.markup.rules.paragraph import begins_block

_LAZY = -1
"""The indent that marks a line without `>` which continues a paragraph of the quote."""


def blockquote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A quote that has a word in its first or second line; a lone `>` is text."""
    context = context_of(state)
    is_quote = _has_words(state, start) or (
        _has_marker(state, start) and start + 1 < end and _has_words(state, start + 1)
    )
    if context.is_full or not is_quote or state.is_code_block(start):
        return False
    if silent:
        return True
    saved_state = state.lineMax, state.blkIndent, state.parentType
    saved: list[list[int]] = [[] for _ in _line_tables(state)]
    last = _strip_markers(state, start, end, saved)
    state.push("blockquote_open", "blockquote", 1)
    state.lineMax, state.blkIndent, state.parentType = last, 0, "blockquote"
    with context.nested():
        state.md.block.tokenize(state, start, last)
    state.lineMax, state.blkIndent, state.parentType = saved_state
    state.push("blockquote_close", "blockquote", -1)
    for lines, old in zip(_line_tables(state), saved, strict=True):
        lines[start : start + len(old)] = old
    state.line = last
    return True


def _line_tables(state: StateBlock) -> tuple[list[int], ...]:
    return state.bMarks, state.tShift, state.sCount, state.bsCount


def _has_marker(state: StateBlock, line: int) -> bool:
    return state.src.startswith(">", state.bMarks[line] + state.tShift[line])


def _has_words(state: StateBlock, line: int) -> bool:
    first = state.bMarks[line] + state.tShift[line]
    return _has_marker(state, line) and bool(state.src[first : state.eMarks[line]].strip("> \t"))


def _strip_markers(state: StateBlock, start: int, end: int, saved: list[list[int]]) -> int:
    """Makes the lines of the quote begin behind their `>`; returns the line after the last.

    What the tables said of these lines is put into `saved`, with as many again at most: not of all lines
    up to `end`, for there may be as many quotes as lines.
    """
    terminators = state.md.block.ruler.getRules("blockquote")
    is_blank = False
    for line in range(start, end):
        if state.isEmpty(line):
            return line
        indent = state.sCount[line]
        if line - start == len(saved[0]):
            until = min(end, line + max(4, line - start))
            for old, lines in zip(saved, _line_tables(state), strict=True):
                old.extend(lines[line:until])
        if indent >= state.blkIndent and _has_marker(state, line):
            _strip_marker(state, line)
            is_blank = state.isEmpty(line)
        elif is_blank:
            return line
        elif indent != _LAZY:
            if begins_block(state, line, end, terminators):
                return line
            state.sCount[line] = _LAZY
    return end


def _strip_marker(state: StateBlock, line: int) -> None:
    """Takes off `>` and one space; a tab counts as the spaces up to the next column of four."""
    marker = state.bMarks[line] + state.tShift[line]
    column = state.bsCount[line] + state.sCount[line] + 1
    state.bMarks[line] = marker + 1
    state.bsCount[line] = column
    if state.src.startswith(" ", marker + 1):
        state.bMarks[line] += 1
        state.bsCount[line] += 1
    words = state.src[state.bMarks[line] : state.eMarks[line]]
    space = words[: len(words) - len(words.lstrip(" \t"))]
    state.tShift[line] = len(space)
    state.sCount[line] = _width(space, state.bsCount[line])


def _width(space: str, column: int) -> int:
    """Columns that leading space takes, from `column` on."""
    width = 0
    for character in space:
        width += 4 - (column + width) % 4 if character == "\t" else 1
    return width
