"""> Quotes. Pure; the lines are sorted out by markdown-it's own rule."""

from markdown_it.rules_block import StateBlock
from markdown_it.rules_block import blockquote as markdown_it_blockquote

from server_lite.markup.context import context_of


def blockquote(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A quote that has a word in its first or second line; a lone `>` is text."""
    context = context_of(state)
    if context.is_full or not (_has_words(state, start) or _continues(state, start, end)):
        return False
    with context.nested():
        return markdown_it_blockquote(state, start, end, silent)


def _has_words(state: StateBlock, line: int) -> bool:
    first = state.bMarks[line] + state.tShift[line]
    words = state.src[first : state.eMarks[line]]
    return words.startswith(">") and bool(words.strip("> \t"))


def _continues(state: StateBlock, line: int, end: int) -> bool:
    first = state.bMarks[line] + state.tShift[line]
    return state.src.startswith(">", first) and line + 1 < end and _has_words(state, line + 1)
