"""Updating a channel. Thin: `access` decides what is allowed, `actions` does it."""

from contextlib import suppress
from dataclasses import field, replace
from typing import Annotated

from server_lite.access.channel_settings import (
    TopicsPolicy,
    access_channel_to_administer,
    check_may_create,
    check_may_set,
    check_privacy,
    check_topics_policy,
    checked_description,
    checked_folder,
    checked_name,
    checked_retention,
    may_administer,
)
from server_lite.access.channels import (
    CONTENT_PERMISSIONS,
    may_read,
    may_see,
    reads_whole_history,
)
from server_lite.actions import channels as actions
from server_lite.actions.channel_notification_messages import announce_changes
from server_lite.api.answers import Done
from server_lite.api.decoding import UNSET, BareOrJson
from server_lite.api.idempotency import Progress
from server_lite.api.params import ParameterGroup
from server_lite.context import Context
from server_lite.dataclass import dataclass
from server_lite.endpoints.channel_parameters import PermissionChanges
from server_lite.errors import ApiError, Insufficient
from server_lite.ids import ChannelId
from server_lite.store import channels
from server_lite.store.channel_permissions import values_of
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Privacy:
    """Parameters for privacy; those not sent stay unchanged."""

    is_private: bool | None = None
    is_web_public: bool | None = None
    history_public_to_subscribers: bool | None = None
    is_default_stream: bool | None = None


@dataclass(slots=True)
class _UpdateProgress(Progress):
    """The channel as it was changed, and then the `HiddenPlace` where marking as read goes on."""

    changed: str = ""
    administers: bool = False
    """Whether the user could still administer the channel then; `reads`: and read it. Otherwise they gave that away."""
    reads: bool = False
    place: list[int] = field(default_factory=list)


async def update(
    context: Context,
    user: UserRow,
    channel_id: ChannelId,
    *,
    new_name: str | None = None,
    description: str | None = None,
    is_archived: bool | None = None,
    message_retention_days: Annotated[int | str | None, BareOrJson()] = UNSET,
    folder_id: int | None = UNSET,
    topics_policy: TopicsPolicy | None = None,
    privacy: Annotated[Privacy, ParameterGroup()],
    permissions: Annotated[PermissionChanges, ParameterGroup()],
) -> Done:
    """Update a channel; either all given values change or none.

    What a newly protected history hides is marked as read afterwards, for some subscribers after the other. A repeated
    request continues with that, if the server was stopped meanwhile.
    """

    def change(tx: Tx) -> None:
        before = access_channel_to_administer(tx, user, channel_id)
        if is_archived is not None:
            _unarchive(tx, before, is_archived)
        _set_privacy(tx, user, _current(tx, channel_id), privacy)
        channel = _current(tx, channel_id)  # all that follows is for those who see it now
        if description is not None:
            actions.describe(tx, user, channel, checked_description(description))
        if new_name is not None:
            _rename(tx, channel, new_name)
        if message_retention_days is not UNSET:
            days = checked_retention(user, message_retention_days)
            actions.set_value(tx, channel, "message_retention_days", days)
        if folder_id is not UNSET:
            actions.set_value(tx, channel, "folder_id", checked_folder(tx, folder_id))
        if topics_policy is not None:
            if topics_policy != channel.topics_policy:
                check_may_set(tx, user, ["topics_policy"])
            check_topics_policy(tx, channel, topics_policy)
            actions.set_value(tx, channel, "topics_policy", topics_policy)
        _set_permissions(tx, user, before, channel, permissions)
        announce_changes(tx, user, before)

    def read(db: Db) -> None:
        with suppress(ApiError):  # which the change raises
            access_channel_to_administer(db, user, channel_id)
            actions.own_settings(db, channel_id)

    if is_archived is not None:
        await context.database.read_long(read, asker=user.id, deadline=False)
    progress = _UpdateProgress()
    is_first = True

    def step(tx: Tx) -> Done | None:
        nonlocal is_first
        if is_first and (not progress.changed or progress.changed != _settings(tx, channel_id)):
            change(tx)
            progress.changed, progress.place = _settings(tx, channel_id), []
            channel = _current(tx, channel_id)
            progress.administers = may_see(tx, user, channel) and may_administer(tx, user, channel)
            progress.reads = may_read(tx, user, channel)
        else:
            _check_again(tx, user, channel_id, progress)
        is_first = False
        if privacy == Privacy() or not _hides(tx, channel_id):
            return {}
        place = actions.read_hidden(tx, channel_id, actions.HiddenPlace(*progress.place))
        if place is None:
            return {}
        progress.place = [*place]
        return None

    return await context.write_in_slices(step, progress)


