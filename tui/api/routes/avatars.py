"""The user's own avatar. No state, no retries."""

from collections.abc import Callable
from typing import BinaryIO

from tui.api.connection import Connection


async def upload(
    connection: Connection, *, file: BinaryIO, filename: str, progress: Callable[[int], None]
) -> str:
    """POST /users/me/avatar: return the new avatar's URL."""
    answer = await connection.upload("/users/me/avatar", file, filename, progress=progress)
    return answer.read("avatar_url", str)


async def delete(connection: Connection) -> None:
    """DELETE /users/me/avatar."""
    await connection.delete("/users/me/avatar", {})
