"""Serves avatars to all who know the URL. No API here."""

from server_lite.access.users import can_access_user
from server_lite.api.authentication import authenticate_header
from server_lite.api.request import Request, Send
from server_lite.context import Context
from server_lite.errors import NotFound
from server_lite.http.conditional import has_already, not_modified, tag_of
from server_lite.http.replies import start
from server_lite.ids import UserId
from server_lite.objects.users import MEDIUM, avatar_url
from server_lite.store import avatars, users
from server_lite.store.connection import Db


async def serve_avatar(context: Context, request: Request, send: Send) -> None:
    """Serve GET or HEAD /user_avatars/1/NAME: without signing in, because the name is unguessable.

    Nothing is scaled: both sizes are the image as it was uploaded.
    """
    name, dot, extension = request.path.removeprefix("/user_avatars/").rpartition(".")
    path = f"{name.removesuffix(MEDIUM)}{dot}{extension}"
    row = context.read(lambda db: avatars.by_path(db, path))
    if row is None:
        raise NotFound("There is nothing here.")
    tag = tag_of(row.id, path)
    headers = [
        (b"etag", tag.encode()),
        (b"content-security-policy", b"sandbox; default-src 'none'"),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"private, max-age=31536000, immutable"),
    ]
    if has_already(request.headers, tag):
        await start(send, 304, not_modified(headers))
        return
    headers += [
        (b"content-type", row.content_type.encode()),
        (b"content-length", str(row.size).encode()),
    ]
    await start(send, 200, headers, None)
    if request.method == "GET":
        for number in avatars.slices_of(row):
            body = avatars.read_slice(context.database.reader, row.id, number)
            if not body:  # another picture took its place meanwhile
                request.connection.cut()
                return
            await send({"type": "http.response.body", "body": body, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def picture_of(context: Context, request: Request, number: UserId, *, medium: bool) -> str | None:
    """Return the URL of a user's uploaded avatar if the request is authenticated and the user visible."""
    authorization = request.headers.get("authorization")
    if authorization is None:
        return None
    viewer = authenticate_header(context.database.reader, authorization)

    def read(db: Db) -> str | None:
        user = users.by_id(db, number)
        if user is None or user.avatar is None or not can_access_user(db, viewer, user):
            return None
        return avatar_url(user, medium=medium)

    return context.read(read)
