"""$$TeX$$ inside a line. There is no TeX here: clients get the source and render it themselves. Pure."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup.rules.output import push_html
from server_lite.markup.tex import inline_formula

_FORMULA: Final = re.compile(r"\$\$([^\n_$](?:\\\$|[^$\n])*)\$\$(?!\$)")


def math_span(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse `$$x^2$$`, not beside another dollar, and not `$$_…`, which people write for blanks."""
    if not state.src.startswith("$$", state.pos):
        return False
    before = state.src[state.pos - 1] if state.pos else " "
    match = _FORMULA.match(state.src, state.pos, state.posMax)
    if match is None or not match[1].strip() or before == "$":
        return False
    push_html(state, inline_formula(match[1]))
    state.pos = match.end()
    return True
