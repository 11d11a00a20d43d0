"""The bytes of pictures: cached on disk, or from the own server; from others only on request.

Decodes nothing. Raises ApiError.
"""

import asyncio
from typing import Final

from tui.api.routes import uploads as routes
from tui.cache.images import ImageCache
from tui.content import web
from tui.errors import NotAPicture, NotAServer
from tui.sync.machine import Sync

MOST_BYTES: Final = 20 * 2**20
"""Largest picture."""

_THUMBNAILS: Final = "/user_uploads/thumbnail/"


def is_own(site: str, href: str) -> bool:
    """Whether a URL in a message leads to the user's own server."""
    return web.is_at(site, href)


async def fetch(sync: Sync, cache: ImageCache, href: str, *, is_asked: bool) -> bytes:
    """Return a picture's file; the API key goes to the own server only, whatever `href` is.

    Other servers are asked only if the user asked for the picture. Raises NotAPicture where that would be
    needed.
    """
    site = sync.connection.base_url.text
    url = web.joined(site, href)
    kept = await asyncio.to_thread(cache.read, url)
    if kept is not None:
        return kept
    path = url.removeprefix(site)
    # Thumbnails are served at once, uploads through a URL that works for a minute.
    is_upload = path.startswith("/user_uploads/") and not path.startswith(_THUMBNAILS)
    opened = (
        routes.download(sync.connection, url=url, max_bytes=MOST_BYTES, elsewhere=is_asked)
        if is_upload
        else sync.connection.download(url, max_bytes=MOST_BYTES, elsewhere=is_asked)
    )
    try:
        async with opened as coming:
            data = b"".join([chunk async for chunk in coming.chunks])
    except NotAServer as error:
        if is_asked or not error.redirected_to:
            raise
        sentence = f"it lies on {error.redirected_to}, which is contacted only when you open it"
        raise NotAPicture(sentence) from error
    await asyncio.to_thread(cache.keep, url, data)
    return data
