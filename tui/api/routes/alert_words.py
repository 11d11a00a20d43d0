"""The user's alert words; each call returns all of them. No state, no retries."""

from collections.abc import Sequence

from tui.api.connection import Connection


async def fetch(connection: Connection) -> tuple[str, ...]:
    """GET /users/me/alert_words."""
    answer = await connection.get("/users/me/alert_words", {})
    return answer.read("alert_words", tuple[str, ...])


async def add(connection: Connection, *, words: Sequence[str]) -> tuple[str, ...]:
    """POST /users/me/alert_words: each at most 100 characters."""
    answer = await connection.post("/users/me/alert_words", {"alert_words": words})
    return answer.read("alert_words", tuple[str, ...])


async def remove(connection: Connection, *, words: Sequence[str]) -> tuple[str, ...]:
    """DELETE /users/me/alert_words."""
    answer = await connection.delete("/users/me/alert_words", {"alert_words": words})
    return answer.read("alert_words", tuple[str, ...])
