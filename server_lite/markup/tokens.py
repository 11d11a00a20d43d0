"""Lightweight tokens and states of the parser: a message may have twenty thousand tokens. Pure."""

from types import MappingProxyType
from typing import Final, Literal, cast

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_NONE: Final = cast("dict[str, str | int | float]", MappingProxyType[str, str]({}))


class LightToken(Token):
    """A token without unused fields; `attrs` and `meta` are replaced, never mutated."""

    __slots__ = ()

    def __init__(
        self, type: str, tag: str, nesting: Literal[-1, 0, 1], *, content: str = "", level: int = 0
    ) -> None:
        # The library's own initializer creates two dictionaries and sets six more fields.
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
    """The library's state for the lines of a text, with light tokens."""

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
    """The library's state for the text of one paragraph, with light tokens."""

    def pushPending(self) -> Token:  # noqa: N802  # the library's name
        """Append the text that was skipped so far."""
        token = LightToken("text", "", 0, content=self.pending, level=self.pendingLevel)
        self.tokens.append(token)
        self.pending = ""
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Append a token after the text that was skipped."""
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


def append_leaf(state: StateInline, token: Token) -> None:
    """Append a complete token without children after the text that was skipped."""
    if skipped := state.pending:
        state.tokens.append(LightToken("text", "", 0, content=skipped))
        state.pending = ""
    state.tokens.append(token)
