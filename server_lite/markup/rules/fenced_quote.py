"""```quote: a quote without a `>` before each line. Pure."""

from markdown_it.rules_block import StateBlock


def fenced_quote(state: StateBlock, header: str, start: int, end: int) -> None:
    """The lines from `start` to before `end` as the blocks of a quote, words beside the fence first."""
    state.push("blockquote_open", "blockquote", 1)
    header_paragraph(state, header)
    tokenize_lines(state, start, end)
    state.push("blockquote_close", "blockquote", -1)


def header_paragraph(state: StateBlock, header: str) -> None:
    """The words that stand in the line of the fence, as a paragraph of their own if there are any."""
    if header:
        state.push("paragraph_open", "p", 1)
        inline = state.push("inline", "", 0)
        inline.content = header
        inline.children = []
        state.push("paragraph_close", "p", -1)


def tokenize_lines(state: StateBlock, start: int, end: int) -> None:
    """Parses lines as blocks of their own, which nothing below continues."""
    saved = state.lineMax, state.parentType
    state.lineMax, state.parentType = end, "root"
    state.md.block.tokenize(state, start, end)
    state.lineMax, state.parentType = saved
