"""A row of the sidebar as data. No store."""

from collections.abc import Hashable
from typing import Literal, TypeAlias

from tui.api.model import ChannelId
from tui.dataclass import dataclass
from tui.narrow import Narrow
from tui.view.presence import PresenceState

RowKind: TypeAlias = Literal["section", "view", "kept", "channel", "topic", "direct", "more"]
ViewName: TypeAlias = Literal["inbox", "recent", "drafts", "scheduled", "browse"]
Target: TypeAlias = Narrow | ViewName | None
Section: TypeAlias = str
"""`views`, `direct`, `pinned` or `channels`; `folder-7` has the channels of a folder, by its ID."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SidebarRow:
    """A line of the sidebar; `target` is what it opens, None for a heading."""

    kind: RowKind
    target: Target
    label: str
    mark: str = ""
    color: str = ""
    """`#rrggbb` of the mark, or ""."""
    count: int = 0
    mentions: int = 0
    """How many of `count` are mentions or direct messages."""
    is_muted: bool = False
    """Whether the name is dimmed."""
    is_quiet: bool = False
    """Whether the count is not urgent: of muted messages, or of things other than messages."""
    is_open: bool = False
    is_followed: bool = False
    presence: PresenceState | None = None
    channel_id: ChannelId | None = None
    fragment: str = ""
    """The server's key of a saved view."""
    section: Section | None = None
    """The section of a heading, or of the row that expands it."""
    is_collapsed: bool = False

    @property
    def key(self) -> Hashable:
        return (
            self.kind,
            self.channel_id,
            self.fragment or self.target or self.section or self.label,
        )

    @property
    def is_mention(self) -> bool:
        """Whether the row counts mentions or direct messages."""
        return self.mentions > 0

    @property
    def is_unread(self) -> bool:
        """Whether the row has unread messages; those of topics are counted by their channel's row."""
        return self.kind in ("channel", "direct", "more") and self.count > 0 and not self.is_quiet

    @property
    def revision(self) -> "SidebarRow":
        return self

    @property
    def selectable(self) -> bool:
        return True

    def estimate(self, width: int) -> int:  # noqa: ARG002  # the list's protocol
        return self.height

    @property
    def height(self) -> int:
        """Height in lines: with an empty one above each heading but the first."""
        return 1 + (self.kind == "section" and self.section != "views")
