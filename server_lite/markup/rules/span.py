"""Bare URLs, linkifiers, Unicode emoji and emoticons, as found by `scan`. Pure."""

from markdown_it.rules_inline import StateInline

from server_lite.markup import emoji
from server_lite.markup.context import context_of
from server_lite.markup.rules.emoji_name import unicode_emoji
from server_lite.markup.rules.link import push_address
from server_lite.markup.rules.output import push_html
from server_lite.markup.scan import Kind, Span


def span(state: StateInline, token: Span) -> bool:
    """Push a span: `example.com`, `#123`, `🐙`, `:)`."""
    if token.end > state.posMax:
        return False
    if token.kind is Kind.LINK:
        if state.linkLevel > 0:
            return False
        push_address(state, token.value, state.src[token.start : token.end])
    elif token.kind is Kind.EMOJI:
        state.pos = _push_emoji(state, token)
        return True
    else:
        push_html(state, unicode_emoji(token.value, emoji.name_to_code()[token.value]))
    state.pos = token.end
    return True


def _push_emoji(state: StateInline, first: Span) -> int:
    """Push all adjacent emoji as one leaf: a token each would be more expensive."""
    spans, end = context_of(state).scan_of(state.src).spans, first.start
    drawn: list[str] = []
    current: Span | None = first
    while current is not None and current.kind is Kind.EMOJI and current.end <= state.posMax:
        drawn.append(unicode_emoji(emoji.canonical_name(current.value), current.value))
        end = current.end
        current = spans.get(end)
    push_html(state, "".join(drawn))
    return end
