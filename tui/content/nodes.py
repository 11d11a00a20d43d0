"""A message as frozen nodes: the data between HTML and the screen.

Pure data: no parsing, no drawing, no I/O, no Textual. Every string in a node has passed the sanitizer. The
unions `InlineNode` and `BlockNode` are sealed: match on them and end in `assert_never`.
"""

from datetime import datetime
from typing import Literal, TypeAlias

from tui.api.model import ChannelId, MessageId, UserGroupId, UserId
from tui.dataclass import dataclass

# Inline


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text of one line."""

    text: str


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A new line within a paragraph."""


@dataclass(frozen=True, slots=True)
class InlineCode:
    """Code within a line; its white space counts."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Bold."""

    children: "tuple[InlineNode, ...]"


@dataclass(frozen=True, slots=True)
class Emphasis:
    """Italic."""

    children: "tuple[InlineNode, ...]"


@dataclass(frozen=True, slots=True)
class Deleted:
    """Struck through, or deleted by an edit."""

    children: "tuple[InlineNode, ...]"


@dataclass(frozen=True, slots=True)
class Inserted:
    """Inserted by an edit, where two versions of a message are compared."""

    children: "tuple[InlineNode, ...]"


@dataclass(frozen=True, slots=True)
class Highlight:
    """A match of a search."""

    children: "tuple[InlineNode, ...]"


@dataclass(frozen=True, slots=True)
class Link:
    """A link to anywhere. `href` is the server's, of any scheme: check before opening."""

    href: str
    children: "tuple[InlineNode, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatLink:
    """A link to a channel, topic, direct conversation or message of this server.

    Exactly one of `channel_id` and `user_ids` is set. `message_id` is the message to open, or, if `near` is
    false, only one that identifies the conversation after it was renamed or moved. The topic "" is the empty
    topic; None is the whole channel.
    """

    href: str
    children: "tuple[InlineNode, ...]"
    channel_id: ChannelId | None = None
    topic: str | None = None
    user_ids: tuple[UserId, ...] = ()
    message_id: MessageId | None = None
    near: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMention:
    """A mention of a person. `text` has its `@` unless silent. No ID: the server sent none."""

    text: str
    user_id: UserId | None
    silent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMention:
    """A mention of a user group."""

    text: str
    group_id: UserGroupId | None
    silent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WildcardMention:
    """A mention of everybody in the channel or direct conversation, or of the topic's participants."""

    text: str
    audience: Literal["channel", "topic"]
    silent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Emoji:
    """A Unicode emoji: its characters, and its name without colons."""

    text: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomEmoji:
    """A custom emoji: its name without colons, and the URL of its picture."""

    name: str
    src: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Time:
    """A time with its zone; `text` is how the sender wrote it."""

    at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class Math:
    """A formula within a line, as TeX source."""

    tex: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """A time or formula that the server could not parse, with its error message."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """A picture, video, sound or other file shown with the message.

    `href` is the original, `src` what to show in its place (a thumbnail), possibly the same. `size` is the
    original's (width, height) in pixels. `pending`: the thumbnail is still being made, an update will follow.
    """

    kind: Literal["image", "video", "audio"]
    href: str
    src: str
    title: str = ""
    size: tuple[int, int] | None = None
    content_type: str | None = None
    animated: bool = False
    pending: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """An unknown inline element: its visible content, and its source.

    `source` is its tag and classes, such as `span.sparkle`.
    """

    source: str
    children: "tuple[InlineNode, ...]"


InlineNode: TypeAlias = (
    Text
    | LineBreak
    | InlineCode
    | Strong
    | Emphasis
    | Deleted
    | Inserted
    | Highlight
    | Link
    | ChatLink
    | UserMention
    | GroupMention
    | WildcardMention
    | Emoji
    | CustomEmoji
    | Time
    | Math
    | Mistake
    | Media
    | Unknown
)

# Blocks


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text that wraps."""

    children: tuple[InlineNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading of level 1 to 6."""

    level: int
    children: tuple[InlineNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListBlock:
    """A list; `start` is the number of its first item, None for bullets."""

    start: int | None
    items: "tuple[tuple[BlockNode, ...], ...]"


@dataclass(frozen=True, slots=True)
class Quote:
    """A quotation."""

    children: "tuple[BlockNode, ...]"


@dataclass(frozen=True, slots=True)
class Token:
    """A token of code; `kind` is its Pygments class (`k`, `s1`), or "". May span lines."""

    text: str
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBlock:
    """Code of whole lines, without the last newline."""

    language: str | None
    tokens: tuple[Token, ...]

    @property
    def text(self) -> str:
        """The code as text."""
        return "".join(token.text for token in self.tokens)


@dataclass(frozen=True, slots=True)
class MathBlock:
    """A formula on lines of its own, as TeX source."""

    tex: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoiler:
    """A body that is hidden until the reader opens it."""

    header: "tuple[BlockNode, ...]"
    body: "tuple[BlockNode, ...]"


Alignment: TypeAlias = Literal["left", "center", "right"]
Cell: TypeAlias = tuple[InlineNode, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table. Every row has as many cells as `alignments`."""

    alignments: tuple[Alignment, ...]
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Embed:
    """The preview of an external page."""

    href: str
    title: str
    description: str
    image: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownBlock:
    """An unknown block: its visible content, and its tag and classes (`div.sparkle`)."""

    source: str
    children: "tuple[BlockNode, ...]"


BlockNode: TypeAlias = (
    Paragraph
    | Heading
    | ListBlock
    | Quote
    | CodeBlock
    | MathBlock
    | Spoiler
    | Table
    | Rule
    | Media
    | Embed
    | UnknownBlock
)

Node: TypeAlias = InlineNode | BlockNode

LinkNode: TypeAlias = Link | ChatLink | Media | Embed
"""Nodes that can be opened; each has an `href`."""
