"""Serves uploaded files outside the API. A stranger's upload must not run in a reader's browser.

Access is checked at every read. Types that are safe to display are displayed; everything else is downloaded.
All of it is sandboxed, and browsers must not guess a type.
"""

import re
from typing import Final
from urllib.parse import quote

from server_lite.access.uploads import PLAIN_TYPE, access_upload
from server_lite.api import signed_urls
from server_lite.api.authentication import authenticate_header, check_reach
from server_lite.api.request import Request, Send
from server_lite.context import Context
from server_lite.errors import NoSuchObject, NotAllowed, Unauthenticated
from server_lite.http.conditional import Header, has_already, not_modified, tag_of, wants_part
from server_lite.http.replies import start
from server_lite.store import keys, uploads, users
from server_lite.store.uploads import SLICE, UploadRow
from server_lite.store.users import UserRow

SHOWN: Final = frozenset(
    (
        "image/png",
        "image/jpeg",
        "image/gif",
        "image/webp",
        "image/avif",
        "text/plain",
        "audio/mpeg",
        "audio/ogg",
        "audio/wav",
        "video/mp4",
        "video/webm",
    )
)
"""Types displayed in the browser, which cannot contain scripts. Not SVG, not HTML, not PDF."""

_FOLDER: Final = "user_uploads"
POLICY: Final = b"sandbox; default-src 'none'; img-src 'self'; media-src 'self'"
_RANGE: Final = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})")


async def serve_upload(context: Context, request: Request, send: Send) -> None:
    """Serve GET or HEAD /user_uploads/{path}: with Basic credentials, a key in the query, or a token."""
    path = request.path.removeprefix("/user_uploads/")
    user = _reader(context, request)
    if path.startswith("temporary/"):
        path, user = _opened(context, path)
    try:
        row = context.read(lambda db: access_upload(db, user, path))
    except NoSuchObject as error:
        if user is None:  # for every path: visitors do not learn which files exist
            raise NotAllowed("Sign in to see this file.") from error
        raise
    await _send_file(context, request, send, row)


def _reader(context: Context, request: Request) -> UserRow | None:
    """Return the requesting user. Wrong credentials are refused; without any, public files are served."""
    db = context.database.reader
    authorization = request.headers.get("authorization")
    key = request.query().get("api_key")
    if authorization is not None:
        user = authenticate_header(db, authorization)
    elif key is None:
        return None
    else:
        owner = keys.owner(db, key)
        if owner is None or not owner.is_active:
            raise Unauthenticated("Invalid API key")
        user = owner
    check_reach(db, user, request.verb, _FOLDER)
    return user


def _opened(context: Context, path: str) -> tuple[str, UserRow | None]:
    """Return the file and user of a token; raises if the user has lost access since."""
    token = path.split("/")[1]
    claims = signed_urls.verify(context.secret, token, context.database.clock())
    if claims is None:
        raise NotAllowed("This address is no longer valid.")
    path_id, user_id = claims
    user = users.by_id(context.database.reader, user_id)
    return path_id, user if user is not None and user.is_active else None


async def _send_file(context: Context, request: Request, send: Send, row: UploadRow) -> None:
    tag = tag_of(row.id, row.path_id, row.size)
    if has_already(request.headers, tag):
        await start(send, 304, not_modified(_headers(row, tag, 0)))
        return
    range_header = request.headers.get("range") if wants_part(request.headers, tag) else None
    byte_range = _wanted(range_header, row.size)
    if byte_range is None:
        size = (b"content-range", f"bytes */{row.size}".encode())
        await start(send, 416, [*_headers(row, tag, 0), size])
        return
    first, end = byte_range
    part = (first, end) != (0, row.size)
    head = _headers(row, tag, end - first)
    if part:
        head.append((b"content-range", f"bytes {first}-{end - 1}/{row.size}".encode()))
    await start(send, 206 if part else 200, head, None)
    if request.method == "GET":
        for number in range(first // SLICE, -(-end // SLICE)):
            # Read one slice at a time: a large file is never in memory as a whole.
            data = uploads.read_slice(context.database.reader, row.id, number)
            at = number * SLICE
            body = data[max(0, first - at) : max(0, end - at)]
            if not body:  # the file was deleted meanwhile
                request.connection.cut()
                return
            await send({"type": "http.response.body", "body": body, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def _wanted(header: str | None, size: int) -> tuple[int, int] | None:
    """Return the requested range (start, end); None if it lies outside. Malformed ranges mean all."""
    match = _RANGE.fullmatch(header) if header else None
    if match is None or match[0] == "bytes=-":
        return 0, size
    if not match[1]:
        length = min(int(match[2]), size)
        return (size - length, size) if length else None
    start = int(match[1])
    end = min(int(match[2]) + 1, size) if match[2] else size
    return (start, end) if start < end else None


def _headers(row: UploadRow, tag: str, length: int) -> list[Header]:
    is_inline = row.content_type in SHOWN
    kind = row.content_type if is_inline else PLAIN_TYPE
    if kind == "text/plain":
        kind = "text/plain; charset=utf-8"
    disposition = "inline" if is_inline else "attachment"
    name = quote(row.name, safe="")
    return [
        (b"content-type", kind.encode()),
        (b"content-length", str(length).encode()),
        (b"content-disposition", f"{disposition}; filename*=UTF-8''{name}".encode()),
        (b"content-security-policy", POLICY),
        (b"x-content-type-options", b"nosniff"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"accept-ranges", b"bytes"),
        # Cached by the browser, but revalidated at each use: access may have ended.
        (b"cache-control", b"private, no-cache"),
        (b"vary", b"Authorization"),
        (b"etag", tag.encode()),
    ]
