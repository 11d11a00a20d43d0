"""Subscribes and unsubscribes users; changes subscription settings. Checks no permissions: callers did."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from server_lite.access.channel_audience import (
    channels_of_guests,
    members,
    who_may_see,
    who_may_see_each,
)
from server_lite.actions.flags import mark_channels_read
from server_lite.actions.user_visibility import tracks_visibility
from server_lite.events.channels import (
    ChannelsCreated,
    ChannelsDeleted,
    OwnSettings,
    PeersAdded,
    PeersRemoved,
    SubscriptionsAdded,
    SubscriptionsRemoved,
    SubscriptionUpdated,
)
from server_lite.ids import ChannelId, UserId
from server_lite.objects.channels import channel_objects
from server_lite.objects.subscriptions import SubscriptionSettings, defaults_of, settings_object
from server_lite.store import channels, subscriptions, users
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Tx
from server_lite.store.subscriptions import SubscriptionRow
from server_lite.store.users import UserRow

COLORS: Final = (
    "#4a90d9",
    "#d9734a",
    "#5fae57",
    "#a86fc9",
    "#c9a227",
    "#3fa7a0",
    "#d65a7e",
    "#7f8c3d",
    "#6272c4",
    "#b5654d",
    "#4fb0c6",
    "#9a7b4f",
    "#7fb069",
    "#c46ba8",
    "#8d99ae",
    "#e0a458",
)

FEW: Final = 500
"""Users who see some of several channels only, up to which these are in one event."""
Pair = tuple[UserRow, ChannelRow]

NOTHING_READ: Final[Mapping[tuple[int, int], int]] = {}


@tracks_visibility
def subscribe(
    tx: Tx,
    rows: Sequence[ChannelRow],
    people: Sequence[UserRow],
    *,
    colors: Mapping[int, str] | None = None,
) -> list[Pair]:
    """Subscribe all of these users to all of these channels; returns the new pairs.

    `colors` maps a channel's ID to the requested color.
    """
    saw = who_may_see_each(tx, rows)
    newest = channels.newest_message_id(tx)
    there = subscriptions.active_among(
        tx, [person.id for person in people], [row.id for row in rows]
    )
    added = [(person, row) for person in people for row in rows if (person.id, row.id) not in there]
    if added:
        new = subscriptions.start(tx, _chosen_colors(tx, added, colors or {}), newest=newest)
        _emit_discovered(tx, added, saw)
        _emit_added(tx, added, new)
        _emit_joined(tx, added, saw)
    return added


@tracks_visibility
def subscribe_newcomers(tx: Tx, rows: Sequence[ChannelRow], people: Sequence[UserRow]) -> None:
    """Subscribe users who were created in this transaction to all of these channels, perhaps hundreds.

    They have no clients yet. Members get one event for all public channels, guests one with those that they are in.
    """
    newest = channels.newest_message_id(tx)
    colors = {row.id: COLORS[place % len(COLORS)] for place, row in enumerate(rows)}
    for person in people:
        subscriptions.start_first(tx, person.id, colors, newest=newest)
    _emit_joined_public(tx, [row for row in rows if row.is_public], people)
    private = [row for row in rows if not row.is_public]
    added = [(person, row) for person in people for row in private]
    _emit_joined(tx, added, who_may_see_each(tx, private))


def _emit_joined_public(tx: Tx, rows: Sequence[ChannelRow], people: Sequence[UserRow]) -> None:
    if not rows:
        return
    who = sorted(person.id for person in people)
    for_all = [row.id for row in rows if row.is_web_public]
    in_some = channels_of_guests(tx, rows)
    personal = {
        guest_id: sorted({*for_all, *in_some.get(guest_id, ())})
        for guest_id in (users.guest_ids(tx) if for_all else in_some)
        if guest_id not in who
    }
    event = PeersAdded(
        channel_ids=[row.id for row in rows],
        user_ids=who,
        archived_ids=[row.id for row in rows if row.is_archived],
    )
    tx.emit(event, to=members(tx).union(personal).difference(who), personal=personal)


def _chosen_colors(
    tx: Tx, added: Sequence[Pair], wanted: Mapping[int, str]
) -> dict[tuple[UserId, ChannelId], str]:
    """Return a color for each of these subscriptions.

    The one that it had before, or the wanted one of its channel, or one that its user has not used.
    """
    colors = subscriptions.colors(tx, {person.id for person, _ in added})
    chosen: dict[tuple[UserId, ChannelId], str] = {}
    for person, row in added:
        used, former = colors[person.id]
        color = former.get(row.id) or wanted.get(row.id) or _next_color(used)
        chosen[person.id, row.id] = color
        used.append(color)
    return chosen


def _next_color(used: Sequence[str]) -> str:
    """Return the first color unused among a user's channels; when all are used, colors repeat in turn."""
    taken = frozenset(used)
    return next((one for one in COLORS if one not in taken), COLORS[len(used) % len(COLORS)])


