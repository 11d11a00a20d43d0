"""The rules of the message syntax and their order. Each module contains one rule; none does I/O.

Block rules are tried at each line from top to bottom. Inline rules are found by their first
character; several for one character are tried in the order of the list.
"""

from typing import Final

from markdown_it.parser_block import RuleFuncBlockType
from markdown_it.parser_inline import RuleFuncInlineType
from markdown_it.rules_block import hr

from server_lite.markup.rules.blockquote import blockquote
from server_lite.markup.rules.code_span import code_span
from server_lite.markup.rules.emoji_name import emoji_name
from server_lite.markup.rules.emphasis import marker
from server_lite.markup.rules.fence import fence
from server_lite.markup.rules.group_mention import group_mention
from server_lite.markup.rules.heading import heading
from server_lite.markup.rules.image import image
from server_lite.markup.rules.indented_code import indented_code
from server_lite.markup.rules.line_break import line_break
from server_lite.markup.rules.link import link
from server_lite.markup.rules.list import list_block
from server_lite.markup.rules.math_span import math_span
from server_lite.markup.rules.paragraph import paragraph
from server_lite.markup.rules.place_link import place_link
from server_lite.markup.rules.table import table
from server_lite.markup.rules.time import time
from server_lite.markup.rules.user_mention import user_mention

BLOCK_RULES: Final[tuple[tuple[str, RuleFuncBlockType], ...]] = (
    ("code", indented_code),
    ("fence", fence),
    ("table", table),
    ("blockquote", blockquote),
    ("hr", hr),
    ("list", list_block),
    ("heading", heading),
    ("paragraph", paragraph),
)

INLINE_RULES: Final[tuple[tuple[str, RuleFuncInlineType], ...]] = (
    ("`", code_span),
    ("$", math_span),
    ("\n", line_break),
    ("<", time),
    ("@", user_mention),
    ("@", group_mention),
    ("#", place_link),
    ("!", image),
    ("[", link),
    (":", emoji_name),
    ("*", marker),
    ("~", marker),
)
"""First character and rule. Addresses, linkifiers, raw emoji and emoticons are found by `scan`."""
