"""Pushes finished HTML from a rule. Pure."""

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from server_lite.markup.tokens import LightToken, append_leaf


def push_html(state: StateInline | StateBlock, html: str) -> None:
    """Push a leaf whose HTML is complete and escaped."""
    token = LightToken("html", "", 0, content=html)
    if isinstance(state, StateInline):
        append_leaf(state, token)
    else:
        state.tokens.append(token)
