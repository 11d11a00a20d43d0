"""Default channels, which new users are subscribed to. Thin."""

from server_lite.access.channels import access_channel_by_id
from server_lite.actions.channels import set_default
from server_lite.api.answers import Done
from server_lite.endpoints.channel_folders import check_admin
from server_lite.errors import ApiError
from server_lite.ids import ChannelId
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def add(tx: Tx, user: UserRow, *, stream_id: ChannelId) -> Done:
    """Add a default channel for new users."""
    check_admin(user)
    channel = access_channel_by_id(tx, user, stream_id, active=True)
    if channel.invite_only:
        raise ApiError("Private channels cannot be made default.")
    set_default(tx, channel, True)
    return {}


def remove(tx: Tx, user: UserRow, *, stream_id: ChannelId) -> Done:
    """Remove a default channel; existing subscribers stay subscribed."""
    check_admin(user)
    set_default(tx, access_channel_by_id(tx, user, stream_id), False)
    return {}
