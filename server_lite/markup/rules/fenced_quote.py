"""```quote: a quote without a `>` before each line. Pure."""

from markdown_it.rules_block import StateBlock


def fenced_quote(state: StateBlock, start: int, end: int) -> None:
    """The lines from `start` to before `end` as the blocks of a quote."""
    state.push("blockquote_open", "blockquote", 1)
    tokenize_lines(state, start, end)
    state.push("blockquote_close", "blockquote", -1)


def tokenize_lines(state: StateBlock, start: int, end: int) -> None:
    """Parses lines as blocks of their own, which nothing below continues."""
    saved = state.lineMax, state.parentType
    state.lineMax, state.parentType = end, "root"
    state.md.block.tokenize(state, start, end)
    state.lineMax, state.parentType = saved
