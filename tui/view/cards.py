"""The contents of a card over the screen: pairs, headings, message content, source. Data only, pure."""

from typing import TypeAlias

from tui.content import nodes as n
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and its value; both sanitized."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of the following parts; sanitized."""

    text: str


@dataclass(frozen=True, slots=True)
class CardContent:
    """Content as a message would show it."""

    nodes: tuple[n.BlockNode, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Text whose whitespace counts, such as Markdown; sanitized."""

    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the program, or a sanitized text."""

    text: str


CardPart: TypeAlias = Pair | Heading | CardContent | Source | Sentence
