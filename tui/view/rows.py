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
"""The index, among spoilers, of a whole message by somebody muted."""
UNFOLDED: Final = -2
"""In the place of a spoiler: all lines of a long message are shown."""
HIDDEN_WORDS = "Message from a muted user. Press s to show it."

EchoState: TypeAlias = Literal["held", "waiting", "sending", "sent", "unclear", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    """An emoji under a message: how many people chose it, and whether the reader is among them."""

    emoji_name: str
    emoji_code: str
    reaction_type: ReactionType
    text: str
    """The emoji itself, or `:name:` where it has no characters."""
    count: int
    is_own: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRow:
    """A message. `leads`: the sender's name stands above it, otherwise it goes on from the last.

    `html` is the content as the server rendered it, or with `is_markdown` what was written.
    """

    message_id: MessageId
    sender_id: UserId
    sender: str
    note: str
    """What kind of sender: `bot`, `guest`, `deactivated`, or nothing."""
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
    """What happened to it: `edited`, `moved`."""
    chips: tuple[Chip, ...] = ()
    ballot: PollView | None = None
    """The poll or to-do list that is shown in place of its text."""
    revealed: frozenset[int] = frozenset()
    """Which of its spoilers are open; `HIDDEN` opens the message of a muted person."""
    is_hidden: bool = False
    """The reader muted who says this: that it was said is all that is shown."""
    is_excerpt: bool = False
    """Of a long message only what a search hit is shown."""

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
        """What it says."""
        if self.is_hidden:
            return (n.Paragraph((n.Emphasis((n.Text(HIDDEN_WORDS),)),)),)
        if self.is_excerpt:
            return excerpted(self.html, self.is_me)
        return written(self.html) if self.is_markdown else parsed(self.html, self.is_me)

    @property
    def whole(self) -> tuple[n.BlockNode, ...]:
        """All that it says, be it shown or not."""
        return replace(self, is_excerpt=False).nodes if self.is_excerpt else self.nodes

    def estimate(self, width: int) -> int:
        size = len(self.html)
        return 1 + size // max(width, 1) + self.leads + self.gap + bool(self.chips)


@dataclass(frozen=True, slots=True, kw_only=True)
class EchoRow:
    """A message of one's own on its way; `trouble` is a sentence where it went wrong."""

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
        """What was written, as it was written."""
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
    """The line above what was unread when the conversation was opened."""

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
    """Where the messages below it were said, in a feed of several conversations."""

    before: MessageId
    conversation: Conversation = field(compare=False)
    place: str
    """The channel with its mark, or the people."""
    topic: str
    color: str
    """`#rrggbb` of the channel, or ""."""
    is_unnamed: bool = False
    """The topic has no name; `topic` is what stands for it."""
    hits: tuple[str, ...] = ()
    """The parts of the topic that a search found, in their order."""

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


@lru_cache(maxsize=512)
def parsed(html: str, is_me: bool) -> tuple[n.BlockNode, ...]:
    """The nodes of a message, kept as long as it is likely to be drawn again."""
    return parse(html, is_me_message=is_me)


@lru_cache(maxsize=128)
def excerpted(html: str, is_me: bool) -> tuple[n.BlockNode, ...]:
    """The nodes of a message that a search found, cut down to the hits if it is long."""
    return excerpt(parsed(html, is_me))


@lru_cache(maxsize=64)
def written(text: str) -> tuple[n.BlockNode, ...]:
    """Markdown that is not rendered yet, line by line as it was typed."""
    inline: list[n.InlineNode] = []
    for i, line in enumerate(sanitize(text).split("\n")):
        if i:
            inline.append(n.LineBreak())
        inline.append(n.Text(line))
    return (n.Paragraph(tuple(inline)),)
