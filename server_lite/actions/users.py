"""Creates, changes, deactivates and reactivates accounts. Checks no permissions: callers did."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from server_lite.access.bots import bot_ids_of
from server_lite.access.channel_audience import who_may_see_each
from server_lite.access.users import (
    ids_who_can_access,
    restricted_ids,
    sees_address,
    shows_address,
    split_by_address,
)
from server_lite.actions.channel_visibility import (
    emit_channel_visibility,
    emit_new_defaults,
    tracking_channel_visibility,
    visible_ids,
)
from server_lite.actions.group_members import emit_members
from server_lite.actions.settings import emit_address
from server_lite.events.base import AnyEvent
from server_lite.events.channels import PeersAdded, PeersRemoved
from server_lite.events.organization import BotAdded, BotDeleted
from server_lite.events.users import (
    HiddenUserAdded,
    MembersAdded,
    MembersRemoved,
    UserAdded,
    UserUpdated,
)
from server_lite.ids import ChannelId, UserId
from server_lite.objects.bots import bot_object
from server_lite.objects.users import hidden_user_object, user_object
from server_lite.store import channels, personal_settings, realm, subscriptions, user_groups, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.personal_settings import Value, Visibility
from server_lite.store.user_groups import SystemGroup, WaitingPeriod
from server_lite.store.users import Role, UserRow

ADDRESSES: Final = 100
"""Most addresses that a user gains or loses by events."""
AUDIENCES: Final = 20
"""Audiences of a user's channels up to which nothing is gained by others."""
EVENT: Final = 500
"""Users of an audience that take as long as an event."""
BOTS: Final = 30
"""Bots deactivated at once, and most bots that a user gains or loses by events."""


def create_user(
    tx: Tx,
    *,
    email: str,
    full_name: str,
    role: Role,
    password: str | None,
    bot_type: int | None = None,
    bot_owner_id: UserId | None = None,
) -> UserRow:
    """Create an account; the event goes to all users. `password` is an argon2id hash.

    Address and name were validated; a duplicate address violates the table's index. Personal
    settings are the organization's defaults for new users.
    """
    user_id = users.insert(
        tx,
        email=email,
        full_name=full_name,
        role=role,
        now=tx.now,
        password=password,
        bot_type=bot_type,
        bot_owner_id=bot_owner_id,
    )
    chosen = realm.default_personal_settings(tx)
    if chosen and bot_type is None:
        users.set_settings(tx, user_id, chosen)
    user = _fresh(tx, user_id)
    domain = realm.domain(tx)
    for ids, sees in zip(
        split_by_address(tx, user, ids_who_can_access(tx, user)), (True, False), strict=True
    ):
        person = user_object(user, domain=domain, sees_address=sees, profile_data={})
        tx.emit(UserAdded(person=person), to=ids)
    unaware = users.active_ids(tx) - ids_who_can_access(tx, user)
    placeholder = hidden_user_object(user, domain=domain)
    tx.emit(HiddenUserAdded(placeholder=placeholder), to=unaware)
    _emit_groups(tx, [(user.id, [], _role_groups(tx, user))])
    return user


def _fresh(tx: Tx, user_id: UserId) -> UserRow:
    user = users.by_id(tx, user_id)
    assert user is not None
    return user


def set_password(tx: Tx, user: UserRow, hashed: str) -> None:
    """Set the password, an argon2id hash. API keys stay valid."""
    users.set_password(tx, user.id, hashed)


def rename(tx: Tx, user: UserRow, full_name: str) -> UserRow:
    """Change the user's full name."""
    return _set(tx, user, {"full_name": full_name})


def set_email(tx: Tx, user: UserRow, email: str) -> UserRow:
    """Change the user's real email address."""
    users.set_value(tx, user.id, "email", email)
    after = replace(user, email=email)
    emit_address(tx, user, after)
    return after


def set_role(tx: Tx, user: UserRow, role: Role) -> UserRow:
    """Change the user's role; sends the changed group memberships, visible channels and addresses."""
    if user.role == role:
        return user
    before, channels_seen = _role_groups(tx, user), visible_ids(tx, user)
    # Reading this again after the change would take as long as all the rest.
    ids_by_visibility = personal_settings.ids_by_setting(tx, "email_address_visibility")
    was_restricted = user.id in restricted_ids(tx)
    after = _set(tx, user, {"role": int(role)})
    if user.is_active:  # groups do not count deactivated accounts
        _emit_groups(tx, [(user.id, before, _role_groups(tx, after))])
    emit_channel_visibility(tx, after, channels_seen)
    emit_new_defaults(tx, user, after)
    _emit_bot_access_changes(tx, user, after)
    if was_restricted != (user.id in restricted_ids(tx)):
        tx.end_queues([user.id])  # very different users are visible
    else:
        _emit_addresses(tx, user, after, ids_by_visibility)
    return after


