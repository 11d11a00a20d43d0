"""The user's muted users. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import UserId


async def mute(connection: Connection, *, user_id: UserId) -> None:
    """POST /users/me/muted_users/{id}. Code BAD_REQUEST: the user themselves, unknown, or muted already."""
    await connection.post(f"/users/me/muted_users/{user_id}", {})


async def unmute(connection: Connection, *, user_id: UserId) -> None:
    """DELETE /users/me/muted_users/{id}. Code BAD_REQUEST: unknown, or not muted."""
    await connection.delete(f"/users/me/muted_users/{user_id}", {})
