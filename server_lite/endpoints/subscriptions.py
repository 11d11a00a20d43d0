"""Joining and leaving channels, and one's settings of them. Thin: rules are in `access`."""

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Annotated, Final, Literal, NotRequired

from typing_extensions import TypedDict

from server_lite.access.channel_settings import checked_description, checked_name
from server_lite.access.channels import access_channel_by_id, may_see, visible_channels_sql
from server_lite.access.subscriptions import may_add_others, may_join, may_remove
from server_lite.access.users import access_user, may_know
from server_lite.actions import channel_notices as notices
from server_lite.actions import subscriptions as actions
from server_lite.actions.channels import create_channel
from server_lite.answers import Done
from server_lite.decoding import Loose, MaxItems
from server_lite.endpoints.channel_parameters import ChannelParameters
from server_lite.errors import ApiError
from server_lite.objects.subscriptions import SubscriptionObject, subscribed_objects
from server_lite.params import ChannelId, Spread, UserId
from server_lite.store import channels, subscriptions, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

COLOR: Final = re.compile(r"#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})")
MAX_AT_ONCE: Final = 500
MAX_PAIRS: Final = 5000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A channel to subscribe to; one that does not exist yet is made with this description."""

    name: str
    description: str = ""
    color: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A personal setting of a channel to change."""

    stream_id: ChannelId
    property: str
    value: bool | str | None


class Subscriptions(TypedDict):
    """By name."""

    subscriptions: list[SubscriptionObject]


class Subscribed(TypedDict):
    """Names of channels by the id of each person.

    `unauthorized` are those that the caller may not join, told where that is no error.
    """

    subscribed: dict[str, list[str]]
    already_subscribed: dict[str, list[str]]
    new_subscription_messages_sent: bool
    unauthorized: NotRequired[list[str]]


class Unsubscribed(TypedDict):
    """Names of channels."""

    removed: list[str]
    not_removed: list[str]


class SubscriptionStatus(TypedDict):
    """Whether they are in it."""

    is_subscribed: bool


class ChannelsOf(TypedDict):
    """Ids, ascending."""

    subscribed_channel_ids: list[int]


Principals = list[int] | list[str]


def mine(
    db: Db, user: UserRow, *, include_subscribers: Literal["true", "false", "partial"] = "false"
) -> Subscriptions:
    """The caller's channels that are not archived, by name."""
    found = subscribed_objects(db, user, include_subscribers=include_subscribers)
    return {"subscriptions": found}


def subscribe(
    tx: Tx,
    user: UserRow,
    *,
    subscriptions: list[Wanted],
    principals: Principals | None = None,
    authorization_errors_fatal: bool = True,
    announce: bool = False,
    send_new_subscription_messages: bool = True,
    options: Annotated[ChannelParameters, Spread()],
) -> Subscribed:
    """Subscribe the caller, or others, making the channels that do not exist."""
    if len(subscriptions) > MAX_AT_ONCE:
        raise ApiError(f"subscriptions is too long (limit: {MAX_AT_ONCE} channels)")
    people = _people(tx, user, principals)
    _check_pairs(len(people) * len(subscriptions))
    existing, missing = _sorted_out(tx, subscriptions)
    allowed = [row for row in existing if may_join(tx, user, row)]
    refused = [row for row in existing if row not in allowed]
    if refused and authorization_errors_fatal:
        raise ApiError(f"Unable to access channel ({_as_asked(refused[0], subscriptions)}).")
    if any(person.id != user.id for person in people) and not all(
        may_add_others(tx, user, row) for row in allowed
    ):
        raise ApiError("Insufficient permission")
    made = _create(tx, user, missing, options)
    rows = [*made, *allowed]
    colors = {
        row.id: want.color
        for want in subscriptions
        if want.color is not None
        for row in rows
        if channels.name_key(row.name) == channels.name_key(want.name.strip())
    }
    new = actions.subscribe(tx, rows, people, colors=colors)
    said_there = notices.tell_created(tx, user, made)
    if announce:
        notices.announce(tx, user, made)
    unknown = [pair for pair in new if pair[1].id not in said_there]
    told = send_new_subscription_messages and notices.tell_added(tx, user, unknown)
    answer = _outcome(people, rows, new, told=told)
    if not authorization_errors_fatal:
        answer["unauthorized"] = [_as_asked(row, subscriptions) for row in refused]
    return answer


def _as_asked(row: ChannelRow, wanted: list[Wanted]) -> str:
    """The channel's name as the caller wrote it: how it is really spelt is not theirs to know."""
    names = (checked_name(want.name) for want in wanted)
    return next(name for name in names if channels.name_key(name) == channels.name_key(row.name))


def _outcome(
    people: list[UserRow], rows: list[ChannelRow], new: list[actions.Pair], *, told: bool
) -> Subscribed:
    pairs = {(person.id, row.id) for person, row in new}
    subscribed: defaultdict[str, list[str]] = defaultdict(list)
    already: defaultdict[str, list[str]] = defaultdict(list)
    for person in people:
        for row in rows:
            kind = subscribed if (person.id, row.id) in pairs else already
            kind[str(person.id)].append(row.name)
    return {
        "subscribed": subscribed,
        "already_subscribed": already,
        "new_subscription_messages_sent": told,
    }


