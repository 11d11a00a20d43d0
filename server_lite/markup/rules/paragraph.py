"""A paragraph: everything up to a blank line or to a line where another block starts. Pure."""

from typing import Final

from markdown_it.rules_block import StateBlock

from server_lite.markup.blocks import ends

# Only a line that starts with one of these can be another block; `-`, `:` and `|` also underline
# the head of a table, which may start with anything, so tables are checked separately.
_MAY_BEGIN_BLOCK: Final = frozenset("#>`~*-+_0123456789")
_MAX_INDENT: Final = 3


def paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse what no other rule matched."""
    saved = state.parentType
    state.parentType = "paragraph"
    line = start + 1
    end = state.lineMax
    while line < end and not state.isEmpty(line):
        if begins_block(state, line, end, "paragraph"):
            break
        line += 1
    state.parentType = saved
    state.line = line
    state.push("paragraph_open", "p", 1)
    inline = state.push("inline", "", 0)
    inline.content = state.getLines(start, line, state.blkIndent, False).strip(" \t\n")
    inline.children = []
    state.push("paragraph_close", "p", -1)
    return True


def begins_block(state: StateBlock, line: int, end: int, chain: str) -> bool:
    """Whether a block starts in this line that interrupts a `chain` (a paragraph, quote or list)."""
    # Deeper lines continue a paragraph, and so do lines that an outer quote continues lazily.
    if state.sCount[line] < 0 or state.sCount[line] - state.blkIndent > _MAX_INDENT:
        return False
    if state.src[state.bMarks[line] + state.tShift[line]] not in _MAY_BEGIN_BLOCK:
        below = line + 1
        if below >= end or state.src.find("-", state.bMarks[below], state.eMarks[below]) < 0:
            return False
    return ends(state, line, end, chain)
