"""The list of people at the right: presence and status. Pure."""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace

from tui.api.model import User, UserId
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.narrow import ChannelNarrow, Conversation, DmNarrow, Narrow, TopicNarrow
from tui.store.store import Store
from tui.view import names
from tui.view.presence import PresenceState, presence
from tui.view.reactions import emoji_text

MOST = 500
"""Most people listed; an organization of thousands is searched, not scrolled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRow:
    """A person, or a heading where `user_id` is None."""

    user_id: UserId | None
    name: str
    presence: PresenceState = "offline"
    status: str = ""
    count: int = 0

    @property
    def key(self) -> Hashable:
        return self.user_id or self.name

    @property
    def revision(self) -> "PersonRow":
        return self

    @property
    def selectable(self) -> bool:
        return self.user_id is not None

    def estimate(self, width: int) -> int:  # noqa: ARG002  # the list's protocol
        return 2 if self.user_id is None or self.status else 1


def people(store: Store, narrow: Narrow | None, now: float) -> list[PersonRow]:
    """Return the subscribers of the open channel, or all people; present ones first."""
    members = _members(store, narrow)
    rows = [_person(store, user, now) for user in members]
    groups = {
        "Here": [row for row in rows if row.presence in ("active", "idle")],
        "Away": [row for row in rows if row.presence == "offline"],
        "Bots": [row for row in rows if row.presence == "bot"],
    }
    return [row for name, group in groups.items() for row in _section(name, group)]


def recounted(
    rows: Sequence[PersonRow], store: Store, places: Iterable[Conversation]
) -> Sequence[PersonRow]:
    """Return the rows with the unread counts of these conversations; the order does not depend on them."""
    counts: dict[UserId | None, int] = {}
    for place in places:
        if isinstance(place, DmNarrow) and len(place.user_ids | {store.self_id}) <= 2:
            counts[place.other(store.self_id)] = store.unread_count(place)
    if not counts:
        return rows
    return [
        replace(row, count=counts[row.user_id]) if row.user_id in counts else row for row in rows
    ]


def _members(store: Store, narrow: Narrow | None) -> list[User]:
    everyone = [user for user in store.users.by_id.values() if user.is_active]
    match narrow:
        case ChannelNarrow(channel_id) | TopicNarrow(channel_id=channel_id):
            channel = store.channels.get(channel_id)
            # For a large channel the server may send only recently active subscribers.
            whole = None if channel is None else channel.subscribers
            part = None if channel is None else channel.partial_subscribers
            readers = part if whole is None else whole
            if readers is not None:
                readers = frozenset(readers)  # asked for each user
                everyone = [user for user in everyone if user.user_id in readers]
        case DmNarrow(user_ids):
            everyone = [user for user in everyone if user.user_id in user_ids]
        case _:
            everyone = [user for user in everyone if not user.is_system_bot]
    return everyone


def _person(store: Store, user: User, now: float) -> PersonRow:
    return PersonRow(
        user_id=user.user_id,
        name=names.person(store, user.user_id),
        presence=presence(store, user.user_id, now),
        status=status(store, user.user_id),
        count=store.unread_count(DmNarrow(frozenset({user.user_id, store.self_id}))),
    )


def status(store: Store, user_id: UserId) -> str:
    """Return a person's status with its emoji; "" for none."""
    user_status = store.statuses.by_user.get(user_id)
    if user_status is None:
        return ""
    emoji = ""
    if user_status.emoji_name and user_status.emoji_code:
        emoji = emoji_text(
            user_status.reaction_type or "", user_status.emoji_code, user_status.emoji_name
        )
    return f"{emoji} {sanitize_line(user_status.status_text or '')}".strip()


def _section(name: str, group: list[PersonRow]) -> Iterator[PersonRow]:
    if not group:
        return
    group.sort(key=lambda row: (row.presence != "active", row.name.casefold()))
    yield PersonRow(user_id=None, name=name, count=len(group))
    yield from group[:MOST]
