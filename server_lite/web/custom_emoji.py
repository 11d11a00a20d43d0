"""Serves the images of custom emoji to all. No API here."""

import re
from typing import Final

from server_lite.api.request import Request, Send
from server_lite.context import Context
from server_lite.errors import NotFound
from server_lite.http.conditional import tag_of_bytes
from server_lite.http.replies import reply
from server_lite.store import custom_emoji

TYPES: Final = {"png": "image/png", "jpg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
EMOJI_FOLDER: Final = "/user_avatars/1/emoji/"
_PATH: Final = re.compile(rf"{EMOJI_FOLDER}images/([0-9]{{1,18}})\.([a-z]{{3,4}})")


async def serve_emoji(context: Context, request: Request, send: Send) -> None:
    """Serve GET or HEAD /user_avatars/1/emoji/images/ID.EXTENSION; an ID's image never changes."""
    match = _PATH.fullmatch(request.path)
    emoji = match and context.read(lambda db: custom_emoji.by_id(db, int(match[1])))
    if not match or emoji is None or emoji.extension != match[2]:
        raise NotFound("There is nothing here.")
    image = context.read(lambda db: custom_emoji.image_of(db, emoji.id)) or b""
    headers = [
        (b"etag", tag_of_bytes(image).encode()),
        (b"content-security-policy", b"sandbox; default-src 'none'"),
        (b"cache-control", b"public, max-age=31536000, immutable"),
    ]
    await reply(request.headers, send, 200, TYPES[emoji.extension], image, *headers)
