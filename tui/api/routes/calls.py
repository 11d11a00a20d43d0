"""Video calls at a provider that the server is connected to. No state, no retries."""

from urllib.parse import quote

from tui.api.connection import Connection


async def create(connection: Connection, *, provider: str) -> str:
    """POST /calls/{provider}/create: the URL to meet at (since level 493)."""
    answer = await connection.post(f"/calls/{quote(provider, safe='')}/create", {})
    return answer.read("url", str)
