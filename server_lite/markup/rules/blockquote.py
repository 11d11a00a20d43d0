"""> Quotes. Pure."""

from markdown_it.rules_block import StateBlock

from server_lite.markup.context import context_of
from server_lite.markup.rules.paragraph import begins_block

_LAZY = -1
"""The indent that marks a line without `>` that continues a paragraph of the quote."""


def blockquote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse `>` with text in its line or in the lines below; lone `>` up to a blank line are text."""
    context = context_of(state)
    if context.is_full or not _has_marker(state, start) or state.is_code_block(start):
        return False
    if _is_lone(state, start) and not _continues(state, start, end):
        return False
    if silent:
        return True
    saved_state = state.lineMax, state.blkIndent, state.parentType
    saved: list[list[int]] = [[] for _ in _line_tables(state)]
    last = _strip_markers(state, start, end, saved)
    state.push("blockquote_open", "blockquote", 1)
    state.lineMax, state.blkIndent, state.parentType = last, 0, "blockquote"
    context.depth += 1
    state.md.block.tokenize(state, start, last)
    context.depth -= 1
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


def _is_lone(state: StateBlock, line: int) -> bool:
    """Whether nothing follows the marker."""
    first = state.bMarks[line] + state.tShift[line]
    return not state.src[first + 1 : state.eMarks[line]].strip()


def _continues(state: StateBlock, start: int, end: int) -> bool:
    """Whether lone markers are followed, before a blank line, by a line with more than a marker."""
    answers = context_of(state).lone_markers
    line = start + 1
    while line < end and _has_marker(state, line) and _is_lone(state, line):
        if (place := state.bMarks[line]) in answers:
            return answers[place]
        line += 1
    is_more = line < end and not state.isEmpty(line)
    continues = is_more and (
        _has_marker(state, line) or not begins_block(state, line, end, "blockquote")
    )
    # All of these lines may ask the same, so the answer is kept for all of them.
    answers.update((state.bMarks[below], continues) for below in range(start + 1, line))
    return continues


def _strip_markers(state: StateBlock, start: int, end: int, saved: list[list[int]]) -> int:
    """Make the lines of the quote start after their `>`; returns the line after the last.

    The tables' entries of these lines are stored in `saved`, not of all lines
    up to `end`, because there may be as many quotes as lines.
    """
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
        elif indent != _LAZY:
            if begins_block(state, line, end, "blockquote"):
                return line
            # After a marker alone it starts a paragraph, after words it continues theirs.
            state.sCount[line] = 0 if is_blank else _LAZY
            is_blank = False
    return end


def _strip_marker(state: StateBlock, line: int) -> None:
    """Remove `>` and one space; a tab counts as the spaces up to the next multiple of four columns."""
    marker = state.bMarks[line] + state.tShift[line]
    column = state.bsCount[line] + state.sCount[line] + 1
    state.bMarks[line] = marker + 1
    state.bsCount[line] = column
    if state.src.startswith(" ", marker + 1):
        state.bMarks[line] += 1
        state.bsCount[line] += 1
    line_text = state.src[state.bMarks[line] : state.eMarks[line]]
    space = line_text[: len(line_text) - len(line_text.lstrip(" \t"))]
    state.tShift[line] = len(space)
    state.sCount[line] = _width(space, state.bsCount[line])


def _width(space: str, column: int) -> int:
    """Return the columns that leading white space takes, from `column` on."""
    width = 0
    for character in space:
        width += 4 - (column + width) % 4 if character == "\t" else 1
    return width
