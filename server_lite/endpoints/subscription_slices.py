"""Subscribes and unsubscribes many users in slices, so that other requests run in between. Thin.

Endpoints check everything before the first change. Each slice is a transaction with its own events, as if
users were added one group after another, and checks again what may have changed since.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import partial
from types import MappingProxyType
from typing import Final, TypeVar

from server_lite.access.subscriptions import may_add_others, may_join, may_remove
from server_lite.access.users import inaccessible_user_ids, restricted_ids
from server_lite.actions import channel_notification_messages as notices
from server_lite.actions import subscriptions as actions
from server_lite.actions.channels import create_channel
from server_lite.actions.flags import SLICE, MarkAsReadJob, reading_channel
from server_lite.actions.subscriptions import Pair
from server_lite.api.idempotency import Progress
from server_lite.dataclass import dataclass
from server_lite.endpoints.channel_parameters import ChannelParameters
from server_lite.errors import ApiError, ChannelExists
from server_lite.ids import ChannelId, UserId
from server_lite.store import channels, subscriptions, unread_in_channels, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

MOST: Final = 200
"""Maximum cost of one slice; a subscription that starts or ends costs 1."""
CHANNELS: Final = 5
"""Maximum of channels in one step."""
COST_OF_CHANNEL: Final = 20
"""Cost of creating a channel; posting the notification message in it costs as much."""
COST_OF_AUDIENCE: Final = 20
"""Cost of a channel in which somebody's subscription starts or ends: all who may see it are determined."""
COST_OF_TELLING: Final = 40
"""Cost of a direct message to a user; each channel listed in it costs 1."""
COST_FOR_GUESTS: Final = 6
"""Cost of a subscription where guests see only some users, and get events about those who become visible."""
REFUSED: Final = "Insufficient permission"
READ_AT_ONCE: Final = 25
"""Subscriptions that cost 1 when they are read together at the end."""
UNREAD: Final = 15
"""Unread messages of an unsubscribed user that cost 1 in each channel."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """A part of a change with its cost; returns the steps to run right after it."""

    cost: int
    act: Callable[[Tx], "Sequence[Step] | None"]


def run_slice(tx: Tx, left: deque[Step]) -> bool:
    """Run as many steps as one slice may cost; returns whether none are left."""
    spent = 0
    while left and (spent == 0 or spent + left[0].cost <= MOST):
        step = left.popleft()
        spent += step.cost
        left.extendleft(reversed(step.act(tx) or ()))
    return not left


def _parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def _cost(db: Db) -> int:
    """Return the cost of a subscription that starts or ends."""
    return COST_FOR_GUESTS if restricted_ids(db) else 1


def _people_parts(people: Sequence[UserRow], cost: int) -> Iterator[list[UserId]]:
    """Yield the users' IDs in groups small enough for one slice at this cost of each."""
    for some in _parts(people, max(1, MOST // cost)):
        yield [person.id for person in some]


def _still_there(db: Db, user: UserRow, ids: Sequence[UserId]) -> list[UserRow]:
    """Return users who are still active and visible to the acting user."""
    people = users.by_ids(db, ids)
    hidden = inaccessible_user_ids(db, user, ids)
    return [person for person in people if person.is_active and person.id not in hidden]


def check_adding(
    db: Db, user: UserRow, rows: Sequence[ChannelRow], people: Sequence[UserRow]
) -> None:
    """Raise unless the user may subscribe these people to existing channels."""
    if any(person.id != user.id for person in people) and not all(
        may_add_others(db, user, row) for row in rows
    ):
        raise ApiError(REFUSED)


@dataclass(slots=True)
class SubscribeProgress(Progress):
    """What was done of subscribing users to channels; all are IDs."""

    created: list[ChannelId] = field(default_factory=list)
    new: list[tuple[UserId, ChannelId]] = field(default_factory=list)
    """Users and the channels to which they were subscribed."""
    posted: list[ChannelId] = field(default_factory=list)
    """New channels with a message about themselves."""
    is_announced: bool = False
    notified: list[UserId] = field(default_factory=list)
    """Users with a direct message about their new channels."""

    def begun(self, rows: Iterable[ChannelRow]) -> list[ChannelRow]:
        """Return those of the requested channels that the request created before it was cut short."""
        return [row for row in rows if row.id in self.created and not row.is_archived]


class SubscribeJob:
    """Subscribes users to channels, creating missing ones: call it until it returns True."""

    def __init__(
        self,
        db: Db,
        user: UserRow,
        people: Sequence[UserRow],
        *,
        existing: Sequence[ChannelRow] = (),
        begun: Sequence[ChannelRow],
        missing: Sequence[tuple[str, str]] = (),
        options: ChannelParameters,
        colors: Mapping[int | str, str] = MappingProxyType({}),
        announce: bool,
        tell: bool,
        progress: SubscribeProgress,
    ) -> None:
        """`missing` are names and descriptions; `colors` are by channel ID, or by name for new channels.

        `begun` were created by the same request, which was cut short.
        """
        self.created = [*begun]
        self.has_sent_messages = False
        self._progress = progress
        self._cost = _cost(db)
        self._user = user
        self._people = people
        self._options = options
        self._colors = {place: color for place, color in colors.items() if isinstance(place, int)}
        self._new_colors = colors
        self._tell = tell
        self._left = deque(step for some in _parts(begun, CHANNELS) for step in self._filling(some))
        for new in _parts(missing, CHANNELS):
            self._left.append(Step(COST_OF_CHANNEL * len(new), partial(self._make, new)))
        for old in _parts(existing, CHANNELS):
            self._left += self._subscribing([row.id for row in old])
        pairs = len(people) * (len(begun) + len(missing) + len(existing))
        cost = pairs // READ_AT_ONCE + (COST_OF_TELLING if announce else 0)
        self._left.append(Step(cost, partial(self._end, announce)))

    def __call__(self, tx: Tx) -> bool:
        return run_slice(tx, self._left)

    def _subscribing(self, ids: Sequence[ChannelId]) -> list[Step]:
        return [
            Step(
                len(ids) * (COST_OF_AUDIENCE + self._cost * len(some)),
                partial(self._subscribe, ids, some),
            )
            for some in _people_parts(self._people, self._cost * len(ids))
        ]

    def _make(self, new_channels: Sequence[tuple[str, str]], tx: Tx) -> list[Step]:
        checked = self._options.checked(tx, self._user)
        rows = []
        for name, description in new_channels:
            if channels.by_name(tx, name) is not None:  # created since the request was checked
                raise ChannelExists(name)
            row = create_channel(
                tx, self._user, name=name, description=description, options=checked
            )
            rows.append(row)
            if name in self._new_colors:
                self._colors[row.id] = self._new_colors[name]
        self.created += rows
        self._progress.created += [row.id for row in rows]
        self._progress.is_announced = False
        return self._filling(rows)

    def _filling(self, rows: Sequence[ChannelRow]) -> list[Step]:
        # Notification messages in channels come after their subscribers, who shall get them.
        unsaid = [row for row in rows if row.id not in self._progress.posted]
        saying = Step(COST_OF_CHANNEL * len(unsaid), partial(self._say, unsaid))
        return [*self._subscribing([row.id for row in rows]), saying]

    def _subscribe(self, ids: Sequence[ChannelId], people_ids: list[UserId], tx: Tx) -> None:
        new_ids = {row.id for row in self.created}
        by_id = {row.id: row for row in channels.by_ids(tx, ids) if not row.is_archived}
        rows = [by_id[one] for one in ids if one in by_id]
        old = [row for row in rows if row.id not in new_ids]
        people = _still_there(tx, self._user, people_ids)
        if not all(may_join(tx, self._user, row) for row in old):
            raise ApiError(REFUSED)
        check_adding(tx, self._user, old, people)
        added = actions.subscribe(tx, rows, people, colors=self._colors)
        self._progress.new += [(person.id, row.id) for person, row in added]
        subscribed = {person.id for person, _ in added}
        self._progress.notified = [one for one in self._progress.notified if one not in subscribed]

    def _say(self, created: Sequence[ChannelRow], tx: Tx) -> None:
        posted = notices.announce_created(tx, self._user, _as_they_are(tx, created))
        self._progress.posted += sorted(posted)

    def _end(self, announce: bool, tx: Tx) -> list[Step]:
        if announce and not self._progress.is_announced:
            notices.announce(tx, self._user, _as_they_are(tx, self.created))
            self._progress.is_announced = True
        news = notices.to_tell(self._user, self._unknown(tx)) if self._tell else []
        self.has_sent_messages = bool(news)
        return [
            Step(COST_OF_TELLING + len(rows), partial(self._announce_added, person, rows))
            for person, rows in news
            if person.id not in self._progress.notified
        ]

    def _unknown(self, db: Db) -> list[Pair]:
        """Return the new subscriptions to channels in which no message says that they are new."""
        posted = frozenset(self._progress.posted)
        pairs = dict.fromkeys((one, at) for one, at in self._progress.new if at not in posted)
        people = {row.id: row for row in users.by_ids(db, {one for one, _ in pairs})}
        rows = {row.id: row for row in channels.by_ids(db, {at for _, at in pairs})}
        return [(people[one], rows[at]) for one, at in pairs]

    def _announce_added(self, person: UserRow, rows: Sequence[ChannelRow], tx: Tx) -> None:
        there = subscriptions.channel_ids(tx, person.id)  # not those that they have left since
        kept = [row for row in _as_they_are(tx, rows) if row.id in there]
        if kept and _still_there(tx, self._user, [person.id]):
            notices.announce_added(tx, self._user, person, kept)
        self._progress.notified.append(person.id)


def _as_they_are(db: Db, rows: Sequence[ChannelRow]) -> list[ChannelRow]:
    """Return the channels, as far as they are not archived, as they are now: earlier slices may be long ago."""
    by_id = {row.id: row for row in channels.by_ids(db, [row.id for row in rows])}
    return [by_id[row.id] for row in rows if not by_id[row.id].is_archived]


@dataclass(slots=True)
class UnsubscribeProgress(Progress):
    """What was done of unsubscribing users from channels; all are IDs."""

    allowed: list[ChannelId] = field(default_factory=list)
    """Channels of the request, all of which the user could see, and from which they could remove these users."""
    left: list[ChannelId] = field(default_factory=list)
    """Channels that lost a subscriber."""


class UnsubscribeJob:
    """Unsubscribes users from channels: call it until it returns True."""

    def __init__(
        self,
        db: Db,
        user: UserRow,
        rows: Sequence[ChannelRow],
        people: Sequence[UserRow],
        progress: UnsubscribeProgress,
    ) -> None:
        self._progress = progress
        self._cost = _cost(db)
        self._user = user
        self._read: dict[tuple[int, int], int] = {}
        self._left = deque(
            Step(len(some) * COST_OF_AUDIENCE + len(them), partial(self._look, some, them))
            for some in _parts([row.id for row in rows], CHANNELS)
            for them in _people_parts(people, self._cost * len(some))
        )

    def __call__(self, tx: Tx) -> bool:
        return run_slice(tx, self._left)

    def _look(self, ids: Sequence[ChannelId], people_ids: Sequence[UserId], tx: Tx) -> list[Step]:
        """Split users by their unread messages, which determine the cost; many are marked as read first."""
        steps: list[Step] = []
        them: list[UserId] = []
        cost = 0
        rows = channels.by_ids(tx, ids)
        examined = unread_in_channels.count_examined(tx, people_ids, ids, most=SLICE)
        for person in users.by_ids(tx, people_ids):
            unread = examined[person.id]
            if unread == SLICE:
                steps += [self._reading(reading_channel(person, row), person, row) for row in rows]
                unread = 0
            more = len(ids) * (self._cost + unread // UNREAD)
            if them and cost + more > MOST:
                steps.append(Step(cost, partial(self._unsubscribe, ids, them)))
                them, cost = [], 0
            them, cost = [*them, person.id], cost + more
        return [*steps, Step(cost, partial(self._unsubscribe, ids, them))]

    def _reading(self, reading: MarkAsReadJob, person: UserRow, row: ChannelRow) -> Step:
        def act(tx: Tx) -> list[Step]:
            more = reading(tx)
            self._read[person.id, row.id] = reading.above
            return [self._reading(reading, person, row)] if more else []

        return Step(MOST, act)

    def _unsubscribe(self, ids: Sequence[ChannelId], people_ids: Sequence[UserId], tx: Tx) -> None:
        rows = channels.by_ids(tx, ids)
        people = _still_there(tx, self._user, people_ids)
        check_removing(tx, self._user, rows, people)
        ended = actions.unsubscribe(tx, rows, people, read=self._read)
        self._progress.left = sorted({*self._progress.left, *(row.id for _, row in ended)})


def check_removing(
    db: Db, user: UserRow, rows: Sequence[ChannelRow], people: Sequence[UserRow]
) -> None:
    """Raise unless the user may unsubscribe these people from the channels."""
    if not all(may_remove(db, user, row, people) for row in rows):
        raise ApiError(REFUSED)
