"""Sends events to restricted guests when users become visible or invisible to them.

Only organizations that restrict guests are concerned; elsewhere nothing here costs anything.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

from server_lite.access.users import restricted_ids, restricted_who_see, split_by_address
from server_lite.actions.group_members import emit_visible_people
from server_lite.events.users import (
    MembersAdded,
    MembersRemoved,
    StatusChanged,
    UserAdded,
    UserRemoved,
)
from server_lite.ids import UserId
from server_lite.objects.personal import status_object
from server_lite.objects.profile_fields import profile_data
from server_lite.objects.users import hidden_user_object, user_object
from server_lite.store import guest_channels, realm, statuses, subscriptions, users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

MANY: Final = 100
"""Members of a channel above which a guest's clients register again when the guest joins or leaves it, instead of getting
an event about each member.
"""

Pairs = Mapping[UserId, frozenset[UserId]]
"""Users, each with restricted users who see them."""
P = ParamSpec("P")
R = TypeVar("R")
Subscribing = Callable[Concatenate[Tx, Sequence[ChannelRow], Sequence[UserRow], P], R]


def tracks_visibility(change: Subscribing[P, R]) -> Subscribing[P, R]:
    """Decorate an action that subscribes users to channels, or unsubscribes them, so as to send what follows for guests."""

    @wraps(change)
    def tracked_change(
        tx: Tx,
        rows: Sequence[ChannelRow],
        people: Sequence[UserRow],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> R:
        restricted = restricted_ids(tx)
        if not restricted:
            return change(tx, rows, people, *args, **kwargs)
        concerned = frozenset(person.id for person in people)
        guests = restricted & concerned
        before = guest_channels.of_guests(tx, guests)
        acquaintances = frozenset[UserId]()
        large = frozenset[int]()
        if guests:  # they see deactivated users too
            ids = [row.id for row in rows]
            sizes = subscriptions.subscriber_counts(tx, ids, with_deactivated=True)
            large = frozenset(channel_id for channel_id, count in sizes.items() if count > MANY)
            inside = subscriptions.subscribers_of(
                tx, [one for one in ids if one not in large], with_deactivated=True
            )
            acquaintances = acquaintances.union(*inside.values())
        with _tracking_visibility(tx, concerned, acquaintances, guests):
            result = change(tx, rows, people, *args, **kwargs)
            after = guest_channels.of_guests(tx, guests)
            tx.end_queues(one for one in guests if large & (before[one] ^ after[one]))
        return result

    return tracked_change


@contextmanager
def _tracking_visibility(
    tx: Tx,
    concerned: frozenset[UserId],
    acquaintances: frozenset[UserId],
    guests: frozenset[UserId],
) -> Iterator[None]:
    """Send restricted users which of the concerned become visible or invisible to them within the block.

    These guests also get which of the acquaintances do: others do not meet these by the change.
    """
    people = concerned - users.bot_ids(tx)
    others = acquaintances - people - users.bot_ids(tx)

    def who_see() -> Pairs:
        met = restricted_who_see(tx, others, guests) if others else {}
        return {**restricted_who_see(tx, people), **met}

    before = who_see()
    yield
    after = who_see()
    people |= others
    gained = {user_id: after[user_id] - before[user_id] - tx.ended_queues for user_id in people}
    lost = {user_id: before[user_id] - after[user_id] - tx.ended_queues for user_id in people}
    _emit_gained(tx, gained)
    _emit_lost(tx, lost)


def emit_acquaintance(tx: Tx, ids: Collection[UserId]) -> None:
    """Send restricted guests among these users the others, before all of them get a conversation."""
    guests = restricted_ids(tx).intersection(ids)
    if guests:
        people = frozenset(ids) - users.bot_ids(tx)
        known = restricted_who_see(tx, people, guests)
        _emit_gained(tx, {user_id: guests - known[user_id] - {user_id} for user_id in people})


def _emit_gained(tx: Tx, viewers_by_user: Pairs) -> None:
    domain = realm.domain(tx)
    for user in users.by_ids(tx, [one for one, viewers in viewers_by_user.items() if viewers]):
        profile = profile_data(tx, user.id)
        for ids, sees in zip(
            split_by_address(tx, user, viewers_by_user[user.id]), (True, False), strict=True
        ):
            person = user_object(user, domain=domain, sees_address=sees, profile_data=profile)
            tx.emit(UserAdded(person=person), to=ids)
        if status := status_object(statuses.of(tx, user.id), user):
            changed = StatusChanged(user_id=user.id, changed=status)
            tx.emit(changed, to=viewers_by_user[user.id])
    emit_visible_people(tx, MembersAdded, _alike(viewers_by_user))


def _emit_lost(tx: Tx, viewers_by_user: Pairs) -> None:
    domain = realm.domain(tx)
    emit_visible_people(tx, MembersRemoved, _alike(viewers_by_user))
    for user in users.by_ids(tx, [one for one, viewers in viewers_by_user.items() if viewers]):
        placeholder = hidden_user_object(user, domain=domain)
        removed = UserRemoved(user_id=user.id, placeholder=placeholder)
        tx.emit(removed, to=viewers_by_user[user.id])


def _alike(viewers_by_user: Pairs) -> Mapping[frozenset[UserId], Collection[UserId]]:
    """Return viewers by the users who changed for them."""
    people_by_viewer: defaultdict[UserId, list[UserId]] = defaultdict(list)
    for user_id, viewers in viewers_by_user.items():
        for viewer_id in viewers:
            people_by_viewer[viewer_id].append(user_id)
    viewers_by_people: defaultdict[frozenset[UserId], list[UserId]] = defaultdict(list)
    for viewer_id, people in people_by_viewer.items():
        viewers_by_people[frozenset(people)].append(viewer_id)
    return viewers_by_people
