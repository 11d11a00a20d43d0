"""Video calls with a provider that the server is connected to. No state, no retries."""

from urllib.parse import quote

from tui.api.connection import Connection


async def create(connection: Connection, *, provider: str) -> str:
    """POST /calls/{provider}/create: return the URL of the new call (since level 493).

    POST /calls/constructorgroups/create (since level 460) and POST /calls/nextcloud_talk/create
    (since level 465) came before there was a place for any provider.
    """
    answer = await connection.post(f"/calls/{quote(provider, safe='')}/create", {})
    return answer.read("url", str)


async def create_big_blue_button(
    connection: Connection, *, meeting_name: str, voice_only: bool
) -> str:
    """GET /calls/bigbluebutton/create: return the URL of the new call, a path on the server."""
    answer = await connection.get(
        "/calls/bigbluebutton/create", {"meeting_name": meeting_name, "voice_only": voice_only}
    )
    return answer.read("url", str)
