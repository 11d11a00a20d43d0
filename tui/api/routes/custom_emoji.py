"""Custom emoji. No state, no retries."""

from collections.abc import Callable, Mapping
from typing import BinaryIO
from urllib.parse import quote

from tui.api.connection import Connection
from tui.api.model import EmojiId
from tui.api.organization import CustomEmoji


async def fetch(connection: Connection) -> Mapping[EmojiId, CustomEmoji]:
    """GET /realm/emoji: deactivated ones too, for old reactions."""
    answer = await connection.get("/realm/emoji", {})
    return answer.read("emoji", dict[EmojiId, CustomEmoji])


async def upload(
    connection: Connection,
    *,
    name: str,
    file: BinaryIO,
    filename: str,
    progress: Callable[[int], None],
) -> None:
    """POST /realm/emoji/{name}. Code BAD_REQUEST: not an image, or the name is taken."""
    path = f"/realm/emoji/{quote(name, safe='')}"
    await connection.upload(path, file, filename, progress=progress)


async def deactivate(connection: Connection, *, name: str) -> None:
    """DELETE /realm/emoji/{name}. Status 404: it does not exist."""
    await connection.delete(f"/realm/emoji/{quote(name, safe='')}", {})