def _emit_discovered(tx: Tx, added: list[Pair], saw: Mapping[ChannelId, frozenset[UserId]]) -> None:
    """Send newly subscribed users the channels that were invisible to them, before the subscription."""
    new: defaultdict[frozenset[UserId], list[ChannelRow]] = defaultdict(list)
    for row, people in _by_channel(added):
        hidden = frozenset(person.id for person in people) - saw[row.id]
        if hidden:
            new[hidden].append(row)
    for ids, rows in new.items():
        tx.emit(ChannelsCreated(channels=channel_objects(tx, rows)), to=ids)


def _emit_added(tx: Tx, added: list[Pair], new: Sequence[SubscriptionRow]) -> None:
    rows = [row for row, _ in _by_channel(added)]
    there = subscriptions.subscribers_of(tx, [row.id for row in rows])
    objects = [{**one, "subscribers": there[one["stream_id"]]} for one in channel_objects(tx, rows)]
    people: dict[UserId, UserRow] = {person.id: person for person, _ in added}
    by_pair = {(row.user_id, row.channel_id): row for row in new}
    settings: defaultdict[UserId, list[SubscriptionSettings]] = defaultdict(list)
    for person, row in added:
        settings[person.id].append(settings_object(by_pair[person.id, row.id]))
    personal: dict[UserId, OwnSettings] = {
        user_id: {"defaults": defaults_of(people[user_id]), "settings": mine}
        for user_id, mine in settings.items()
    }
    tx.emit(SubscriptionsAdded(channels=objects), to=list(personal), personal=personal)


def _emit_joined(tx: Tx, added: list[Pair], saw: Mapping[ChannelId, frozenset[UserId]]) -> None:
    """Send new subscribers to all others who may see the channel; identical news share an event.

    So do channels whose audiences are nearly the same: who sees fewer of them than others gets those alone.
    """
    archived = _archived(added)
    news: defaultdict[tuple[UserId, ...], dict[frozenset[UserId], list[int]]] = defaultdict(dict)
    for row, people in _by_channel(added):
        by_audience = news[tuple(sorted(person.id for person in people))]
        by_audience.setdefault(saw[row.id], []).append(row.id)
    for who, by_audience in news.items():
        for audience, ids, personal in _joined_audiences(by_audience):
            event = PeersAdded(channel_ids=ids, user_ids=list(who), archived_ids=archived)
            tx.emit(event, to=audience.difference(who), personal=personal)


def _joined_audiences(
    by_audience: Mapping[frozenset[UserId], list[int]],
) -> Iterator[tuple[frozenset[UserId], list[int], Mapping[UserId, list[int]]]]:
    """Yield audiences with the channels that they see, and those of users who see some of these only."""
    seen_by_all = frozenset.intersection(*by_audience)
    some = frozenset[UserId]().union(*by_audience) - seen_by_all
    if len(by_audience) == 1 or len(some) > FEW:
        yield from ((audience, ids, {}) for audience, ids in by_audience.items())
        return
    personal: defaultdict[UserId, list[int]] = defaultdict(list)
    for audience, ids in by_audience.items():
        for user_id in audience & some:
            personal[user_id] += ids
    every = [channel_id for ids in by_audience.values() for channel_id in ids]
    yield seen_by_all | some, every, personal


