"""Shared by all mentions: where an @ may start one, and whether it is silent. Pure."""

from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.markup import html
from server_lite.markup.context import Context

_BEFORE: Final = frozenset("'\"({[/<")


def may_start(state: StateInline) -> bool:
    """Whether a mention may start: after the start of the text, white space or one of `' " ( { [ / <`."""
    if state.pos == 0:
        return True
    before = state.src[state.pos - 1]
    return before.isspace() or before in _BEFORE


def is_silent(context: Context, mark: str) -> bool:
    """Whether the mention is silent: with `@_`, and always inside quotes, whose original has notified."""
    return mark == "_" or context.is_quoted


def mention(kind: str, attributes: html.Attributes, name: str, *, silent: bool) -> str:
    """Return the span of a mention; a silent one has no @."""
    named = {"class": f"{kind} silent" if silent else kind, **attributes}
    return html.element("span", named, html.text(name if silent else f"@{name}"))
