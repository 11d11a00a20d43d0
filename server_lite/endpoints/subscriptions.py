"""Subscribing, unsubscribing and subscription settings. Thin: rules are in `access`."""

import re
from collections import defaultdict
from typing import Annotated, Final, Literal, NotRequired, cast

from typing_extensions import TypedDict

from server_lite.access.channel_settings import checked_description, checked_name
from server_lite.access.channels import access_channel_by_id, may_see, visible_subscriptions
from server_lite.access.subscriptions import may_join
from server_lite.access.users import access_user, accessible_user_ids
from server_lite.actions import subscriptions as actions
from server_lite.api.answers import Done
from server_lite.api.decoding import BareOrJson, MaxItems
from server_lite.api.params import ParameterGroup
from server_lite.context import Context
from server_lite.dataclass import dataclass
from server_lite.endpoints.channel_parameters import ChannelParameters
from server_lite.endpoints.subscription_slices import (
    MOST,
    SubscribeJob,
    SubscribeProgress,
    UnsubscribeJob,
    UnsubscribeProgress,
    check_adding,
    check_removing,
)
from server_lite.errors import ApiError
from server_lite.ids import ChannelId, UserId
from server_lite.objects.subscriptions import SubscriptionObject, subscribed_objects
from server_lite.store import channels, subscriptions, users
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

COLOR: Final = re.compile(r"#(?:[0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})")
MAX_AT_ONCE: Final = 500
MAX_PAIRS: Final = 5000


@dataclass(frozen=True, slots=True)
class RequestedChannel:
    """A channel to subscribe to; a missing one is created with this description."""

    name: str
    description: str = ""
    color: str | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """A change of one subscription setting."""

    stream_id: ChannelId
    property: str
    value: bool | str | None


class Subscriptions(TypedDict):
    """Subscriptions ordered by channel name."""

    subscriptions: list[SubscriptionObject]


class Subscribed(TypedDict):
    """Channel names by user ID.

    `unauthorized` are channels that the user may not subscribe to, unless those are an error.
    """

    subscribed: dict[str, list[str]]
    already_subscribed: dict[str, list[str]]
    new_subscription_messages_sent: bool
    unauthorized: NotRequired[list[str]]


class Unsubscribed(TypedDict):
    """Channel names."""

    removed: list[str]
    not_removed: list[str]


class SubscriptionStatus(TypedDict):
    """Whether the user is subscribed."""

    is_subscribed: bool


class ChannelsOf(TypedDict):
    """Channel IDs, ascending."""

    subscribed_channel_ids: list[int]


Principals = list[UserId] | list[str]


def mine(
    db: Db, user: UserRow, *, include_subscribers: Literal["true", "false", "partial"] = "false"
) -> Subscriptions:
    """Get the user's subscriptions to active channels, ordered by name."""
    objects = subscribed_objects(db, user, include_subscribers=include_subscribers)
    return {"subscriptions": cast(list[SubscriptionObject], objects)}


