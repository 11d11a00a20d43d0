"""People whom the person does not want to hear. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import UserId


async def mute(connection: Connection, *, user_id: UserId) -> None:
    """POST /users/me/muted_users/{id}. Code BAD_REQUEST: oneself, unknown, or muted already."""
    await connection.post(f"/users/me/muted_users/{user_id}", {})


async def unmute(connection: Connection, *, user_id: UserId) -> None:
    """DELETE /users/me/muted_users/{id}. Code BAD_REQUEST: unknown, or not muted."""
    await connection.delete(f"/users/me/muted_users/{user_id}", {})
