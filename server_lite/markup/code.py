"""Code as HTML: Pygments' tokens under its short class names. Pure."""

from functools import lru_cache
from typing import Final

from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from server_lite.markup import html

_FORMATTER: Final[HtmlFormatter[str]] = HtmlFormatter(nowrap=True)


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def code_block(source: str, language: str) -> str:
    """A block of code. The attribute names the language as Pygments does, or else as typed."""
    lexer = _lexer(language.lower()) if language else None
    lines = "\n".join(line.rstrip(" \t") for line in source.split("\n")).strip("\n") + "\n"
    body = highlight(lines, lexer, _FORMATTER) if lexer else html.code(lines)
    name = lexer.name if lexer else language
    attributes = {"class": "codehilite"}
    if name:
        attributes["data-code-language"] = name
    return html.element("div", attributes, f"<pre><span></span><code>{body}</code></pre>")
