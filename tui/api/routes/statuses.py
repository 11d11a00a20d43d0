"""What people say about themselves. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import ReactionType, UserId, UserStatus


async def update(
    connection: Connection,
    *,
    status_text: str | None,
    emoji_name: str | None,
    emoji_code: str | None,
    reaction_type: ReactionType | None,
) -> None:
    """POST /users/me/status: "" clears text or emoji, None leaves it. At most 60 characters."""
    extra = reaction_type == "service_extra_emoji"  # found by name on every server
    await connection.post(
        "/users/me/status",
        {
            "status_text": status_text,
            "emoji_name": emoji_name,
            "emoji_code": None if extra else emoji_code,
            "reaction_type": None if extra else reaction_type,
        },
    )


async def get(connection: Connection, *, user_id: UserId) -> UserStatus:
    """GET /users/{id}/status (since level 262)."""
    answer = await connection.get(f"/users/{user_id}/status", {})
    return answer.read("status", UserStatus)