async def subscribe(
    context: Context,
    user: UserRow,
    *,
    subscriptions: list[RequestedChannel],
    principals: Principals | None = None,
    authorization_errors_fatal: bool = True,
    announce: bool = False,
    send_new_subscription_messages: bool = True,
    options: Annotated[ChannelParameters, ParameterGroup()],
) -> Subscribed:
    """Subscribe the user, or others, to channels; missing channels are created."""
    if len(subscriptions) > MAX_AT_ONCE:
        raise ApiError(f"subscriptions is too long (limit: {MAX_AT_ONCE} channels)")
    plan: _Plan | None = None
    progress = SubscribeProgress()

    def step(tx: Tx) -> Subscribed | None:
        nonlocal plan
        if plan is None:
            people = _people(tx, user, principals)
            _check_pairs(len(people) * len(subscriptions))
            plan = _planned(
                tx,
                user,
                subscriptions,
                people,
                options,
                fatal=authorization_errors_fatal,
                announce=announce,
                tell=send_new_subscription_messages,
                progress=progress,
            )
            if len(people) * len(subscriptions) > MOST:  # checking them took as long as a slice
                return None
        return plan.outcome() if plan.joining(tx) else None

    answer = await context.write_in_slices(step, progress)
    if authorization_errors_fatal:
        answer.pop("unauthorized", None)
    return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """A validated request to subscribe."""

    people: list[UserRow]
    allowed: list[ChannelRow]
    unauthorized: list[str]
    joining: SubscribeJob
    progress: SubscribeProgress

    def outcome(self) -> Subscribed:
        """Return the answer, after all work is done."""
        new: defaultdict[UserId, set[ChannelId]] = defaultdict(set)
        for user_id, channel_id in self.progress.new:
            new[user_id].add(channel_id)
        subscribed: defaultdict[str, list[str]] = defaultdict(list)
        already: defaultdict[str, list[str]] = defaultdict(list)
        for person in self.people:
            for row in [*self.joining.created, *self.allowed]:
                kind = subscribed if row.id in new[person.id] else already
                kind[str(person.id)].append(row.name)
        return {
            "subscribed": subscribed,
            "already_subscribed": already,
            "new_subscription_messages_sent": self.joining.has_sent_messages,
            "unauthorized": self.unauthorized,
        }


def _planned(
    db: Db,
    user: UserRow,
    wanted_channels: list[RequestedChannel],
    people: list[UserRow],
    options: ChannelParameters,
    *,
    fatal: bool,
    announce: bool,
    tell: bool,
    progress: SubscribeProgress,
) -> _Plan:
    """Check the whole request, without changing anything yet."""
    there, missing = _sorted_out(db, wanted_channels)
    begun = progress.begun(there)
    existing = [row for row in there if row not in begun]
    allowed = [row for row in existing if may_join(db, user, row)]
    joinable = {row.id for row in allowed}
    refused = [_as_asked(row, wanted_channels) for row in existing if row.id not in joinable]
    if refused and fatal:
        raise ApiError(f"Unable to access channel ({refused[0]}).")
    check_adding(db, user, allowed, people)
    if missing:
        options.checked(db, user)
    keys = {channels.name_key(name): name for name in missing}
    keys_of_old = {channels.name_key(row.name): row.id for row in [*allowed, *begun]}
    colors: dict[int | str, str] = {}
    for want in wanted_channels:
        key = channels.name_key(want.name.strip())
        place = keys_of_old.get(key, keys.get(key))
        if want.color is not None and place is not None:
            colors[place] = want.color
    joining = SubscribeJob(
        db,
        user,
        people,
        existing=allowed,
        begun=begun,
        missing=[(name, checked_description(one.description)) for name, one in missing.items()],
        options=options,
        colors=colors,
        announce=announce,
        tell=tell,
        progress=progress,
    )
    return _Plan(
        people=people, allowed=allowed, unauthorized=refused, joining=joining, progress=progress
    )


def _as_asked(row: ChannelRow, wanted_channels: list[RequestedChannel]) -> str:
    """Return the channel's name as requested: its exact spelling is not revealed."""
    names = (checked_name(want.name) for want in wanted_channels)
    return next(name for name in names if channels.name_key(name) == channels.name_key(row.name))


def _people(db: Db, user: UserRow, principals: Principals | None) -> list[UserRow]:
    """Return the users to subscribe; by default the acting user."""
    if not principals:
        return [user]
    people: dict[UserId, UserRow] = {}
    visible_ids = accessible_user_ids(db, user)
    ids = [one for one in principals if isinstance(one, int)]
    known: dict[UserId | str, UserRow] = {row.id: row for row in users.by_ids(db, ids)}
    known.update(users.by_emails(db, [one for one in principals if isinstance(one, str)]))
    for principal in principals:
        person = known.get(principal)
        is_hidden = person is None or not (visible_ids is None or person.id in visible_ids)
        if person is None or not person.is_active or is_hidden:
            raise ApiError(f"User not authorized to execute queries on behalf of '{principal}'")
        people[person.id] = person
    return list(people.values())


