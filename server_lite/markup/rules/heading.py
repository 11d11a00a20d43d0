"""# Heading to ###### heading. Pure."""

import re
from typing import Final

from markdown_it.rules_block import StateBlock

_HEADING: Final = re.compile(r"(#{1,6})[ \t]+(\S.*)")


def heading(state: StateBlock, start: int, end: int, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse a heading: a space after the signs is required, and text after it."""
    first = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("#", first) or state.is_code_block(start):
        return False
    match = _HEADING.match(state.src, first, state.eMarks[start])
    if match is None:
        return False
    if not silent:
        name = f"h{len(match[1])}"
        state.push("heading_open", name, 1)
        inline = state.push("inline", "", 0)
        inline.content = _without_closing(match[2].rstrip())
        inline.children = []
        state.push("heading_close", name, -1)
        state.line = start + 1
    return True


def _without_closing(text: str) -> str:
    """Return the text without trailing signs: `# x #` is the heading `x`."""
    shorter = text.rstrip("#")
    return shorter.rstrip() if shorter[-1:] in {" ", "\t"} else text
