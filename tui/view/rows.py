"""The lines of a conversation as data: messages, echoes, dates, headers. No Textual, no store.

Every string here has passed the sanitizer, but for `html`, whose parser does that.
"""

from dataclasses import field, replace
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from tui.api.model import LocalId, MessageId, ReactionType, UserId
from tui.content import nodes as n
from tui.content.excerpts import excerpt
from tui.content.parse import parse
from tui.content.sanitize import sanitize
from tui.dataclass import dataclass
from tui.narrow import Conversation
from tui.view.polls import PollView

HIDDEN = -1
"""The index, among spoilers, of a whole message by a muted user."""
UNFOLDED: Final = -2
"""The index, among spoilers, of the folded lines of a long message."""
HIDDEN_WORDS = "Message from a muted user. Press s to show it."

EchoState: TypeAlias = Literal["held", "waiting", "sending", "sent", "unclear", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """An emoji under a message: how many people chose it, and whether the user is among them."""

    emoji_name: str
    emoji_code: str
    reaction_type: ReactionType
    text: str
    """The emoji itself, or `:name:` where it has no characters."""
    count: int
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow:
    """A message. `leads`: the sender's name stands above it; if False, it continues the message above.

    `html` is the content as the server rendered it, or with `is_markdown` the Markdown.
    """

    message_id: MessageId
    sender_id: UserId
    sender: str
    note: str
    """The kind of sender: `bot`, `guest`, `deactivated`, or ""."""
    time: str
    html: str
    is_markdown: bool = False
    is_me: bool = False
    leads: bool = True
    gap: bool = True
    """Whether an empty line stands above."""
    is_own: bool = False
    is_starred: bool = False
    is_unread: bool = False
    is_mention: bool = False
    marks: tuple[str, ...] = ()
    """Changes of the message: `edited`, `moved`."""
    chips: tuple[Chip, ...] = ()
    ballot: PollView | None = None
    """The poll or to-do list that is shown in place of the text."""
    revealed: frozenset[int] = frozenset()
    """The spoilers that are open; `HIDDEN` opens the message of a muted user."""
    is_hidden: bool = False
    """Whether the sender is muted: only a placeholder is shown."""
    is_excerpt: bool = False
    """Whether a long message is cut down to the hits of a search."""

    @property
    def key(self) -> MessageId:
        return self.message_id

    @property
    def revision(self) -> "MessageRow":
        return self

    @property
    def selectable(self) -> bool:
        return True

    @property
    def nodes(self) -> tuple[n.BlockNode, ...]:
        """The content that is shown."""
        if self.is_hidden:
            return (n.Paragraph((n.Emphasis((n.Text(HIDDEN_WORDS),)),)),)
        if self.is_excerpt:
            return excerpted(self.html, self.is_me)
        return written(self.html) if self.is_markdown else parsed(self.html, self.is_me)

    @property
    def whole(self) -> tuple[n.BlockNode, ...]:
        """The whole content, shown or not."""
        return replace(self, is_excerpt=False).nodes if self.is_excerpt else self.nodes

    def estimate(self, width: int) -> int:
        size = len(self.html)
        return 1 + size // max(width, 1) + self.leads + self.gap + bool(self.chips)


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoRow:
    """An unsent message of the user; `trouble` is a sentence where sending failed."""

    local_id: LocalId
    sender_id: UserId
    sender: str
    time: str
    text: str
    state: EchoState
    trouble: str = ""
    leads: bool = True
    gap: bool = True

    @property
    def key(self) -> tuple[str, LocalId]:
        return ("echo", self.local_id)

    @property
    def revision(self) -> "EchoRow":
        return self

    @property
    def selectable(self) -> bool:
        return True

    @property
    def nodes(self) -> tuple[n.BlockNode, ...]:
        """The content, as it was typed."""
        return written(self.text)

    def estimate(self, width: int) -> int:
        return 1 + self.text.count("\n") + len(self.text) // max(width, 1) + self.leads + self.gap


@dataclass(frozen=True, slots=True, kw_only=True)
class DateRow:
    """A line between days; `before` is the message under it."""

    before: MessageId
    text: str

    @property
    def key(self) -> tuple[str, MessageId]:
        return ("date", self.before)

    @property
    def revision(self) -> str:
        return self.text

    @property
    def selectable(self) -> bool:
        return False

    def estimate(self, width: int) -> int:  # noqa: ARG002  # the list's protocol
        return 2


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadRow:
    """The line above the messages that were unread when the conversation was opened."""

    count: int

    @property
    def key(self) -> str:
        return "unread"

    @property
    def revision(self) -> int:
        return self.count

    @property
    def selectable(self) -> bool:
        return False

    def estimate(self, width: int) -> int:  # noqa: ARG002  # the list's protocol
        return 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderRow:
    """The conversation of the messages below, in a feed of several conversations."""

    before: MessageId
    conversation: Conversation = field(compare=False)
    place: str
    """The channel with its mark, or the people."""
    topic: str
    color: str
    """`#rrggbb` of the channel, or ""."""
    is_unnamed: bool = False
    """Whether the topic has no name; `topic` is the placeholder for it."""
    hits: tuple[str, ...] = ()
    """The parts of the topic that a search found, in order."""

    @property
    def key(self) -> tuple[str, MessageId]:
        return ("header", self.before)

    @property
    def revision(self) -> tuple[str, str, str, tuple[str, ...]]:
        return (self.place, self.topic, self.color, self.hits)

    @property
    def selectable(self) -> bool:
        return False

    def estimate(self, width: int) -> int:  # noqa: ARG002  # the list's protocol
        return 2


ConversationRow: TypeAlias = MessageRow | EchoRow | DateRow | UnreadRow | HeaderRow


@lru_cache(maxsize=64)
def parsed(html: str, is_me: bool) -> tuple[n.BlockNode, ...]:
    """Return the nodes of a message, cached as long as it is likely to be drawn again."""
    return parse(html, is_me_message=is_me)


@lru_cache(maxsize=64)
def excerpted(html: str, is_me: bool) -> tuple[n.BlockNode, ...]:
    """Return the nodes of a message that a search found, cut down to the hits if it is long."""
    return excerpt(parsed(html, is_me))


@lru_cache(maxsize=64)
def written(text: str) -> tuple[n.BlockNode, ...]:
    """Return the nodes of Markdown that is not rendered yet, line by line as it was typed."""
    inline: list[n.InlineNode] = []
    for i, line in enumerate(sanitize(text).split("\n")):
        if i:
            inline.append(n.LineBreak())
        inline.append(n.Text(line))
    return (n.Paragraph(tuple(inline)),)
