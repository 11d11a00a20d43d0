"""What all mentions share: where an @ may start one, and whether it is silent. Pure."""

from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup import html
from server_lite.markup.context import Context

_BEFORE: Final = frozenset("'\"({[/<")


def may_start(state: StateInline) -> bool:
    """After the start of the text, whitespace or one of `' " ( { [ / <`."""
    if state.pos == 0:
        return True
    before = state.src[state.pos - 1]
    return before.isspace() or before in _BEFORE


def is_silent(context: Context, mark: str) -> bool:
    """With `@_`, and always inside quotes: who is quoted has been notified once."""
    return mark == "_" or context.is_quoted


def mention(kind: str, attributes: html.Attributes, name: str, *, silent: bool) -> str:
    """The span of a mention; a silent one has no @."""
    named = {"class": f"{kind} silent" if silent else kind, **attributes}
    return html.element("span", named, html.text(name if silent else f"@{name}"))
