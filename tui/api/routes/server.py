"""What a server says of itself to anyone. No state, no retries."""

from tui.api.connection import Connection
from tui.api.organization import ServerSettings


async def settings(connection: Connection) -> ServerSettings:
    """GET /server_settings: version, ways to sign in. Needs no key; NotAServer if it is none."""
    answer = await connection.get("/server_settings", {})
    return answer.whole(ServerSettings)
