"""[text](url), and the HTML of all links. Pure."""

import re
from typing import Final

from markdown_it.rules_inline import StateInline

from server_lite.dataclass import dataclass
from server_lite.markup.context import context_of
from server_lite.markup.urls import path_id_of, safe_href

_TARGET: Final = re.compile(r"""(?:<([^<>\n]*)>|([^\s<>]*))(\s+(?:"[^"\n]*"|'[^'\n]*'))?""")
_MAX_TARGET: Final = 2500


@dataclass(frozen=True, slots=True)
class Target:
    """A parsed `[text](typed "title")`; `end` is the position after it."""

    href: str
    typed: str
    text: str
    is_titled: bool
    end: int


def parsed_target(state: StateInline, start: int) -> Target | None:
    """Return the target of the link whose bracket opens at `start`; None if it is not a link."""
    context = context_of(state)
    scan = context.scan_of(state.src)
    bracket = scan.brackets.get(start, state.posMax)
    end = scan.parentheses.get(bracket + 1, state.posMax)
    if bracket >= end or end >= state.posMax or end - bracket > _MAX_TARGET:
        return None
    match = _TARGET.fullmatch(state.src[bracket + 2 : end].strip())
    typed = (match[1] or match[2] or "") if match else ""
    href = safe_href(typed, context.settings.realm_url)
    if match is None or href is None:
        return None
    text = state.src[start + 1 : bracket]
    return Target(href, typed, text, match[3] is not None, end + 1)


def link(state: StateInline, silent: bool) -> bool:  # noqa: ARG001  # the parser's signature
    """Parse a link with text; without text, the target is its text.

    After `!` it is an image that may not be shown, and stays as typed.
    """
    is_image = state.src[state.pos - 1 : state.pos] == "!"
    is_possible = state.linkLevel == 0 and not is_image
    target = parsed_target(state, state.pos) if is_possible else None
    if target is None:
        return False
    if target.text.strip():
        open_link(state, target.href, is_titled=target.is_titled)
        tokenize_words(state, state.pos + 1, state.pos + 1 + len(target.text))
        close_link(state)
    else:
        push_address(state, target.href, target.typed)
    state.pos = target.end
    return True


def open_link(state: StateInline, href: str, *, is_titled: bool) -> None:
    """Open a link and record it.

    A title in the source leaves its bare attribute, as other servers of this API write it.
    """
    _note(state, href)
    token = state.push("link_open", "a", 1)
    token.attrs = {"href": href, "title": ""} if is_titled else {"href": href}


def push_address(state: StateInline, href: str, text: str) -> None:
    """Push a link whose text is plain, in one token."""
    _note(state, href)
    token = state.push("address", "a", 0)
    token.attrs = {"href": href}
    token.content = text


def _note(state: StateInline, href: str) -> None:
    context = context_of(state)
    context.has_link = True
    if (path_id := path_id_of(href)) is not None:
        context.path_ids.setdefault(path_id)


def close_link(state: StateInline) -> None:
    """Close a link."""
    state.push("link_close", "a", -1)


def tokenize_words(state: StateInline, start: int, end: int) -> None:
    """Parse the text of a link, in which no further link can start."""
    saved = state.pos, state.posMax
    state.pos, state.posMax = start, end
    state.linkLevel += 1
    state.md.inline.tokenize(state)
    state.linkLevel -= 1
    state.pos, state.posMax = saved
