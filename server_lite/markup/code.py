"""Code as HTML: Pygments' tokens under its short class names. Pure except for the clock of `Budget`.

Many of Pygments' lexers scan some texts repeatedly (a line of slashes takes time quadratic in
its length). Highlighting is optional, so a message gets a small time budget; code that exceeds it
is shown plain, with its language named, and clients may color it themselves.
"""

import re
import time
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias

from server_lite.markup import html
from server_lite.markup.languages import HIGHLIGHTED, MIXED

if TYPE_CHECKING:  # imported with the first block of code
    from pygments.lexer import Lexer
    from pygments.token import _TokenType

SECONDS: Final = 0.04
"""Budget for all code of one message; ordinary code of 10,000 characters takes a quarter of it."""

_MAX_LINE: Final = 1000
_MAX_BLANK_LINES: Final = 40
_MAX_MIXED: Final = 1500
_LANGUAGE_LINE: Final = re.compile(
    r"(?:#!(?P<path> ?/[\w./-]{1,100}[/ ])?|::+)(?P<language>\w[\w#.+-]{0,39})(?: +-\w{1,20})?"
)
_LINES: Final = re.compile(r"\n|[^\n]+")
_Tokens: TypeAlias = "list[tuple[_TokenType, str]]"


class Budget:
    """The remaining time of a message for highlighting. It runs only while code is tokenized."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._left = SECONDS

    def tokens(self, lexer: "Lexer", source: str) -> "_Tokens | None":
        """Return the source's tokens, or None if the budget is exhausted."""
        if self._left <= 0:
            return None
        begun = self._clock()
        result: _Tokens = []
        for token in lexer.get_tokens(source):
            result.append(token)
            if self._clock() - begun > self._left:
                self._left = 0
                return None
        self._left -= self._clock() - begun
        return result


def code_block(source: str, language: str, budget: Budget) -> str:
    """Return a block of code. The attribute names the language as Pygments does, or else as typed.

    Without a language, its first line may name one.
    """
    lines = "\n".join(line.rstrip(" \t") for line in source.split("\n")).strip("\n") + "\n"
    attributes = {"class": "codehilite"}
    if language:
        name = _names().get(language.lower())
        attributes["data-code-language"] = name or language
    else:
        name, lines = _language_inside(lines)
    body = _highlighted(name, lines, budget) if name in HIGHLIGHTED else html.code(lines)
    return html.element("div", attributes, f"<pre><span></span><code>{body}</code></pre>")


def _language_inside(lines: str) -> tuple[str | None, str]:
    """Return the language in a first line such as `#!/bin/bash`, `#!python` or `:::python`, and the code.

    A line that only names the language is not part of the code; one with a path is.
    """
    first, _, rest = lines.partition("\n")
    match = _LANGUAGE_LINE.fullmatch(first)
    name = _names().get(match["language"].lower()) if match else None
    if match is None or name not in HIGHLIGHTED or not rest:
        return None, lines
    return name, lines if match["path"] else rest


@cache
def _names() -> dict[str, str]:
    """Return the canonical name for each alias of a language, and for the name itself."""
    from pygments.lexers import get_all_lexers

    names: dict[str, str] = {}
    for name, aliases, _, _ in get_all_lexers(plugins=False):
        for alias in (*aliases, name.lower()):
            names.setdefault(alias, name)
    return names


@lru_cache(maxsize=64)
def _lexer(name: str) -> "Lexer":
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(
        next(alias for alias, canonical in _names().items() if canonical == name),
        stripnl=False,
        ensurenl=False,
        startinline=True,  # PHP without `<?php`
    )


def _may_be_slow(name: str, source: str) -> bool:
    """Whether single steps of a lexer may be slow, which the budget cannot stop.

    That is so in very long lines, and where one lexer reads everything before another starts.
    """
    if name in MIXED and len(source) > _MAX_MIXED:
        return True
    return max(map(len, source.split("\n"))) > _MAX_LINE or "\n" * _MAX_BLANK_LINES in source


def _highlighted(name: str, source: str, budget: Budget) -> str:
    from pygments.token import STANDARD_TYPES

    tokens = None if _may_be_slow(name, source) else budget.tokens(_lexer(name), source)
    if tokens is None:
        return html.code(source)
    parts: list[str] = []
    for kind, group in groupby(tokens, key=lambda token: STANDARD_TYPES.get(token[0], "")):
        code = html.code("".join(value for _, value in group))
        # A span never crosses a line, so that clients may split the block into lines.
        opening = f'<span class="{kind}">'
        parts += (
            f"{opening}{piece}</span>" if kind and piece != "\n" else piece
            for piece in _LINES.findall(code)
        )
    return "".join(parts)