def _people(db: Db, user: UserRow, principals: Principals | None) -> list[UserRow]:
    """Those to subscribe; nobody named is the caller."""
    if not principals:
        return [user]
    people: dict[int, UserRow] = {}
    once: list[int | str] = list(dict.fromkeys(principals))
    for principal in once:
        person = (
            users.by_id(db, principal)
            if isinstance(principal, int)
            else users.by_email(db, principal)
        )
        if person is None or not person.is_active or not may_know(db, user, person):
            raise ApiError(f"User not authorized to execute queries on behalf of '{principal}'")
        people[person.id] = person
    return list(people.values())


def _check_pairs(count: int) -> None:
    if count > MAX_PAIRS:
        raise ApiError(f"Too many people and channels at once (limit: {MAX_PAIRS} pairs).")


def _sorted_out(db: Db, wanted: list[Wanted]) -> tuple[list[ChannelRow], dict[str, Wanted]]:
    """Channels that exist, and those to make by their checked name; each once."""
    existing: dict[int, ChannelRow] = {}
    missing: dict[str, Wanted] = {}
    known: set[str] = set()
    for want in wanted:
        name = checked_name(want.name)
        if want.color is not None and not COLOR.fullmatch(want.color):
            raise ApiError("color is not a valid hex color code")
        found = channels.by_name(db, name)
        if found is not None:
            existing[found.id] = found
        elif channels.name_key(name) not in known:
            known.add(channels.name_key(name))
            missing[name] = want
    return list(existing.values()), missing


def _create(
    tx: Tx, user: UserRow, missing: dict[str, Wanted], options: ChannelParameters
) -> list[ChannelRow]:
    if not missing:
        return []
    checked = options.checked(tx, user)
    return [
        create_channel(
            tx,
            user,
            name=name,
            description=checked_description(want.description),
            options=checked,
        )
        for name, want in missing.items()
    ]


def unsubscribe(
    tx: Tx, user: UserRow, *, subscriptions: list[str], principals: Principals | None = None
) -> Unsubscribed:
    """Leave channels, or take others out of them. Nothing changes if one does not exist."""
    people = _people(tx, user, principals)
    _check_pairs(len(people) * len(subscriptions))
    rows: dict[int, ChannelRow] = {}
    unknown: list[str] = []
    for name in dict.fromkeys(subscriptions):
        row = channels.by_name(tx, name.strip())
        if row is None or not may_see(tx, user, row):
            unknown.append(name)
        else:
            rows[row.id] = row
    if unknown:
        raise ApiError(f"Channel(s) ({', '.join(unknown)}) do not exist")
    for row in rows.values():
        for person in people:
            if not may_remove(tx, user, row, person):
                raise ApiError("Insufficient permission")
    gone = {row.id for _, row in actions.unsubscribe(tx, list(rows.values()), people)}
    return {
        "removed": [row.name for row in rows.values() if row.id in gone],
        "not_removed": [row.name for row in rows.values() if row.id not in gone],
    }


def set_properties(
    tx: Tx, user: UserRow, *, subscription_data: Annotated[list[Setting], MaxItems(200)]
) -> Done:
    """Change the caller's settings of channels; all of them, or none."""
    for change in subscription_data:
        _set(tx, user, change)
    return {}


def set_property(
    tx: Tx,
    user: UserRow,
    channel_id: ChannelId,
    *,
    property: str,
    value: Annotated[bool | str | None, Loose()],
) -> Done:
    """The same for one channel and one setting."""
    _set(tx, user, Setting(channel_id, property, value))
    return {}


def _set(tx: Tx, user: UserRow, change: Setting) -> None:
    name, value = change.property, change.value
    if name == "in_home_view":
        name, value = "is_muted", (not value if isinstance(value, bool) else value)
    if name not in subscriptions.PROPERTIES:
        raise ApiError(f"Unknown subscription property: {change.property}")
    channel = access_channel_by_id(tx, user, change.stream_id)
    if not subscriptions.is_subscribed(tx, user.id, channel.id):
        raise ApiError(f"Not subscribed to channel id {channel.id}")
    if name == "color":
        if not isinstance(value, str):
            raise ApiError("color is not a string")
        if not COLOR.fullmatch(value):
            raise ApiError("color is not a valid hex color code")
    elif not isinstance(value, bool) and not (
        value is None and name not in ("is_muted", "pin_to_top")
    ):
        raise ApiError(f"{change.property} is not a boolean")
    actions.set_property(tx, user, channel, name, value)


def status(db: Db, user: UserRow, user_id: UserId, channel_id: ChannelId) -> SubscriptionStatus:
    """Whether somebody is in a channel that the caller may know of."""
    person = access_user(db, user, user_id)
    channel = access_channel_by_id(db, user, channel_id)
    return {"is_subscribed": subscriptions.is_subscribed(db, person.id, channel.id)}


def channels_of(db: Db, user: UserRow, user_id: UserId) -> ChannelsOf:
    """The channels somebody is in, as far as the caller may know of them."""
    person = access_user(db, user, user_id)
    condition, values = visible_channels_sql(db, user)
    return {
        "subscribed_channel_ids": db.column(
            "SELECT channel.id FROM channel JOIN subscription ON channel_id = channel.id"
            f" WHERE user_id = ? AND active AND NOT is_archived AND {condition}"
            " ORDER BY channel.id",
            person.id,
            *values,
        )
    }
