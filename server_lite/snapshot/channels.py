"""Initial state: channels, subscriptions, topics I follow or mute. Reads only."""

from typing import Any, Final, cast

from server_lite.access.channels import visible_channels_sql
from server_lite.objects import channel_folders
from server_lite.objects.channels import ChannelObject, channel_objects
from server_lite.objects.subscriptions import by_name, described
from server_lite.objects.user_topics import muted_topics, user_topic_objects
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import channels, subscriptions
from server_lite.store.channels import DEFAULTS, ChannelRow
from server_lite.store.connection import Db


def _visible(db: Db, asked: SnapshotRequest) -> list[ChannelRow]:
    condition, values = visible_channels_sql(db, asked.user)
    if not asked.shape.archived_channels:
        condition += " AND NOT channel.is_archived"
    return channels.where(db, condition, *values)


def _objects(db: Db, asked: SnapshotRequest) -> list[ChannelObject]:
    """The visible channels: counting who is in them is dear in a large organization, and done once."""
    if "channels" not in asked.shared:
        asked.shared["channels"] = channel_objects(db, _visible(db, asked))
    return cast(list[ChannelObject], asked.shared["channels"])


def subscription(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """`subscriptions`, `unsubscribed` (once was), `never_subscribed` (may know of it)."""
    active = {row.channel_id: row.active for row in subscriptions.of_user(db, asked.user.id)}
    objects = described(
        db,
        asked.user,
        _objects(db, asked),
        include_subscribers=asked.include_subscribers,
        shape=asked.shape,
    )

    def those(state: bool | None) -> list[dict[str, Any]]:
        return by_name([one for one in objects if active.get(one["stream_id"]) is state])

    return {
        "subscriptions": those(True),
        "unsubscribed": those(False),
        "never_subscribed": those(None),
    }


def stream(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """All channels the person may know of."""
    return {"streams": by_name(_objects(db, asked))}


def default_streams(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """Ids of the channels new people are subscribed to; guests are shown none."""
    rows = [] if asked.user.is_guest else channels.where(db, DEFAULTS)
    return {"realm_default_streams": [row.id for row in rows]}


def default_stream_groups(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """Groups of default channels: there is no way to make one, as in the API."""
    return {"realm_default_stream_groups": []}


def folders(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """All folders, archived ones too; strangers see those of channels they may read."""
    folders = channel_folders.folder_objects(db, include_archived=True)
    if asked.is_stranger:
        seen = {row.folder_id for row in _visible(db, asked)}
        folders = [folder for folder in folders if folder["id"] in seen]
    return {"channel_folders": folders}


def user_topic(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """Topics the person mutes, unmuted or follows."""
    return {"user_topics": user_topic_objects(db, asked.user, asked.shape)}


def muted(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """The muted ones as older clients read them."""
    return {
        "muted_topics": [
            [channel, asked.shape.topic(str(topic)), since]
            for channel, topic, since in muted_topics(db, asked.user.id)
        ]
    }


SECTIONS: Final[dict[str, Section]] = {
    "subscription": subscription,
    "stream": stream,
    "default_streams": default_streams,
    "default_stream_groups": default_stream_groups,
    "channel_folders": folders,
    "user_topic": user_topic,
    "muted_topics": muted,
}
