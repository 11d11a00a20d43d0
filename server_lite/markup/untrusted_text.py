"""Text from strangers as part of a message: shown as written, without any effect. Pure.

Our Markdown has no backslash escapes, so special characters are written as character references.
"""

import re
from typing import Final
from urllib.parse import quote, urlsplit

MAX_LINE: Final = 200
"""Limit of characters in a title, a name or the like."""
MAX_QUOTE: Final = 2000
"""Limit of characters in a comment or a description."""
_MAX_URL: Final = 2000

_MENTION: Final = re.compile(r"@(?=[_\x00-\x08\x0b-\x1f]*\*)")
"""Control characters are removed from messages later, which must not assemble a mention."""
_SIGN: Final = re.compile(r"[*`\[\]<]|~(?=~)|(?<=~)~|\$(?=\$)|(?<=\$)\$|&(?=#?\w{1,32};)")
_BLOCK: Final = re.compile(r"[#>/|=]|[+-](?=[ +-]|$)|\d{1,9}(?=[.)](?: |$))")
"""Starts a heading, a list or a command at the start of a line."""
_RUN: Final = re.compile(r"`{3,}|~{3,}")


def without_mentions(text: str) -> str:
    """Return Markdown that mentions nobody: an invisible character breaks up every mention."""
    return _MENTION.sub("@\u200b", text)


def on_one_line(text: str, limit: int = MAX_LINE) -> str:
    """Return the text with single spaces for white space and control characters, truncated at `limit`."""
    # Truncated first, so as not to process a megabyte; with a margin, because white space shrinks.
    words = "".join(c if c.isprintable() else " " for c in text[: 4 * limit]).split()
    line = " ".join(words)
    return line if len(line) <= limit and len(text) <= 4 * limit else f"{line[: limit - 1]}…"


def plain(text: str, limit: int = MAX_LINE) -> str:
    """Return one line of Markdown that shows the text: no links, mentions, styles, lists or commands."""
    line = _SIGN.sub(_reference, on_one_line(text, limit))
    begins = _BLOCK.match(line)
    if begins is None:
        return line
    if begins[0].isdecimal():  # "1." would start a list, "1" does not
        return f"{begins[0]}&#{ord(line[begins.end()])};{line[begins.end() + 1 :]}"
    return f"&#{ord(line[0])};{line[1:]}"


def _reference(sign: re.Match[str]) -> str:
    return f"&#{ord(sign[0])};"


def code(text: str, limit: int = MAX_LINE) -> str:
    """Return a code span that shows the text; backticks become apostrophes."""
    line = on_one_line(text, limit).replace("`", "'")
    return f"`{line}`" if line else ""


def link(text: str, url: str) -> str:
    """Return a link that shows the text; only the text if the URL is not a web URL."""
    label = plain(text) or plain(url)
    address = web_url(url)
    return f"[{label}]({address})" if address else label


def web_url(url: str) -> str:
    """Return the URL in a form usable in a link; empty if it is not a web URL."""
    if len(url) > _MAX_URL:
        return ""
    address = quote(url.strip(), safe="!#$%&*+,-./:;=?@_~'", encoding="utf-8", errors="replace")
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    return address if is_web and len(address) <= _MAX_URL else ""


def quoted(text: str, limit: int = MAX_QUOTE) -> str:
    """Return a quote block with foreign Markdown, without mentions. Empty for no text."""
    return _fenced(without_mentions(_lines(text, limit)), " quote")


def code_block(text: str, limit: int = MAX_QUOTE) -> str:
    """Return a code block with the text. Empty for no text."""
    return _fenced(_lines(text, limit), "")


def _lines(text: str, limit: int) -> str:
    cleaned = text[:limit].replace("\r\n", "\n").replace("\r", "\n")
    cleaned = "".join(c for c in cleaned if c in "\n\t" or c.isprintable()).strip()
    return f"{cleaned}\n…" if len(text) > limit else cleaned


def _fenced(text: str, kind: str) -> str:
    if not text:
        return ""
    longest = max((len(run[0]) for run in _RUN.finditer(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{kind}\n{text}\n{fence}"
