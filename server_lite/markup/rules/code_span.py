"""`code` between runs of backticks. Pure."""

from markdown_it.rules_inline import StateInline

from server_lite.markup import html
from server_lite.markup.context import context_of
from server_lite.markup.rules.output import push_html


def code_span(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse `` `x` `` or ``` ``a ` b`` ```; nothing inside is parsed, spaces stay."""
    context = context_of(state)
    bounds = context.scan_of(state.src).code.get(state.pos)
    if bounds is None or bounds[2] > state.posMax:
        end = state.pos
        while end < state.posMax and state.src[end] == "`":
            end += 1
        state.append_pending(state.src[state.pos : end])
        state.pos = end
        return True
    start, stop, end = bounds
    push_html(state, html.element("code", {}, html.literal(state.src[start:stop])))
    state.pos = end
    return True
