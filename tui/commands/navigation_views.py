"""Views that the person keeps: a place or a search under a name. Raises ApiError; events tell the store."""

from tui.api.routes import navigation_views as routes
from tui.narrow import Narrow, TopicNarrow, format_permalink
from tui.sync.machine import Sync


async def keep(sync: Sync, narrow: Narrow, name: str) -> None:
    """Keep what a narrow shows under a name; a topic with its newest message, should it be moved."""
    stretch = sync.store.messages.window(narrow).at(None)
    newest = (
        stretch.ids[-1] if isinstance(narrow, TopicNarrow) and stretch and stretch.ids else None
    )
    link = format_permalink(narrow, near=None, channel_name=None, with_id=newest)
    fragment = link.removeprefix("#")
    await routes.create(sync.connection, fragment=fragment, is_pinned=True, name=name)


async def rename(sync: Sync, fragment: str, name: str) -> None:
    """Rename it."""
    await routes.edit(sync.connection, fragment=fragment, is_pinned=None, name=name)


async def pin(sync: Sync, fragment: str, *, pinned: bool) -> None:
    """Pin or unpin it."""
    await routes.edit(sync.connection, fragment=fragment, is_pinned=pinned, name=None)


async def delete(sync: Sync, fragment: str) -> None:
    """Delete it; the messages it shows stay."""
    await routes.delete(sync.connection, fragment=fragment)
