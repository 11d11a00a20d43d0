"""Channels: list, create, archive; subscribers and email addresses. Thin: rules are in `access`."""

from collections.abc import Sequence
from typing import Annotated

from typing_extensions import TypedDict

from server_lite.access.anonymous import reader
from server_lite.access.channel_email import address_of
from server_lite.access.channel_settings import (
    access_channel_to_administer,
    checked_description,
    checked_name,
)
from server_lite.access.channels import (
    access_channel_by_id,
    access_channel_by_name,
    check_posting,
    visible_channels_sql,
)
from server_lite.access.users import access_user
from server_lite.actions.channels import archive
from server_lite.api.answers import Done
from server_lite.api.params import ParameterGroup
from server_lite.context import Context
from server_lite.endpoints.channel_parameters import ChannelParameters
from server_lite.endpoints.subscription_slices import SubscribeJob, SubscribeProgress
from server_lite.errors import ApiError, ChannelExists
from server_lite.ids import ChannelId, UserId
from server_lite.objects.channels import ChannelObject, channel_objects
from server_lite.objects.subscriptions import by_name
from server_lite.store import channels, realm, subscriptions, users
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import NOTIFICATION_BOT, UserRow


class Channels(TypedDict):
    """Channels ordered by name."""

    streams: list[ChannelObject]


class OneChannel(TypedDict):
    """A single channel."""

    stream: ChannelObject


class ChannelNumber(TypedDict):
    """ID of a channel."""

    stream_id: int


class Subscribers(TypedDict):
    """IDs of the channel's subscribers."""

    subscribers: list[UserId]


class EmailAddress(TypedDict):
    """Email address of the channel."""

    email: str


class Created(TypedDict):
    """ID of the created channel."""

    id: int


def listing(
    db: Db,
    user: UserRow | None,
    *,
    include_public: bool = True,
    include_web_public: bool = False,
    include_subscribed: bool = True,
    exclude_archived: bool = True,
    include_all_active: bool = False,
    include_all: bool = False,
    include_default: bool = False,
    include_owner_subscribed: bool = False,
    include_can_access_content: bool = False,
) -> Channels:
    """Get channels of the requested kinds that are visible to the user, ordered by name."""
    user = reader(db, user)
    if include_all_active and not user.is_admin:
        raise ApiError("User not authorized for this query")
    visible, values = visible_channels_sql(db, user)
    kinds = ["0"]
    if include_all or include_all_active:
        kinds.append("1")
    if include_public and not user.is_guest:
        kinds.append("NOT channel.invite_only")
    if include_web_public:
        kinds.append("channel.is_web_public")
    for wanted, subscriber in (
        (include_subscribed, user.id),
        (include_owner_subscribed, user.bot_owner_id or user.id),
    ):
        if wanted:
            kinds.append(channels.HAS_SUBSCRIBER)
            values = [*values, subscriber]
    if include_can_access_content:
        readable, more = visible_channels_sql(db, user, wants="content")
        kinds.append(readable)
        values = [*values, *more]
    archived = " AND NOT channel.is_archived" if exclude_archived else ""
    rows = channels.where(db, f"{visible} AND ({' OR '.join(kinds)}){archived}", *values)
    objects = channel_objects(db, rows)
    if include_default:
        defaults = {row.id for row in rows if row.is_default}
        objects = [{**one, "is_default": one["stream_id"] in defaults} for one in objects]
    return {"streams": by_name(objects)}


def one(db: Db, user: UserRow | None, channel_id: ChannelId) -> OneChannel:
    """Get a channel, archived or not."""
    channel = access_channel_by_id(db, reader(db, user), channel_id)
    return {"stream": channel_objects(db, [channel])[0]}


def id_of(db: Db, user: UserRow, *, stream: str) -> ChannelNumber:
    """Get the ID of the channel with this name."""
    return {"stream_id": access_channel_by_name(db, user, stream.strip()).id}


def members(db: Db, user: UserRow, channel_id: ChannelId) -> Subscribers:
    """Get the IDs of a channel's subscribers."""
    channel = access_channel_by_id(db, user, channel_id)
    return {"subscribers": [*subscriptions.subscriber_ids(db, channel.id)]}


async def email_address(
    context: Context, user: UserRow, channel_id: ChannelId, *, sender_id: UserId | None = None
) -> EmailAddress:
    """Get the channel's email address; mail arrives only if a mail server forwards it to this server."""
    secret = context.file_secret()

    def read(db: Db) -> str:
        channel = access_channel_by_id(db, user, channel_id, wants="content")
        check_posting(db, user, channel)
        if sender_id is not None:
            sender = access_user(db, user, sender_id)
            if sender.id != user.id and sender.bot_owner_id != user.id:
                raise ApiError("Invalid sender ID")
        posts = NOTIFICATION_BOT if sender_id is None else sender_id
        domain = context.settings.mail_domain or realm.domain(db)
        return address_of(secret, channel, user, posts, domain)

    return {"email": context.read(read)}


async def create(
    context: Context,
    user: UserRow,
    *,
    name: str,
    description: str = "",
    subscribers: list[UserId],
    announce: bool = False,
    send_new_subscription_messages: bool = True,
    options: Annotated[ChannelParameters, ParameterGroup()],
) -> Created:
    """Create a channel with these subscribers."""
    joining: SubscribeJob | None = None
    progress = SubscribeProgress()

    def step(tx: Tx) -> Created | None:
        nonlocal joining
        if joining is None:
            there = channels.by_name(tx, checked_name(name))
            begun = [] if there is None else progress.begun([there])
            # Before the subscribers: who may not create channels learns nothing about others.
            missing = [] if begun else [_new_channel(tx, user, name, description, options)]
            joining = SubscribeJob(
                tx,
                user,
                _newcomers(tx, subscribers),
                begun=begun,
                missing=missing,
                options=options,
                announce=announce,
                tell=send_new_subscription_messages,
                progress=progress,
            )
        return {"id": joining.created[0].id} if joining(tx) else None

    return await context.write_in_slices(step, progress)


def _new_channel(
    db: Db, user: UserRow, name: str, description: str, options: ChannelParameters
) -> tuple[str, str]:
    name = checked_name(name)
    options.checked(db, user)
    if channels.by_name(db, name) is not None:
        raise ChannelExists(name)
    return name, checked_description(description)


def _newcomers(db: Db, ids: Sequence[UserId]) -> list[UserRow]:
    people = []
    for user_id in dict.fromkeys(ids):
        person = users.by_id(db, user_id)
        if person is None or not person.is_active:
            raise ApiError(f"Invalid user ID: {user_id}")
        people.append(person)
    return people


def delete(tx: Tx, user: UserRow, channel_id: ChannelId) -> Done:
    """Archive a channel: it stays readable and can be unarchived, but takes no messages."""
    channel = access_channel_to_administer(tx, user, channel_id)
    if channel.is_archived:
        raise ApiError("Channel is already deactivated")
    archive(tx, channel)
    return {}
