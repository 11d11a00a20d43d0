"""```quote: a quote without a `>` before each line. Pure."""

from markdown_it.rules_block import StateBlock


def fenced_quote(state: StateBlock, header: str, start: int, end: int) -> None:
    """Parse the lines from `start` to before `end` as the blocks of a quote, after the header."""
    state.push("blockquote_open", "blockquote", 1)
    header_paragraph(state, header)
    tokenize_lines(state, start, end)
    state.push("blockquote_close", "blockquote", -1)


def header_paragraph(state: StateBlock, header: str) -> None:
    """Push the text in the fence's own line as a paragraph, if there is any."""
    if header:
        state.push("paragraph_open", "p", 1)
        inline = state.push("inline", "", 0)
        inline.content = header
        inline.children = []
        state.push("paragraph_close", "p", -1)


def tokenize_lines(state: StateBlock, start: int, end: int) -> None:
    """Parse lines as separate blocks, which nothing below continues."""
    saved = state.lineMax, state.parentType
    state.lineMax, state.parentType = end, "root"
    state.md.block.tokenize(state, start, end)
    state.lineMax, state.parentType = saved