def _archived(pairs: Collection[Pair]) -> list[int]:
    return sorted({row.id for _, row in pairs if row.is_archived})


def _by_channel(pairs: Collection[Pair]) -> list[tuple[ChannelRow, list[UserRow]]]:
    people: defaultdict[ChannelId, list[UserRow]] = defaultdict(list)
    rows: dict[ChannelId, ChannelRow] = {}
    for person, row in pairs:
        rows[row.id] = row
        people[row.id].append(person)
    return [(row, people[row.id]) for row in rows.values()]


@tracks_visibility
def unsubscribe(
    tx: Tx,
    rows: Sequence[ChannelRow],
    people: Sequence[UserRow],
    *,
    read: Mapping[tuple[int, int], int] = NOTHING_READ,
) -> list[Pair]:
    """Unsubscribe all of these users from all of these channels; returns the pairs that ended.

    `read` gives the message ID up to which a user (the key's first) has read a channel, where known.
    """
    newest = channels.newest_message_id(tx)
    there = subscriptions.active_among(
        tx, [person.id for person in people], [row.id for row in rows]
    )
    removed = [(person, row) for person in people for row in rows if (person.id, row.id) in there]
    if removed:
        # The channels leave the users' lists, so no client could mark them as read.
        mark_channels_read(tx, removed, read)
        subscriptions.end(tx, there, newest=newest)
        _emit_removed(tx, removed)
        _emit_left(tx, removed)
        _emit_hidden(tx, removed)
    return removed


def _emit_removed(tx: Tx, removed: list[Pair]) -> None:
    """Send removals to the users themselves; users who left the same channels share an event."""
    archived = _archived(removed)
    names = {row.id: row.name for _, row in removed}
    left: defaultdict[UserId, list[ChannelId]] = defaultdict(list)
    for person, row in removed:
        left[person.id].append(row.id)
    together: defaultdict[tuple[ChannelId, ...], list[UserId]] = defaultdict(list)
    for user_id, ids in left.items():
        together[tuple(ids)].append(user_id)
    for gone, people in together.items():
        objects = [{"stream_id": one, "name": names[one]} for one in gone]
        tx.emit(SubscriptionsRemoved(channels=objects, archived_ids=archived), to=people)


def _emit_left(tx: Tx, removed: list[Pair]) -> None:
    """Send removed subscribers to those who still may see the channel, those who left included."""
    archived = _archived(removed)
    news: defaultdict[tuple[frozenset[UserId], tuple[UserId, ...]], list[int]] = defaultdict(list)
    for row, people in _by_channel(removed):
        news[who_may_see(tx, row), tuple(sorted(person.id for person in people))].append(row.id)
    for (audience, who), ids in news.items():
        event = PeersRemoved(channel_ids=ids, user_ids=list(who), archived_ids=archived)
        if len(who) == 1:
            tx.emit(event, to=audience.difference(who))
        else:
            own = {user_id: user_id for user_id in who if user_id in audience}
            tx.emit(event, to=audience, personal=own)


def _emit_hidden(tx: Tx, removed: list[Pair]) -> None:
    """Send a deletion event to unsubscribed users who may not see the channel now."""
    for row, people in _by_channel(removed):
        hidden = frozenset(person.id for person in people) - who_may_see(tx, row)
        archived = [row.id] if row.is_archived else []
        tx.emit(ChannelsDeleted(channel_ids=[row.id], archived_ids=archived), to=hidden)


def set_property(
    tx: Tx, user: UserRow, channel: ChannelRow, name: str, value: bool | str | None
) -> None:
    """Change one setting of a subscription; `name` is a column, so a mute is `is_muted`."""
    subscriptions.set_property(tx, user.id, channel.id, name, value)
    if name == "is_muted":
        # Two events: some clients know only one of the two names.
        inverse = SubscriptionUpdated(
            channel_id=channel.id, property="in_home_view", value=not value
        )
        tx.emit(inverse, to=[user.id])
    default = defaults_of(user).get(name)
    tx.emit(
        SubscriptionUpdated(channel_id=channel.id, property=name, value=value, default=default),
        to=[user.id],
    )
