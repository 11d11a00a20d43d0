"""$$TeX$$ inside a line. There is no TeX here: clients get the source and draw it themselves. Pure."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup.rules.output import push_html
from server_lite.markup.tex import formula, is_balanced, tex_error

_FORMULA: Final = re.compile(r"\$\$([^\n$](?:\\\$|[^$\n])*)\$\$(?![\w$])")


def math_span(state: StateInline, silent: bool) -> bool:  # noqa: ARG001 - the parser's signature
    """`$$x^2$$`, not beside a letter or another dollar."""
    if not state.src.startswith("$$", state.pos):
        return False
    before = state.src[state.pos - 1] if state.pos else " "
    match = _FORMULA.match(state.src, state.pos, state.posMax)
    if match is None or not match[1].strip() or before == "$" or before.isalnum():
        return False
    push_html(state, formula(match[1]) if is_balanced(match[1]) else tex_error(match[0]))
    state.pos = match.end()
    return True
