"""What a card over the screen says: pairs, headings, content of messages, source. Data only, pure."""

from typing import TypeAlias

from tui.content import nodes as n
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """What it is, and what it says; both sanitized."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that begins something; sanitized."""

    text: str


@dataclass(frozen=True, slots=True)
class CardContent:
    """Content as a message would show it."""

    nodes: tuple[n.BlockNode, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Text whose every space counts, such as Markdown; sanitized."""

    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A few words of ours, or sanitized ones."""

    text: str


CardPart: TypeAlias = Pair | Heading | CardContent | Source | Sentence
