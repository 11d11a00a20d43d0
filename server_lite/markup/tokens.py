"""Tokens and states of the parser that cost little to make: a message may have twenty thousand tokens. Pure."""

from types import MappingProxyType
from typing import Final, Literal, cast

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_NONE: Final = cast("dict[str, str | int | float]", MappingProxyType[str, str]({}))


class LightToken(Token):
    """A token without what nothing here reads; `attrs` and `meta` are replaced, never added to."""

    __slots__ = ()

    def __init__(
        self, type: str, tag: str, nesting: Literal[-1, 0, 1], *, content: str = "", level: int = 0
    ) -> None:
        # The library's own initializer makes two dictionaries and sets six fields more.
        self.type = type
        self.tag = tag
        self.nesting = nesting
        self.attrs = _NONE
        self.level = level
        self.children = None
        self.content = content
        self.meta = _NONE
        self.hidden = False


class BlockState(StateBlock):
    """The library's state of the lines of a text, with light tokens."""

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Append a token: 1 opens, -1 closes, 0 is a leaf."""
        if nesting < 0:
            self.level -= 1
        token = LightToken(ttype, tag, nesting, level=self.level)
        if nesting > 0:
            self.level += 1
        self.tokens.append(token)
        return token


class InlineState(StateInline):
    """The library's state of the words of one paragraph, with light tokens."""

    def pushPending(self) -> Token:  # noqa: N802  # the library's name
        """Append the text that was passed so far."""
        token = LightToken("text", "", 0, content=self.pending, level=self.pendingLevel)
        self.tokens.append(token)
        self.pending = ""
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Append a token behind the text that was passed."""
        if self.pending:
            self.pushPending()
        if nesting < 0:
            self.level -= 1
        token = LightToken(ttype, tag, nesting, level=self.level)
        if nesting > 0:
            self.level += 1
        self.pendingLevel = self.level
        self.tokens.append(token)
        return token
