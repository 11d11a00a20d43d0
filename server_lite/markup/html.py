"""The only place that writes HTML: escaping, tags, and token streams. Pure functions.

Attribute values are always escaped; no rule writes a tag by hand around a user's text.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from markdown_it.token import Token

# An ampersand that already starts an entity stays, so `&copy;` in a message shows as the sign.
_BARE_AMPERSAND: Final = re.compile(
    r"&(?!#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{1,31};)"
)

# Blocks with a line break after their opening tag.
_BROKEN_AFTER_OPENING: Final = frozenset(
    {"blockquote", "ul", "ol", "table", "thead", "tbody", "tr"}
)

Attributes = Mapping[str, str | int | float]


def text(content: str) -> str:
    """Return user text as HTML, entities kept."""
    if "&" in content:
        content = _BARE_AMPERSAND.sub("&amp;", content)
    return content.replace("<", "&lt;").replace(">", "&gt;")


def literal(content: str) -> str:
    """Return text as HTML that shows exactly these characters, entities included: for code."""
    return escape(content, quote=False)


def code(content: str) -> str:
    """Return the contents of a code block as HTML, with quotes as entities like Pygments writes them."""
    return escape(content).replace("&#x27;", "&#39;")


def tag(name: str, attributes: Attributes) -> str:
    """Return an opening tag; an empty value becomes a bare attribute."""
    if not attributes:
        return f"<{name}>"
    parts = [name]
    for key, value in attributes.items():
        # Single quotes need no escaping between double ones.
        written = escape(str(value), quote=False).replace('"', "&quot;")
        parts.append(f'{key}="{written}"' if written else key)
    return f"<{' '.join(parts)}>"


def element(name: str, attributes: Attributes, inner: str) -> str:
    """Return a whole element; `inner` is already HTML."""
    return f"{tag(name, attributes)}{inner}</{name}>"


def inline(tokens: Sequence[Token]) -> str:
    """Return the HTML of the inline tokens of one paragraph, cell or heading."""
    parts: list[str] = []
    for token in tokens:
        if token.type == "html":
            parts.append(token.content)
        elif token.type == "text":
            parts.append(text(token.content))
        elif token.type == "address":
            parts.append(element("a", token.attrs, text(token.content)))
        elif token.nesting > 0:
            parts.append(tag(token.tag, token.attrs))
        else:
            parts.append("<br>\n" if token.type == "softbreak" else f"</{token.tag}>")
    return "".join(parts)


def blocks(tokens: Sequence[Token]) -> str:
    """Return the HTML of a whole message, blocks on lines of their own."""
    parts: list[str] = []
    for index, token in enumerate(tokens):
        if token.hidden:
            continue
        if token.type == "inline":
            parts.append(inline(token.children or ()))
        elif token.type == "html":
            parts.append(token.content)
        elif token.nesting > 0:
            parts.append(tag(token.tag, token.attrs))
            if _breaks_after(token, tokens[index + 1]):
                parts.append("\n")
        else:
            parts.append("<hr>\n" if token.tag == "hr" else f"</{token.tag}>\n")
    return "".join(parts).removesuffix("\n")


def _breaks_after(token: Token, following: Token) -> bool:
    """Whether a line break follows; after `<li>` only before a block: `<li>text`, but `<li>\\n<p>text`."""
    if token.tag == "li":
        return following.nesting >= 0 and not following.hidden and following.type != "html"
    return token.tag in _BROKEN_AFTER_OPENING
