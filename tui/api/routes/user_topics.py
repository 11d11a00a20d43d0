"""How the person follows topics. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import ChannelId, VisibilityPolicy


async def update(
    connection: Connection, *, channel_id: ChannelId, topic: str, policy: VisibilityPolicy
) -> None:
    """POST /user_topics: mute, unmute, follow, or INHERIT to forget it."""
    await connection.post(
        "/user_topics",
        {"stream_id": channel_id, "topic": topic, "visibility_policy": int(policy)},
    )
