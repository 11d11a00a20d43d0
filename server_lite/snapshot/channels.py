"""Snapshot: channels, subscriptions, the user's followed and muted topics. Reads only."""

from typing import Final, cast

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
from server_lite.store.connection import Db


def _objects(db: Db, request: SnapshotRequest) -> dict[ChannelId, bytes]:
    """Return the visible channels as JSON, by name: computed once for all sections."""
    if "channels" not in request.shared:
        request.shared["channels"] = encoded_objects(
            db,
            frozenset(visible_channel_ids(db, request.user)),
            archived=request.shape.archived_channels,
        )
    return cast(dict[ChannelId, bytes], request.shared["channels"])


def subscription(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return `subscriptions`, `unsubscribed` (formerly subscribed), `never_subscribed` (visible)."""
    active = subscriptions.active_by_channel(db, request.user.id)
    objects = described(
        db,
        request.user,
        _objects(db, request),
        include_subscribers=request.include_subscribers,
        shape=request.shape,
    )

    by_state: dict[bool | None, list[bytes]] = {True: [], False: [], None: []}
    for channel_id, one in objects.items():
        by_state[active.get(channel_id)].append(one)
    return {
        "subscriptions": array(by_state[True]),
        "unsubscribed": array(by_state[False]),
        "never_subscribed": array(by_state[None]),
    }


def stream(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return all channels visible to the user."""
    return {"streams": array(_objects(db, request).values())}


def default_streams(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return IDs of the default channels; none for guests."""
    rows = [] if request.user.is_guest else channels.defaults(db)
    return {"realm_default_streams": [row.id for row in rows]}


def default_stream_groups(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return no groups of default channels: the API has no way to create one."""
    return {"realm_default_stream_groups": []}


def folders(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return all folders, archived ones included; for visitors those of readable channels."""
    folders = folder_objects(db, include_archived=True)
    if request.is_anonymous:
        rows = channels.by_ids(db, _objects(db, request))
        seen = {row.folder_id for row in rows}
        folders = [folder for folder in folders if folder["id"] in seen]
    return {"channel_folders": folders}


def user_topic(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return topics that the user muted, unmuted or followed."""
    return {"user_topics": user_topic_objects(db, request.user, request.shape)}


def muted(db: Db, request: SnapshotRequest) -> dict[str, object]:
    """Return the muted topics as older clients read them."""
    return {
        "muted_topics": [
            [channel, request.shape.topic(str(topic)), since]
            for channel, topic, since in muted_topics(db, request.user.id)
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
