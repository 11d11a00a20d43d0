"""A server's public settings. No state, no retries."""

from tui.api.connection import Connection
from tui.api.organization import ServerSettings


async def settings(connection: Connection) -> ServerSettings:
    """GET /server_settings: version, sign-in methods. Needs no API key; NotAServer if it is not a chat
    server.
    """
    answer = await connection.get("/server_settings", {})
    return answer.whole(ServerSettings)
