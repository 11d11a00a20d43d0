"""Pushes finished HTML from a rule. Pure."""

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline


def push_html(state: StateInline | StateBlock, html: str) -> None:
    """Push a leaf whose HTML is complete and escaped."""
    state.push("html", "", 0).content = html
