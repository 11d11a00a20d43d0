"""The changes of an event, as IDs: redrawing costs as much as has changed. Pure."""

from dataclasses import field, fields
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias

from tui.api.model import ChannelId, DraftId, LocalId, MessageId, UserGroupId, UserId
from tui.dataclass import dataclass
from tui.narrow import Conversation, Narrow, TopicNarrow

Part: TypeAlias = Literal[
    "alert_words",
    "attachments",
    "bots",
    "channel_folders",
    "default_channels",
    "devices",
    "domains",
    "drafts",
    "emoji",
    "exports",
    "invites",
    "linkifiers",
    "muted_users",
    "navigation_views",
    "new_user_settings",
    "onboarding_steps",
    "outbox",
    "playgrounds",
    "profile_fields",
    "realm",
    "reminders",
    "saved_snippets",
    "scheduled_messages",
    "settings",
    "starred",
    "video_calls",
]
"""Kinds of items that are few, and redrawn as a whole when any of them changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicMove:
    """Messages moved from one topic to another.

    `is_whole`: no message is left behind, so that readers and writers of `source` belong in `target` now.
    `goes_on`: later messages moved too, so that the next one belongs there.
    """

    source: TopicNarrow
    target: TopicNarrow
    message_ids: frozenset[MessageId]
    is_whole: bool
    goes_on: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """IDs of what has changed. `replaced`: everything may have, and the store is another one.

    `messages` look different, or are gone, those in `deleted` for good; `confirmed` have changed and look as before,
    since the change was shown already; `arrived` are new, by ascending ID;
    `windows` list other messages; of `conversations` unread count, newest message or mute state changed, of
    `counts` the unread count at most; of `topics` (by channel) the list; `moves` in the order in which they happened; `people` is presence and
    status, `users` the profile; `echoes` are outgoing messages that were received; `drafts_removed` were
    deleted on the server.
    """

    replaced: bool = False
    realm_closed: bool = False
    messages: frozenset[MessageId] = frozenset()
    deleted: frozenset[MessageId] = frozenset()
    confirmed: frozenset[MessageId] = frozenset()
    arrived: tuple[MessageId, ...] = ()
    windows: frozenset[Narrow] = frozenset()
    conversations: frozenset[Conversation] = frozenset()
    counts: frozenset[Conversation] = frozenset()
    channels: frozenset[ChannelId] = frozenset()
    topics: frozenset[ChannelId] = frozenset()
    moves: tuple[TopicMove, ...] = ()
    users: frozenset[UserId] = frozenset()
    people: frozenset[UserId] = frozenset()
    groups: frozenset[UserGroupId] = frozenset()
    typing: frozenset[Conversation] = frozenset()
    parts: frozenset[Part] = frozenset()
    drafts_removed: frozenset[DraftId] = frozenset()
    echoes: dict[LocalId, MessageId] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Whether anything changed."""
        return any(_values(self))

    @property
    def can_be_seen(self) -> bool:
        """Whether anything may look different."""
        return any(_values_in_sight(self))

    @property
    def is_of_messages(self) -> bool:
        """Whether no message but those in `messages` looks different, whatever else changed."""
        others = self.replaced or self.realm_closed or self.channels or self.users or self.groups
        return not others and self.parts <= _BESIDE

    def merge(self, later: "Changes") -> "Changes":
        """Return the union with later changes; `arrived` and `moves` keep their order."""
        if self is NOTHING or not self:
            return later
        if later is NOTHING or not later:
            return self
        merged = map(_both, _values(self), _values(later))
        return Changes(**dict(zip(_NAMES, merged, strict=True)))


_BESIDE: Final[frozenset[Part]] = frozenset({"drafts", "outbox", "starred"})
"""Parts that show in no message."""
_NAMES = tuple(each.name for each in fields(Changes))
_values = attrgetter(*_NAMES)
_values_in_sight = attrgetter(*(name for name in _NAMES if name != "confirmed"))
NOTHING = Changes()


def _both(one: Any, other: Any) -> Any:
    if isinstance(one, tuple):
        return tuple(dict.fromkeys(one + other))
    return one or other if isinstance(one, bool) else one | other