def _check_pairs(count: int) -> None:
    if count > MAX_PAIRS:
        raise ApiError(f"Too many people and channels at once (limit: {MAX_PAIRS} pairs).")


def _sorted_out(
    db: Db, wanted_channels: list[RequestedChannel]
) -> tuple[list[ChannelRow], dict[str, RequestedChannel]]:
    """Return existing channels, and missing ones by their validated name; without duplicates."""
    existing: dict[int, ChannelRow] = {}
    missing: dict[str, RequestedChannel] = {}
    wanted: dict[str, tuple[str, RequestedChannel]] = {}
    for want in wanted_channels:
        name = checked_name(want.name)
        if want.color is not None and not COLOR.fullmatch(want.color):
            raise ApiError("color is not a valid hex color code")
        wanted.setdefault(channels.name_key(name), (name, want))
    known = channels.by_names(db, wanted)
    for key, (name, want) in wanted.items():
        channel = known.get(key)
        if channel is None:
            missing[name] = want
        else:
            existing[channel.id] = channel
    return list(existing.values()), missing


async def unsubscribe(
    context: Context,
    user: UserRow,
    *,
    subscriptions: list[str],
    principals: Principals | None = None,
) -> Unsubscribed:
    """Unsubscribe the user, or others, from channels. Nothing changes if any channel does not exist."""
    rows: dict[ChannelId, ChannelRow] = {}
    leaving: UnsubscribeJob | None = None
    progress = UnsubscribeProgress()

    def step(tx: Tx) -> Unsubscribed | None:
        nonlocal leaving
        if leaving is None:
            people = _people(tx, user, principals)
            _check_pairs(len(people) * len(subscriptions))
            rows.update(_visible(tx, user, subscriptions, progress))
            new = [row for row in rows.values() if row.id not in progress.allowed]
            check_removing(tx, user, new, people)
            progress.allowed = list(rows)
            leaving = UnsubscribeJob(tx, user, list(rows.values()), people, progress)
            if len(people) * len(subscriptions) > MOST:
                return None
        if not leaving(tx):
            return None
        return {
            "removed": [row.name for row in rows.values() if row.id in progress.left],
            "not_removed": [row.name for row in rows.values() if row.id not in progress.left],
        }

    return await context.write_in_slices(step, progress)


def _visible(
    db: Db, user: UserRow, names: list[str], progress: UnsubscribeProgress
) -> dict[ChannelId, ChannelRow]:
    """Return the channels by ID; raises ApiError that lists names invisible to the user.

    The user may have left some, and see them no more, when the request was cut short.
    """
    rows: dict[ChannelId, ChannelRow] = {}
    unknown: list[str] = []
    known = channels.by_names(db, [name.strip() for name in names])
    for name in dict.fromkeys(names):
        row = known.get(channels.name_key(name.strip()))
        if row is None or not (row.id in progress.allowed or may_see(db, user, row)):
            unknown.append(name)
        else:
            rows[row.id] = row
    if unknown:
        raise ApiError(f"Channel(s) ({', '.join(unknown)}) do not exist")
    return rows


def set_properties(
    tx: Tx, user: UserRow, *, subscription_data: Annotated[list[Setting], MaxItems(200)]
) -> Done:
    """Change subscription settings; either all or none."""
    for change in subscription_data:
        _set(tx, user, change)
    return {}


def set_property(
    tx: Tx,
    user: UserRow,
    channel_id: ChannelId,
    *,
    property: str,
    value: Annotated[bool | str | None, BareOrJson()],
) -> Done:
    """Change one setting of one subscription."""
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
    """Get whether a user is subscribed to a channel."""
    person = access_user(db, user, user_id)
    channel = access_channel_by_id(db, user, channel_id)
    return {"is_subscribed": subscriptions.is_subscribed(db, person.id, channel.id)}


def channels_of(db: Db, user: UserRow, user_id: UserId) -> ChannelsOf:
    """Get the channels a user is subscribed to, among those visible to the requesting user."""
    person = access_user(db, user, user_id)
    return {"subscribed_channel_ids": visible_subscriptions(db, user, person.id)}
