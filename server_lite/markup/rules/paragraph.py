"""A paragraph: everything up to a blank line or to a line where another block begins. Pure."""

from typing import Final

from markdown_it.rules_block import StateBlock

# Only a line that begins with one of these can be another block; `-`, `:` and `|` also underline
# the head of a table, which may begin with anything, so tables are asked about separately.
_MAY_BEGIN_BLOCK: Final = frozenset("#>`~*-+_0123456789")


def paragraph(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001 - the parser's signature
    """Takes what no other rule took."""
    terminators = state.md.block.ruler.getRules("paragraph")
    saved = state.parentType
    state.parentType = "paragraph"
    line = start + 1
    end = state.lineMax
    while line < end and not state.isEmpty(line):
        # Deeper lines continue the paragraph, and lines of an outer container do so lazily.
        is_lazy = state.sCount[line] < 0 or state.sCount[line] - state.blkIndent > 3
        is_asked = not is_lazy and _may_begin_block(state, line)
        if is_asked and any(rule(state, line, end, True) for rule in terminators):
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


def _may_begin_block(state: StateBlock, line: int) -> bool:
    first = state.bMarks[line] + state.tShift[line]
    if state.src[first] in _MAY_BEGIN_BLOCK:
        return True
    below = line + 1
    return (
        below < state.lineMax and state.src.find("-", state.bMarks[below], state.eMarks[below]) >= 0
    )
