"""Channels and their topics: fetching, creating, changing. No state, no retries."""

from collections.abc import Mapping, Sequence

from tui.api.connection import Connection
from tui.api.form import as_json, nullable
from tui.api.model import Channel, ChannelFolderId, ChannelId, GroupSetting, Topic, UserId
from tui.api.wire import Unset
from tui.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChange:
    """The new value of a permission; refused if `old` is not the current one."""

    new: GroupSetting
    old: GroupSetting


async def fetch(
    connection: Connection, *, include_public: bool, include_subscribed: bool, archived: bool
) -> tuple[Channel, ...]:
    """GET /streams: return the channels visible to the user."""
    answer = await connection.get(
        "/streams",
        {
            "include_public": include_public,
            "include_subscribed": include_subscribed,
            "exclude_archived": not archived,
        },
    )
    return answer.read("streams", tuple[Channel, ...])


async def get(connection: Connection, *, channel_id: ChannelId) -> Channel:
    """GET /streams/{id}. Code BAD_REQUEST: it does not exist, or is not visible."""
    answer = await connection.get(f"/streams/{channel_id}", {})
    return answer.read("stream", Channel)


async def get_id(connection: Connection, *, name: str) -> ChannelId:
    """GET /get_stream_id. Code BAD_REQUEST: it does not exist, or is not visible."""
    answer = await connection.get("/get_stream_id", {"stream": name})
    return answer.read("stream_id", ChannelId)


async def list_topics(connection: Connection, *, channel_id: ChannelId) -> tuple[Topic, ...]:
    """GET /users/me/{id}/topics: return the topics visible to the user, newest first."""
    answer = await connection.get(
        f"/users/me/{channel_id}/topics", {"allow_empty_topic_name": True}
    )
    return answer.read("topics", tuple[Topic, ...])


async def list_members(connection: Connection, *, channel_id: ChannelId) -> frozenset[UserId]:
    """GET /streams/{id}/members: return all subscribers."""
    answer = await connection.get(f"/streams/{channel_id}/members", {})
    return answer.read("subscribers", frozenset[UserId])


async def get_email_address(connection: Connection, *, channel_id: ChannelId) -> str:
    """GET /streams/{id}/email_address: return the address whose mail becomes messages."""
    answer = await connection.get(f"/streams/{channel_id}/email_address", {})
    return answer.read("email", str)


async def create(
    connection: Connection,
    *,
    name: str,
    description: str,
    subscribers: Sequence[UserId],
    invite_only: bool,
    is_web_public: bool,
    announce: bool,
    folder_id: ChannelFolderId | None,
    topics_policy: str | None,
    history_public_to_subscribers: bool | None,
    groups: Mapping[str, GroupSetting],
) -> ChannelId:
    """POST /channels/create (since level 417); `groups` are `Channel`'s `can_…_group`.

    ApiRefused code: CHANNEL_ALREADY_EXISTS.
    """
    answer = await connection.post(
        "/channels/create",
        {
            "name": name,
            "description": description,
            "subscribers": subscribers,
            "invite_only": invite_only,
            "is_web_public": is_web_public,
            "announce": announce,
            "folder_id": folder_id,
            "topics_policy": topics_policy,
            "history_public_to_subscribers": history_public_to_subscribers,
            **groups,
        },
    )
    return answer.read("id", ChannelId)


async def update(
    connection: Connection,
    *,
    channel_id: ChannelId,
    new_name: str | None,
    description: str | None,
    is_private: bool | None,
    is_web_public: bool | None,
    history_public_to_subscribers: bool | None,
    is_archived: bool | None,
    is_default: bool | None,
    folder_id: ChannelFolderId | Unset | None,
    topics_policy: str | None,
    message_retention_days: int | str | None,
    groups: Mapping[str, GroupChange],
) -> None:
    """PATCH /streams/{id}: None keeps a value, except that `folder_id` None removes it from its folder.

    `is_archived` may only be False, to bring a channel back; days may be `realm_default` or
    `unlimited`. ApiRefused code EXPECTATION_MISMATCH: a group is not the old one.
    """
    await connection.patch(
        f"/streams/{channel_id}",
        {
            "new_name": new_name,
            "description": description,
            "is_private": is_private,
            "is_web_public": is_web_public,
            "history_public_to_subscribers": history_public_to_subscribers,
            "is_archived": is_archived,
            "is_default_stream": is_default,
            "folder_id": nullable(folder_id),
            "topics_policy": topics_policy,
            "message_retention_days": as_json(message_retention_days),
            **groups,
        },
    )


async def archive(connection: Connection, *, channel_id: ChannelId) -> None:
    """DELETE /streams/{id}: archive the channel; its messages stay."""
    await connection.delete(f"/streams/{channel_id}", {})


async def delete_topic(connection: Connection, *, channel_id: ChannelId, topic: str) -> bool:
    """POST /streams/{id}/delete_topic: delete its messages. False: not all yet, call again."""
    answer = await connection.post(f"/streams/{channel_id}/delete_topic", {"topic_name": topic})
    return answer.read_or("complete", bool, True)


async def add_default(connection: Connection, *, channel_id: ChannelId) -> None:
    """POST /default_streams: new users are subscribed to it."""
    await connection.post("/default_streams", {"stream_id": channel_id})


async def remove_default(connection: Connection, *, channel_id: ChannelId) -> None:
    """DELETE /default_streams."""
    await connection.delete("/default_streams", {"stream_id": channel_id})
