"""Files: uploading, listing the user's own, downloading. No state, no retries."""

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Annotated, BinaryIO

from tui.api.connection import Connection, Download
from tui.api.model import Attachment, AttachmentId
from tui.api.wire import DefaultWhenMissing, Key
from tui.dataclass import dataclass

_PREFIX = "/user_uploads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadedFile:
    """`url` is a path on the server, to be linked to in a message."""

    url: Annotated[str, Key("url", "uri")]
    filename: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachments:
    """The user's uploads, and the bytes used of the organization's quota."""

    attachments: tuple[Attachment, ...]
    upload_space_used: Annotated[int, DefaultWhenMissing(0)]


async def upload(
    connection: Connection,
    *,
    file: BinaryIO,
    filename: str,
    progress: Callable[[int], None],
    idempotency_key: str | None,
) -> UploadedFile:
    """POST /user_uploads: `progress` is called with the bytes read so far. Status 413: too large."""
    answer = await connection.upload(
        "/user_uploads", file, filename, progress=progress, idempotency_key=idempotency_key
    )
    return answer.whole(UploadedFile)


@asynccontextmanager
async def download(
    connection: Connection, *, url: str, max_bytes: int, elsewhere: bool = True
) -> AsyncIterator[Download]:
    """GET /user_uploads/{realm}/{filename} for a URL that works for a minute, then the file.

    Other URLs and paths are fetched as they are; the API key goes to the user's server only.
    """
    path = url.removeprefix(connection.base_url.text)
    if path.startswith(_PREFIX):
        answer = await connection.get(re.split("[?#]", path, maxsplit=1)[0], {})
        url = answer.read("url", str)
    async with connection.download(url, max_bytes=max_bytes, elsewhere=elsewhere) as file:
        yield file


async def list_attachments(connection: Connection) -> Attachments:
    """GET /attachments."""
    answer = await connection.get("/attachments", {})
    return answer.whole(Attachments)


async def delete_attachment(connection: Connection, *, attachment_id: AttachmentId) -> None:
    """DELETE /attachments/{id}. ApiRefused code BAD_REQUEST: not one of the user's."""
    await connection.delete(f"/attachments/{attachment_id}", {})
