"""```spoiler Header: text hidden until the reader opens it. Pure."""

from markdown_it.rules_block import StateBlock

from server_lite.markup.rules.fenced_quote import header_paragraph, tokenize_lines
from server_lite.markup.rules.output import push_html


def spoiler(state: StateBlock, header: str, start: int, end: int) -> None:
    """Push the header as a paragraph, if there is one, and the lines as blocks."""
    push_html(state, '<div class="spoiler-block"><div class="spoiler-header">\n')
    header_paragraph(state, header)
    push_html(state, '</div><div class="spoiler-content" aria-hidden="true">\n')
    tokenize_lines(state, start, end)
    push_html(state, "</div></div>\n")
