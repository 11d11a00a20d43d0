"""Code playgrounds; `register` returns all of them. No state, no retries."""

from tui.api.connection import Connection
from tui.api.model import PlaygroundId


async def create(
    connection: Connection, *, name: str, pygments_language: str, url_template: str
) -> PlaygroundId:
    """POST /realm/playgrounds: for administrators; the template has one variable, `{code}`."""
    answer = await connection.post(
        "/realm/playgrounds",
        {"name": name, "pygments_language": pygments_language, "url_template": url_template},
    )
    return answer.read("id", PlaygroundId)


async def delete(connection: Connection, *, playground_id: PlaygroundId) -> None:
    """DELETE /realm/playgrounds/{id}: for administrators."""
    await connection.delete(f"/realm/playgrounds/{playground_id}", {})