def _emit_addresses(
    tx: Tx,
    before: UserRow,
    after: UserRow,
    ids_by_visibility: Mapping[Value, frozenset[UserId]],
) -> None:
    """Send a user with a new role the addresses that became visible or invisible to them."""
    changed = {one for one in Visibility if shows_address(one, before) != shows_address(one, after)}
    concerned = frozenset[UserId]().union(*(ids_by_visibility.get(one, ()) for one in changed))
    concerned -= users.bot_ids(tx) | {after.id}
    if len(concerned) > ADDRESSES:
        tx.end_queues([after.id])
        return
    for other in users.by_ids(tx, concerned):
        address = other.email if sees_address(after, other) else None
        person = {"user_id": other.id, "delivery_email": address}
        tx.emit(UserUpdated(person=person), to=[after.id])


def promote(tx: Tx) -> None:
    """Send events for members who have become full members by now; called by the upkeep."""
    waiting = user_groups.waiting(tx)
    if user_groups.somebody_waited(tx, waiting, tx.now):
        set_waiting(tx, waiting.days)


def set_waiting(tx: Tx, days: int) -> None:
    """Set the days until members are full members; sends events for those whose membership changed."""
    old, new = user_groups.waiting(tx), WaitingPeriod(days, tx.now)
    were, are = (user_groups.full_member_ids(tx, waiting) for waiting in (old, new))
    full = [int(SystemGroup.FULL_MEMBERS)]
    with tracking_channel_visibility(tx, SystemGroup.FULL_MEMBERS, were ^ are):
        user_groups.set_waiting(tx, new)
        _emit_groups(
            tx,
            [*((one, full, []) for one in were - are), *((one, [], full) for one in are - were)],
        )


def _set(tx: Tx, user: UserRow, changed: Mapping[str, Any]) -> UserRow:
    """Store columns that have the same name in the API, with an event for each."""
    people = ids_who_can_access(tx, user)
    for name, value in changed.items():
        if getattr(user, name) != value:
            users.set_value(tx, user.id, name, value)
            tx.emit(UserUpdated(person={"user_id": user.id, name: value}), to=people)
    return replace(user, **changed)


def deactivate(tx: Tx, user: UserRow) -> None:
    """Deactivate an account and its bots: API keys stop working, groups exclude them. Nothing is deleted.

    The keys work again after reactivation. Of an account with many bots, call `deactivate_some_bots` before.
    """
    _deactivate(tx, [user, *users.active_bots_of(tx, user.id)])


def deactivate_some_bots(tx: Tx, user: UserRow) -> bool:
    """Deactivate some of an account's bots, if it has many; returns whether there are still many: call it again."""
    bots = users.active_bots_of(tx, user.id, most=2 * BOTS + 1)
    if len(bots) > BOTS:
        _deactivate(tx, bots[:BOTS])
    return len(bots) > 2 * BOTS


def _deactivate(tx: Tx, accounts: Sequence[UserRow]) -> None:
    """Deactivate these accounts together, and end their event queues: what they had is read before any changes."""
    groups = {
        user.id: sorted({*_role_groups(tx, user), *user_groups.listed_in(tx, user.id)})
        for user in accounts
    }
    left: defaultdict[tuple[frozenset[UserId], Together], list[UserId]] = defaultdict(list)
    for user in accounts:
        for same in channels_by_audience(tx, user).items():
            left[same].append(user.id)
    for user in accounts:
        users.set_value(tx, user.id, "is_active", 0)
    for (audience, seen), user_ids in left.items():
        _emit_peers(tx, PeersRemoved, user_ids, audience, seen)
    for user in accounts:
        person = {"user_id": user.id, "is_active": False}
        tx.emit(UserUpdated(person=person), to=ids_who_can_access(tx, user))
    _emit_groups(tx, [(user.id, groups[user.id], []) for user in accounts])
    tx.end_queues(groups)


def reactivate(tx: Tx, user: UserRow) -> None:
    """Reactivate an account; its API keys work again."""
    audiences = channels_by_audience(tx, user)
    users.set_value(tx, user.id, "is_active", 1)
    after = replace(user, is_active=True)
    person = {"user_id": user.id, "is_active": True}
    tx.emit(UserUpdated(person=person), to=ids_who_can_access(tx, after))
    groups = sorted({*_role_groups(tx, after), *user_groups.listed_in(tx, user.id)})
    _emit_groups(tx, [(user.id, [], groups)])
    for audience, seen in audiences.items():
        _emit_peers(tx, PeersAdded, [user.id], audience, seen)


