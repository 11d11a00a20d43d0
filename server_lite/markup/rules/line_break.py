"""A line break stays a line break; leading spaces of the next line are dropped. Pure."""

from markdown_it.rules_inline import StateInline


def line_break(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Turn `\\n` into `<br>` and a line break."""
    state.push("softbreak", "br", 0)
    state.pos += 1
    while state.pos < state.posMax and state.src[state.pos] in " \t":
        state.pos += 1
    return True
