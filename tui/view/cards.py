"""What a card over the screen says: pairs, headings, content of messages, source. Data only, pure."""

from typing import TypeAlias

from tui.content import nodes as n
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """What it is, and what it says; both sanitised."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A line that begins something; sanitised."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """Content as a message would show it."""

    nodes: tuple[n.BlockNode, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """Text whose every space counts, such as Markdown; sanitised."""

    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A few words of ours, or sanitised ones."""

    text: str


CardPart: TypeAlias = Pair | Heading | Said | Source | Sentence
