"""Creates, changes and archives channels. Checks no permissions: callers did."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Final, NamedTuple

from server_lite.access.channel_audience import members, who_may_see
from server_lite.access.mentions import Names
from server_lite.actions.channel_visibility import emit_gained_channels
from server_lite.dataclass import dataclass
from server_lite.events.base import Object
from server_lite.events.channels import (
    ChannelArchived,
    ChannelsCreated,
    ChannelsDeleted,
    ChannelUpdated,
    DefaultChannelsChanged,
    OwnSettings,
)
from server_lite.events.messages import FlagAdded
from server_lite.ids import ChannelId, UserId
from server_lite.markup.render import render
from server_lite.objects.channels import channel_objects, post_policy
from server_lite.objects.subscriptions import DEFAULT_SETTINGS, defaults_of, settings_object
from server_lite.store import channels, flags, subscriptions, unread_messages, users
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.personal_settings import users_alike
from server_lite.store.users import UserRow

ADMINS_POST: Final = 2
"""The deprecated number for channels in which only administrators may post."""
SUBSCRIBERS: Final = 20
"""Subscribers whose hidden messages one transaction marks as read."""
UNREAD: Final = 500
"""Unread messages of one of them that it examines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChannel:
    """The options of a channel to be created."""

    invite_only: bool = False
    is_web_public: bool = False
    history_public_to_subscribers: bool | None = None
    """None: the default for its privacy. Public channels always have public history."""
    is_default: bool = False
    message_retention_days: int | None = None
    topics_policy: str = "inherit"
    folder_id: int | None = None
    group_settings: Mapping[str, GroupSetting] = field(default_factory=dict)


def create_channel(
    tx: Tx,
    creator: UserRow | None,
    *,
    name: str,
    description: str = "",
    options: NewChannel | None = None,
) -> ChannelRow:
    """Create a channel without subscribers; the event goes to all who may see it.

    The name was validated before; a duplicate violates the table's index. The creator gets permission
    to administer the channel, unless the options say otherwise.
    """
    options = options or NewChannel()
    settings = dict(options.group_settings)
    if creator is not None:
        settings.setdefault(
            "can_administer_channel_group",
            {"direct_members": [creator.id], "direct_subgroups": []},
        )
    history_public = options.history_public_to_subscribers or not options.invite_only
    channel_id = channels.insert(
        tx,
        name=name,
        description=description,
        rendered_description=render_description(tx, creator, description),
        creator_id=None if creator is None else creator.id,
        now=tx.now,
        invite_only=options.invite_only,
        is_web_public=options.is_web_public,
        history_public_to_subscribers=history_public,
        is_default=options.is_default,
        message_retention_days=options.message_retention_days,
        topics_policy=options.topics_policy,
        folder_id=options.folder_id,
        group_settings=settings,
    )
    channel = channels.by_id(tx, channel_id)
    assert channel is not None
    objects = channel_objects(tx, [channel])
    tx.emit(ChannelsCreated(channels=objects), to=who_may_see(tx, channel))
    if options.is_default:
        emit_default_channels(tx)
    return channel


def render_description(tx: Tx, author: UserRow | None, description: str) -> str:
    """Return a description's HTML; mentions in it notify nobody."""
    if not description:
        return ""
    author = author or users.by_id(tx, users.NOTIFICATION_BOT)
    assert author is not None
    return render(description, Names(tx, author)).html


def set_default(tx: Tx, channel: ChannelRow, is_default: bool) -> None:
    """Set whether new users are subscribed to the channel."""
    if channel.is_default != is_default:
        channels.set_value(tx, channel.id, "is_default", is_default)
        emit_default_channels(tx)


def emit_default_channels(tx: Tx) -> None:
    """Send the default channels to all users but guests, who see none."""
    ids = [row.id for row in channels.defaults(tx)]
    tx.emit(DefaultChannelsChanged(channel_ids=ids), to=members(tx))


def rename(tx: Tx, channel: ChannelRow, name: str) -> None:
    """Rename the channel; the name was validated before."""
    channels.rename(tx, channel.id, name)
    _emit_updated(tx, channel, "name", name)


def describe(tx: Tx, author: UserRow, channel: ChannelRow, description: str) -> None:
    """Change the channel's description."""
    if description == channel.description:
        return
    rendered = render_description(tx, author, description)
    channels.describe(tx, channel.id, description, rendered)
    _emit_updated(tx, channel, "description", description, rendered_description=rendered)


def set_value(tx: Tx, channel: ChannelRow, name: str, value: str | int | None) -> None:
    """Change a setting without side effects on others: retention, folder, policy of topics."""
    if getattr(channel, name) != value:
        channels.set_value(tx, channel.id, name, value)
        _emit_updated(tx, channel, name, value)


def set_privacy(
    tx: Tx, channel: ChannelRow, *, invite_only: bool, is_web_public: bool, history_public: bool
) -> None:
    """Change who may read the channel; sends events to users who lost, gained and kept access."""
    before = who_may_see(tx, channel)
    channels.set_privacy(
        tx,
        channel.id,
        invite_only=invite_only,
        is_web_public=is_web_public,
        history_public=history_public,
    )
    kept = _emit_visibility(tx, channel, before)
    event = ChannelUpdated(
        channel_id=channel.id,
        name=channel.name,
        property="invite_only",
        value=invite_only,
        extra={"history_public_to_subscribers": history_public, "is_web_public": is_web_public},
        is_archived=channel.is_archived,
    )
    tx.emit(event, to=kept)


