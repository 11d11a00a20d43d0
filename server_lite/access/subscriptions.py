"""Permissions to subscribe and unsubscribe users. Reads only."""

from collections.abc import Collection

from server_lite.access.channel_permissions import has_permission
from server_lite.access.channel_settings import may_administer
from server_lite.access.channels import may_read
from server_lite.access.user_groups import is_in_group_setting
from server_lite.store import realm, subscriptions
from server_lite.store.channels import ChannelRow
from server_lite.store.connection import Db
from server_lite.store.users import UserRow


def may_join(db: Db, user: UserRow, channel: ChannelRow) -> bool:
    """Whether the user may subscribe to the channel by themselves."""
    if channel.is_archived:
        return False
    if subscriptions.is_subscribed(db, user.id, channel.id):
        return True
    return not user.is_guest and may_read(db, user, channel)


def may_add_others(db: Db, user: UserRow, channel: ChannelRow) -> bool:
    """Whether the user may subscribe others to a channel that they could join."""
    if user.is_guest:
        return False
    return (
        is_in_group_setting(db, user, realm.permission(db, "can_add_subscribers_group"))
        or may_administer(db, user, channel)
        or has_permission(db, user, channel, "can_add_subscribers_group")
    )


def may_remove(db: Db, user: UserRow, channel: ChannelRow, people: Collection[UserRow]) -> bool:
    """Whether `user` may unsubscribe all of these users: always themselves, and their own bots."""
    if all(person.id == user.id or person.bot_owner_id == user.id for person in people):
        return True
    return may_administer(db, user, channel) or has_permission(
        db, user, channel, "can_remove_subscribers_group"
    )
