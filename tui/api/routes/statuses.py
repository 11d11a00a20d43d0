"""Users' statuses. No state, no retries."""

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
    """POST /users/me/status: "" clears text or emoji, None keeps it. At most 60 characters."""
    await connection.post(
        "/users/me/status", _parameters(status_text, emoji_name, emoji_code, reaction_type)
    )


async def update_for(
    connection: Connection,
    *,
    user_id: UserId,
    status_text: str | None,
    emoji_name: str | None,
    emoji_code: str | None,
    reaction_type: ReactionType | None,
) -> None:
    """POST /users/{id}/status: of another user, for administrators (since level 407)."""
    await connection.post(
        f"/users/{user_id}/status",
        _parameters(status_text, emoji_name, emoji_code, reaction_type),
    )


async def get(connection: Connection, *, user_id: UserId) -> UserStatus:
    """GET /users/{id}/status (since level 262)."""
    answer = await connection.get(f"/users/{user_id}/status", {})
    return answer.read("status", UserStatus)


def _parameters(
    text: str | None, name: str | None, code: str | None, kind: ReactionType | None
) -> dict[str, str | None]:
    extra = kind == "service_extra_emoji"  # found by name on every server
    return {
        "status_text": text,
        "emoji_name": name,
        "emoji_code": None if extra else code,
        "reaction_type": None if extra else kind,
    }
