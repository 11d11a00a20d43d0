"""Inline dispatch: jumps from one place of interest to the next and leaves the rest as text. Pure."""

import re
from typing import Final

from markdown_it.parser_inline import RuleFuncInlineType
from markdown_it.rules_inline import StateInline

from server_lite.markup.context import Context, context_of
from server_lite.markup.rules import INLINE_RULES
from server_lite.markup.rules.span import span

_RULES: Final[dict[str, tuple[RuleFuncInlineType, ...]]] = {
    character: tuple(rule for first, rule in INLINE_RULES if first == character)
    for character, _ in INLINE_RULES
}
_SPECIAL: Final = re.compile("[" + re.escape("".join(_RULES)) + "]")


def is_plain(content: str, context: Context) -> bool:
    """Whether the text of a paragraph contains no markup."""
    return _SPECIAL.search(content) is None and not context.scan_of(content).starts


def text(state: StateInline, silent: bool) -> bool:
    """Run the rule that matches here, or consume everything up to the next place where one may match."""
    for rule in _RULES.get(state.src[state.pos], ()):
        if rule(state, silent):
            return True
    scan = context_of(state).scan_of(state.src)
    if state.pos in scan.spans and span(state, scan.spans[state.pos]):
        return True
    # Searching no further than the next span keeps a text full of spans linear.
    limit = min(state.posMax, scan.next_start(state.pos + 1))
    special = _SPECIAL.search(state.src, state.pos + 1, limit)
    stop = special.start() if special else limit
    state.append_pending(state.src[state.pos : stop])
    state.pos = stop
    return True
