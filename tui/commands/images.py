"""The bytes of a picture: kept on disk, or from the own server. Others are fetched when asked only.

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
"""Of one picture."""

_THUMBNAILS: Final = "/user_uploads/thumbnail/"


def is_own(site: str, href: str) -> bool:
    """Whether an address of a message leads to the person's own server."""
    return web.is_at(site, href)


async def fetch(sync: Sync, cache: ImageCache, href: str, *, is_asked: bool) -> bytes:
    """A picture's file; the key goes to the own server only, whatever `href` is.

    Only where the person asked for it is another machine asked. Raises NotAPicture where it would have to be.
    """
    site = sync.connection.base_url.text
    url = web.joined(site, href)
    kept = await asyncio.to_thread(cache.read, url)
    if kept is not None:
        return kept
    path = url.removeprefix(site)
    # Thumbnails are given at once, uploads by way of an address that works for a minute.
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
