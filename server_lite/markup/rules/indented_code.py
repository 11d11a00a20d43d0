"""Code indented by four spaces. Pure."""

from markdown_it.rules_block import StateBlock

from server_lite.markup.code import code_block
from server_lite.markup.context import context_of
from server_lite.markup.rules.output import push_html

_INDENT = 4


def indented_code(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Parse lines indented by at least four spaces more than their container, with blank ones between."""
    if silent or not state.is_code_block(start):
        return False
    line = last = start + 1
    while line < end:
        if state.is_code_block(line) and not state.isEmpty(line):
            last = line + 1
        elif not state.isEmpty(line):
            break
        line += 1
    state.line = last
    source = state.getLines(start, last, _INDENT + state.blkIndent, False)
    push_html(state, code_block(source, "", context_of(state).highlighting) + "\n")
    return True