class Together(NamedTuple):
    """IDs of channels that are in one event."""

    ids: tuple[ChannelId, ...]
    archived: tuple[ChannelId, ...]


ByAudience = Mapping[frozenset[UserId], Together]


def channels_by_audience(db: Db, user: UserRow) -> ByAudience:
    """Return a user's channels by who may see them, perhaps without the user.

    A channel may be in several entries, each for some of those who see it.

    In hundreds of channels it takes longer than a change may: callers have it cached by a read before.
    """
    return db.cached(_channels_by_audience, user.id)


def _channels_by_audience(db: Db, user_id: UserId) -> ByAudience:
    by_audience: dict[frozenset[UserId], list[ChannelRow]] = {}
    rows = channels.by_ids(db, subscriptions.channel_ids(db, user_id))
    audiences = who_may_see_each(db, rows)
    for row in rows:
        by_audience.setdefault(audiences[row.id], []).append(row)
    # More than those of many changes, which are used with the user.
    if len(by_audience) > AUDIENCES:
        others = {audience - {user_id}: rows for audience, rows in by_audience.items()}
        by_audience = min(others, _by_receivers(others), key=_size)
    return {audience: _together(rows) for audience, rows in by_audience.items()}


def _together(rows: Sequence[ChannelRow]) -> Together:
    archived = tuple(row.id for row in rows if row.is_archived)
    return Together(tuple(row.id for row in rows), archived)


_RowsByAudience = dict[frozenset[UserId], list[ChannelRow]]


def _by_receivers(by_audience: _RowsByAudience) -> _RowsByAudience:
    """Return the same with each receiver in one audience, that of all channels that they see.

    Hundreds of private channels that nested groups may join have large audiences that are nearly the same.
    """
    places: defaultdict[UserId, list[int]] = defaultdict(list)
    for place, audience in enumerate(by_audience):
        for user_id in audience:
            places[user_id].append(place)
    users_by_places: defaultdict[tuple[int, ...], list[UserId]] = defaultdict(list)
    for user_id, seen in places.items():
        users_by_places[tuple(seen)].append(user_id)
    rows = list(by_audience.values())
    return {
        frozenset(user_ids): [row for place in seen for row in rows[place]]
        for seen, user_ids in users_by_places.items()
    }


def _size(by_audience: _RowsByAudience) -> int:
    """Return how long it takes to send an event to each audience, in users of an audience."""
    return sum(EVENT + len(audience) for audience in by_audience)


def _emit_peers(
    tx: Tx,
    event: type[PeersAdded | PeersRemoved],
    user_ids: list[UserId],
    audience: frozenset[UserId],
    seen: Together,
) -> None:
    """Send that users were added to or removed from the subscribers of channels."""
    peers_event: AnyEvent = event(
        channel_ids=seen.ids, user_ids=user_ids, archived_ids=seen.archived
    )
    receivers = audience if audience.isdisjoint(user_ids) else audience.difference(user_ids)
    tx.emit(peers_event, to=receivers)


def _role_groups(tx: Tx, user: UserRow) -> list[int]:
    return user_groups.direct_system_groups(user, user_groups.waiting(tx))


def _emit_groups(tx: Tx, changes: Iterable[tuple[UserId, list[int], list[int]]]) -> None:
    """Send the group memberships that changed: user ID, groups before and after. A group's users share an event."""
    removed: defaultdict[int, list[UserId]] = defaultdict(list)
    added: defaultdict[int, list[UserId]] = defaultdict(list)
    for user_id, before, after in changes:
        for group in before:
            if group not in after:
                removed[group].append(user_id)
        for group in after:
            if group not in before:
                added[group].append(user_id)
    closed = user_groups.deactivated_ids(tx)
    for users_by_group, event in ((removed, MembersRemoved), (added, MembersAdded)):
        for group, user_ids in users_by_group.items():
            emit_members(tx, event, group, user_ids, is_closed=group in closed)


def _emit_bot_access_changes(tx: Tx, before: UserRow, after: UserRow) -> None:
    """Send events for the bots that the user administers now and those they lost, after a change of role."""
    had, has = bot_ids_of(tx, before), bot_ids_of(tx, after)
    if len(had ^ has) > BOTS:
        tx.end_queues([after.id])
        return
    for bot_id in sorted(had - has):
        tx.emit(BotDeleted(user_id=bot_id), to=[after.id])
    for bot in users.by_ids(tx, has - had):
        tx.emit(BotAdded(bot=bot_object(tx, bot)), to=[after.id])
