"""The user's visibility policies of topics. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import ChannelId, VisibilityPolicy


async def update(
    connection: Connection, *, channel_id: ChannelId, topic: str, policy: VisibilityPolicy
) -> None:
    """POST /user_topics: mute, unmute, follow, or INHERIT to remove the policy."""
    await connection.post(
        "/user_topics",
        {"stream_id": channel_id, "topic": topic, "visibility_policy": int(policy)},
    )


async def set_muted(
    connection: Connection, *, channel_id: ChannelId, topic: str, muted: bool
) -> None:
    """PATCH /users/me/subscriptions/muted_topics: for servers before level 170."""
    await connection.patch(
        "/users/me/subscriptions/muted_topics",
        {"stream_id": channel_id, "topic": topic, "op": "add" if muted else "remove"},
    )
