"""Making, changing and archiving channels. Asks no permission: callers did."""

from collections.abc import Mapping

from server_lite.access.channel_audience import who_may_see
from server_lite.events.channels import ChannelsCreated
from server_lite.objects.channels import channel_objects
from server_lite.store import channels
from server_lite.store.channels import ChannelRow, GroupSetting
from server_lite.store.database import Tx
from server_lite.store.users import UserRow


def create_channel(
    tx: Tx,
    creator: UserRow | None,
    *,
    name: str,
    description: str = "",
    rendered_description: str = "",
    invite_only: bool = False,
    is_web_public: bool = False,
    history_public_to_subscribers: bool | None = None,
    is_default: bool = False,
    message_retention_days: int | None = None,
    topics_policy: str = "inherit",
    folder_id: int | None = None,
    group_settings: Mapping[str, GroupSetting] | None = None,
) -> ChannelRow:
    """A new channel without subscribers, told to everybody who may know of it.

    The name was checked before; one in use breaks the table's index. Who makes a channel may
    administer it, unless `group_settings` says otherwise.
    """
    if history_public_to_subscribers is None:
        history_public_to_subscribers = not invite_only
    settings = dict(group_settings or {})
    if creator is not None:
        settings.setdefault(
            "can_administer_channel_group",
            {"direct_members": [creator.id], "direct_subgroups": []},
        )
    channel_id = channels.insert(
        tx,
        name=name,
        description=description,
        rendered_description=rendered_description,
        creator_id=None if creator is None else creator.id,
        now=tx.now,
        invite_only=invite_only,
        is_web_public=is_web_public,
        history_public_to_subscribers=history_public_to_subscribers or not invite_only,
        is_default=is_default,
        message_retention_days=message_retention_days,
        topics_policy=topics_policy,
        folder_id=folder_id,
        group_settings=settings,
    )
    channel = channels.by_id(tx, channel_id)
    assert channel is not None
    objects = channel_objects(tx, [channel], tx.now)
    tx.emit(ChannelsCreated(channels=objects), to=who_may_see(tx, channel))
    return channel
