"""Making, changing and archiving channels. Asks no permission: callers did."""

from collections.abc import Mapping
from dataclasses import field
from typing import Final

from server_lite.access.channel_audience import members, who_may_see
from server_lite.access.mentions import Names
from server_lite.access.messages import visible_among
from server_lite.actions.channel_visibility import emit_gained_channels
from server_lite.actions.flags import set_flag
from server_lite.dataclass import dataclass
from server_lite.events.channels import (
    ChannelArchived,
    ChannelsCreated,
    ChannelsDeleted,
    ChannelUpdated,
    DefaultChannelsChanged,
    OwnSettings,
)
from server_lite.ids import ChannelId, UserId
from server_lite.markup.render import render
from server_lite.objects.channels import channel_objects, post_policy
from server_lite.objects.subscriptions import defaults_of, settings_object
from server_lite.store import channels, flags, subscriptions, users
from server_lite.store.channels import DEFAULTS, ChannelRow, GroupSetting
from server_lite.store.database import Tx
from server_lite.store.users import UserRow

ADMINS_POST: Final = 2
"""The deprecated number for channels in which only administrators write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewChannel:
    """What a channel is to be when it is made."""

    invite_only: bool = False
    is_web_public: bool = False
    history_public_to_subscribers: bool | None = None
    """None: as usual for its kind. Public channels have a public history whatever this says."""
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
    """A new channel without subscribers, told to everybody who may know of it.

    The name was checked before; one in use breaks the table's index. Who makes a channel may
    administer it, unless the options say otherwise.
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
    """The HTML of a description; mentions in it notify nobody."""
    if not description:
        return ""
    author = author or users.by_id(tx, users.NOTIFICATION_BOT)
    assert author is not None
    return render(description, Names(tx, author)).html


def set_default(tx: Tx, channel: ChannelRow, is_default: bool) -> None:
    """Whether new people are subscribed to the channel."""
    if channel.is_default != is_default:
        channels.set_value(tx, channel.id, "is_default", is_default)
        emit_default_channels(tx)


def emit_default_channels(tx: Tx) -> None:
    """Tell everybody but guests, who see no default channels, which ones are the default."""
    ids = [row.id for row in channels.where(tx, DEFAULTS)]
    tx.emit(DefaultChannelsChanged(channel_ids=ids), to=members(tx))


def rename(tx: Tx, channel: ChannelRow, name: str) -> None:
    """Another name; it was checked before."""
    channels.rename(tx, channel.id, name)
    _tell_updated(tx, channel, "name", name)


def describe(tx: Tx, author: UserRow, channel: ChannelRow, description: str) -> None:
    """Another description."""
    if description == channel.description:
        return
    rendered = render_description(tx, author, description)
    channels.describe(tx, channel.id, description, rendered)
    _tell_updated(tx, channel, "description", description, rendered_description=rendered)


def set_value(tx: Tx, channel: ChannelRow, name: str, value: str | int | None) -> None:
    """Change one of the settings that stand alone: retention, folder, policy of topics."""
    if getattr(channel, name) != value:
        channels.set_value(tx, channel.id, name, value)
        _tell_updated(tx, channel, name, value)


def set_privacy(
    tx: Tx, channel: ChannelRow, *, invite_only: bool, is_web_public: bool, history_public: bool
) -> None:
    """Who may read the channel: some lose sight of it, some gain it, the others hear what changed."""
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
    if not history_public and not is_web_public:
        _read_what_is_hidden(tx, channel)


def _read_what_is_hidden(tx: Tx, channel: ChannelRow) -> None:
    """What a history that is protected now hides from people inside is not unread to them."""
    for user_id, unread in flags.unread_before_joining(tx, channel.id).items():
        user = users.by_id(tx, user_id)
        assert user is not None
        hidden = set(unread).difference(visible_among(tx, user, unread))
        if hidden:
            set_flag(tx, user, flags.READ, hidden)


def set_permissions(tx: Tx, channel: ChannelRow, values: Mapping[str, GroupSetting]) -> None:
    """Who holds which permission; some of them let people see a private channel."""
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
    """After a change: tell who lost and who gained sight of the channel; returns who kept it."""
    after = channels.by_id(tx, channel.id)
    assert after is not None
    now = who_may_see(tx, after)
    archived = [channel.id] if channel.is_archived else []
    gone = ChannelsDeleted(channel_ids=[channel.id], archived_ids=archived)
    tx.emit(gone, to=before - now)
    emit_gained_channels(tx, [after], now - before)
    return before & now


def _tell_updated(
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
    """Nobody can write to it from now on; who could read it still can."""
    channels.set_value(tx, channel.id, "is_archived", True)
    _tell_archived(tx, channel.id)


def unarchive(tx: Tx, channel: ChannelRow) -> None:
    """Bring a channel back, with the people who were in it."""
    channels.set_value(tx, channel.id, "is_archived", False)
    _tell_archived(tx, channel.id)


def _tell_archived(tx: Tx, channel_id: ChannelId) -> None:
    channel = channels.by_id(tx, channel_id)
    assert channel is not None
    (one,) = channel_objects(tx, [channel])
    rows = subscriptions.of_channel(tx, channel_id)
    people = {person.id: person for person in users.everyone(tx)}
    personal: dict[UserId, OwnSettings] = {}
    if not channel.is_archived:  # else a channel only goes
        personal = {
            row.user_id: {
                "defaults": defaults_of(people[row.user_id]),
                "settings": [settings_object(row)],
            }
            for row in rows
        }
    event = ChannelArchived(
        channel={**one, "subscribers": [row.user_id for row in rows]},
        is_archived=channel.is_archived,
    )
    tx.emit(event, to=who_may_see(tx, channel), personal=personal)
    if channel.is_default:
        emit_default_channels(tx)