class HiddenPlace(NamedTuple):
    """Where `read_hidden` goes on: a user, and a message up to which theirs were examined."""

    user_id: int = 0
    message_id: int = 0


def read_hidden(tx: Tx, channel_id: ChannelId, place: HiddenPlace) -> HiddenPlace | None:
    """Mark as read what a protected history hides, for some subscribers; returns where to go on, None at the end."""
    user_ids = subscriptions.late_subscribers(tx, channel_id, place.user_id, SUBSCRIBERS)
    people_by_ids: defaultdict[tuple[int, ...], list[UserId]] = defaultdict(list)
    following = None
    if len(user_ids) == SUBSCRIBERS:
        following = HiddenPlace(user_ids[-1] + 1)
    for user_id in user_ids:
        above = place.message_id if user_id == place.user_id else 0
        ids, last = unread_messages.next_where(
            tx, user_id, "channel_id = ?", channel_id, above=above, limit=UNREAD
        )
        periods = subscriptions.periods(tx, user_id, channel_id)
        hidden = tuple(one for one in ids if not _is_within(one, periods))
        if hidden:
            people_by_ids[hidden].append(user_id)
        if last is not None:  # a user with many unread messages
            following = HiddenPlace(user_id, last)
            break
    for read_ids, people in people_by_ids.items():
        for user_id in people:
            unread_messages.remove(tx, [user_id], read_ids)
        tx.emit(FlagAdded(flag=flags.READ, message_ids=list(read_ids)), to=people)
    return following


def _is_within(message_id: int, periods: Sequence[tuple[int, int | None]]) -> bool:
    return any(
        after < message_id and (until is None or message_id <= until) for after, until in periods
    )


def set_permissions(tx: Tx, channel: ChannelRow, values: Mapping[str, GroupSetting]) -> None:
    """Change the holders of permissions; some permissions make a private channel visible."""
    before = who_may_see(tx, channel)
    was = post_policy(channel)
    channels.set_group_settings(tx, channel.id, {**channel.group_settings, **values})
    kept = _emit_visibility(tx, channel, before)
    payload: dict[str, object] = dict(values)
    after = channels.by_id(tx, channel.id)
    assert after is not None
    policy = post_policy(after)
    if policy != was:
        payload |= {"stream_post_policy": policy, "is_announcement_only": policy == ADMINS_POST}
    for name, value in payload.items():
        event = ChannelUpdated(
            channel_id=channel.id,
            name=channel.name,
            property=name,
            value=value,
            extra={},
            is_archived=channel.is_archived,
        )
        tx.emit(event, to=kept)


def _emit_visibility(tx: Tx, channel: ChannelRow, before: frozenset[UserId]) -> frozenset[UserId]:
    """After a change, send events to users who lost or gained sight of the channel; returns the others."""
    after = channels.by_id(tx, channel.id)
    assert after is not None
    now = who_may_see(tx, after)
    archived = [channel.id] if channel.is_archived else []
    gone = ChannelsDeleted(channel_ids=[channel.id], archived_ids=archived)
    tx.emit(gone, to=before - now)
    emit_gained_channels(tx, [after], now - before)
    return before & now


def _emit_updated(
    tx: Tx, channel: ChannelRow, name: str, value: str | int | None, **extra: object
) -> None:
    event = ChannelUpdated(
        channel_id=channel.id,
        name=channel.name,
        property=name,
        value=value,
        extra=extra,
        is_archived=channel.is_archived,
    )
    tx.emit(event, to=who_may_see(tx, channel))


def archive(tx: Tx, channel: ChannelRow) -> None:
    """Archive the channel: it takes no more messages, its readers keep access."""
    channels.set_value(tx, channel.id, "is_archived", True)
    _emit_archived(tx, channel.id)


def unarchive(tx: Tx, channel: ChannelRow) -> None:
    """Unarchive the channel, with its subscribers."""
    channels.set_value(tx, channel.id, "is_archived", False)
    _emit_archived(tx, channel.id)


def own_settings(db: Db, channel_id: ChannelId) -> Mapping[UserId, OwnSettings]:
    """Return the own settings of all subscribers.

    Of thousands it takes long: callers of `unarchive` have it cached by a read before.
    """
    return db.cached(_own_settings, channel_id)


def _own_settings(db: Db, channel_id: ChannelId) -> dict[UserId, OwnSettings]:
    """Return the own settings of all subscribers: made once for all who have the same."""
    default_names = DEFAULT_SETTINGS.values()
    subscribed = subscriptions.subscriber_ids(db, channel_id)
    defaults: dict[UserId, Object] = {}
    for alike in users_alike(db, subscribed, default_names):
        user = users.by_id(db, alike[0])
        assert user is not None
        defaults.update(dict.fromkeys(alike, defaults_of(user)))
    return {
        user_id: {"defaults": defaults[user_id], "settings": settings}
        for row, user_ids in subscriptions.of_channel_alike(db, channel_id)
        for settings in ([settings_object(row)],)
        for user_id in user_ids
    }


def _emit_archived(tx: Tx, channel_id: ChannelId) -> None:
    channel = channels.by_id(tx, channel_id)
    assert channel is not None
    (one,) = channel_objects(tx, [channel])
    personal: Mapping[UserId, OwnSettings] = {}
    if not channel.is_archived:  # an archived channel only leaves the lists
        personal = own_settings(tx, channel_id)
    event = ChannelArchived(
        channel={**one, "subscribers": list(subscriptions.subscriber_ids(tx, channel_id))},
        is_archived=channel.is_archived,
    )
    tx.emit(event, to=who_may_see(tx, channel), personal=personal)
    if channel.is_default:
        emit_default_channels(tx)
