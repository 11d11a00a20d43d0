"""The user's saved views in the sidebar. No state, no retries."""

from urllib.parse import quote

from tui.api.connection import Connection
from tui.api.model import NavigationView


async def fetch(connection: Connection) -> tuple[NavigationView, ...]:
    """GET /navigation_views (since level 390)."""
    answer = await connection.get("/navigation_views", {})
    return answer.read("navigation_views", tuple[NavigationView, ...])


async def create(
    connection: Connection, *, fragment: str, is_pinned: bool, name: str | None
) -> None:
    """POST /navigation_views: built-in views take no name."""
    await connection.post(
        "/navigation_views", {"fragment": fragment, "is_pinned": is_pinned, "name": name}
    )


async def edit(
    connection: Connection, *, fragment: str, is_pinned: bool | None, name: str | None
) -> None:
    """PATCH /navigation_views/{fragment}: None keeps a value. Code: NOT_FOUND."""
    await connection.patch(
        f"/navigation_views/{quote(fragment, safe='')}", {"is_pinned": is_pinned, "name": name}
    )


async def delete(connection: Connection, *, fragment: str) -> None:
    """DELETE /navigation_views/{fragment}. Status 404: deleted already."""
    await connection.delete(f"/navigation_views/{quote(fragment, safe='')}", {})
