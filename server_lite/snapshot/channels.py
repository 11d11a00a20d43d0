"""Initial state: channels, subscriptions, topics I follow or mute. Reads only."""

from typing import Final, cast

from orjson import Fragment

from server_lite.access.channels import visible_channel_ids
from server_lite.ids import ChannelId
from server_lite.objects.channels import (
    encoded_objects,
    folder_objects,
    muted_topics,
    user_topic_objects,
)
from server_lite.objects.encoded import array
from server_lite.objects.subscriptions import described
from server_lite.snapshot.base import Section, SnapshotRequest
from server_lite.store import channels, subscriptions
from server_lite.store.channels import DEFAULTS
from server_lite.store.connection import Db


def _objects(db: Db, asked: SnapshotRequest) -> dict[ChannelId, bytes]:
    """The visible channels as JSON, by name: put together once for all sections."""
    if "channels" not in asked.shared:
        asked.shared["channels"] = encoded_objects(
            db,
            frozenset(visible_channel_ids(db, asked.user)),
            archived=asked.shape.archived_channels,
        )
    return cast(dict[ChannelId, bytes], asked.shared["channels"])


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

    def those(state: bool | None) -> Fragment:
        return array(one for channel_id, one in objects.items() if active.get(channel_id) is state)

    return {
        "subscriptions": those(True),
        "unsubscribed": those(False),
        "never_subscribed": those(None),
    }


def stream(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """All channels the person may know of."""
    return {"streams": array(_objects(db, asked).values())}


def default_streams(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """Ids of the channels new people are subscribed to; guests are shown none."""
    rows = [] if asked.user.is_guest else channels.where(db, DEFAULTS)
    return {"realm_default_streams": [row.id for row in rows]}


def default_stream_groups(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """Groups of default channels: there is no way to make one, as in the API."""
    return {"realm_default_stream_groups": []}


def folders(db: Db, asked: SnapshotRequest) -> dict[str, object]:
    """All folders, archived ones too; strangers see those of channels they may read."""
    folders = folder_objects(db, include_archived=True)
    if asked.is_anonymous:
        rows = channels.by_ids(db, _objects(db, asked))
        seen = {row.folder_id for row in rows}
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