def _check_again(db: Db, user: UserRow, channel_id: ChannelId, progress: _UpdateProgress) -> None:
    """Refuse to go on if the user has lost a permission since the change, unless by the change itself."""
    if progress.administers:
        access_channel_to_administer(db, user, channel_id)
    if progress.reads:
        _check_content_access(db, user, _current(db, channel_id))


def _check_content_access(db: Db, user: UserRow, channel: ChannelRow) -> None:
    if not may_read(db, user, channel):
        raise ApiError("Channel content access is required.")


def _settings(db: Db, channel_id: ChannelId) -> str:
    """Return what requests change of a channel, to be compared."""
    return str(replace(_current(db, channel_id), first_message_id=None))


def _current(db: Db, channel_id: ChannelId) -> ChannelRow:
    channel = channels.by_id(db, channel_id)
    assert channel is not None
    return channel


def _hides(db: Db, channel_id: ChannelId) -> bool:
    """Whether the channel's history is protected now."""
    return not reads_whole_history(_current(db, channel_id))


def _unarchive(tx: Tx, channel: ChannelRow, is_archived: bool) -> None:
    if is_archived:
        raise ApiError("Invalid parameters")
    if not channel.is_archived:
        raise ApiError("Channel is not currently deactivated")
    actions.unarchive(tx, channel)


def _rename(tx: Tx, channel: ChannelRow, new_name: str) -> None:
    name = checked_name(new_name)
    if name == channel.name:
        raise ApiError("Channel already has that name!")
    taken = channels.by_name(tx, name)
    if taken is not None and taken.id != channel.id:
        raise ApiError(f"Channel name '{name}' is already taken.")
    actions.rename(tx, channel, name)


def _set_privacy(tx: Tx, user: UserRow, channel: ChannelRow, privacy: Privacy) -> None:
    private = channel.invite_only if privacy.is_private is None else privacy.is_private
    web = channel.is_web_public if privacy.is_web_public is None else privacy.is_web_public
    if privacy.is_private and privacy.is_web_public is None:
        web = False
    default = channel.is_default if privacy.is_default_stream is None else privacy.is_default_stream
    check_privacy(invite_only=private, is_web_public=web, is_default=default)
    history = _history(channel, privacy, private=private)
    if (private, web, history) != (
        channel.invite_only,
        channel.is_web_public,
        channel.history_public_to_subscribers,
    ):
        _check_content_access(tx, user, channel)
        if (private, web) != (channel.invite_only, channel.is_web_public):
            check_may_create(tx, user, invite_only=private, is_web_public=web)
        actions.set_privacy(
            tx, channel, invite_only=private, is_web_public=web, history_public=history
        )
    if privacy.is_default_stream is not None:
        if not user.is_admin:
            raise Insufficient("Insufficient permission")
        actions.set_default(tx, channel, privacy.is_default_stream)


def _history(channel: ChannelRow, privacy: Privacy, *, private: bool) -> bool:
    """Whether history becomes public: true for public channels, by default false when one becomes private."""
    if not private:
        if privacy.history_public_to_subscribers is False:
            raise ApiError("Invalid parameters")
        return True
    if privacy.history_public_to_subscribers is not None:
        return privacy.history_public_to_subscribers
    return channel.history_public_to_subscribers if channel.invite_only else False


def _set_permissions(
    tx: Tx, user: UserRow, before: ChannelRow, channel: ChannelRow, changes: PermissionChanges
) -> None:
    """Change permissions. Some require access to the content, as it was `before` its privacy changed."""
    news = changes.checked(tx, values_of(channel))
    check_may_set(tx, user, news)
    if any(name in CONTENT_PERMISSIONS for name in news):
        _check_content_access(tx, user, before)
    if news:
        actions.set_permissions(tx, channel, news)
