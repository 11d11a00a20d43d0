"""The parser: markdown-it with our rules in place of its own, created once. No state between messages."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.parser_inline import RuleFuncInlineType
from markdown_it.ruler import Ruler
from markdown_it.token import Token

from server_lite.markup.blocks import Blocks
from server_lite.markup.context import Context
from server_lite.markup.rules import BLOCK_RULES
from server_lite.markup.rules.emphasis import pair_markers
from server_lite.markup.rules.text import is_plain, text
from server_lite.markup.tokens import BlockState, InlineState, LightToken

# Rules that interrupt a paragraph, a lazily continued quote, and a list.
_TERMINATES: Final = {
    "fence": ["paragraph", "blockquote", "list"],
    "table": ["paragraph"],
    "blockquote": ["paragraph", "blockquote", "list"],
    "hr": ["paragraph", "blockquote", "list"],
    "list": ["paragraph", "blockquote"],
    "heading": ["paragraph", "blockquote"],
}
# The rules bound the nesting themselves; this limit must never be reached, since text would be lost.
_NEVER_REACHED: Final = 10_000


_LINE: Final = re.compile(r"[^\W\d_][^\r\n\t\0]*")
"""A line that starts with a letter, which only a paragraph does."""


def is_plain_line(content: str, context: Context) -> bool:
    """Whether a message is a single paragraph without markup; `parse` would find just that."""
    return (
        _LINE.fullmatch(content) is not None
        and not content.endswith(" ")
        and is_plain(content, context)
    )


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("zero", {"maxNesting": _NEVER_REACHED})
    markdown.block = Blocks(BLOCK_RULES, _TERMINATES)
    markdown.inline.ruler = Ruler[RuleFuncInlineType]()
    markdown.inline.ruler.push("text", text)
    return markdown


def parse(content: str, context: Context) -> Sequence[Token]:
    """Return the blocks of a message, each with its inline tokens."""
    markdown = _markdown()
    env = context.env()
    tokens: list[Token] = []
    source = content.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    lines = BlockState(source, markdown, env, tokens)
    markdown.block.tokenize(lines, 0, lines.lineMax)
    quotes = 0
    for token in tokens:
        if token.tag == "blockquote":
            quotes += token.nesting
        elif token.type == "inline":
            context.is_quoted = quotes > 0
            token.children = []
            if not token.content:  # thousands of empty cells cost nothing
                continue
            if is_plain(token.content, context):
                token.children.append(LightToken("text", "", 0, content=token.content))
                continue
            state = InlineState(token.content, markdown, env, token.children)
            markdown.inline.tokenize(state)
            pair_markers(state)
    return tokens
