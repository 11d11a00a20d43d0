"""Saved views: a narrow under a name. Raises ApiError; events update the store."""

from tui.api.routes import navigation_views as routes
from tui.narrow import Narrow, TopicNarrow, format_permalink
from tui.sync.machine import Sync


async def keep(sync: Sync, narrow: Narrow, name: str) -> None:
    """Save a narrow under a name; a topic with its newest message, to follow moves."""
    stretch = sync.store.messages.window(narrow).at(None)
    newest = (
        stretch.ids[-1] if isinstance(narrow, TopicNarrow) and stretch and stretch.ids else None
    )
    link = format_permalink(narrow, near=None, channel_name=None, with_id=newest)
    fragment = link.removeprefix("#")
    await routes.create(sync.connection, fragment=fragment, is_pinned=True, name=name)


async def rename(sync: Sync, fragment: str, name: str) -> None:
    """Rename the view."""
    await routes.edit(sync.connection, fragment=fragment, is_pinned=None, name=name)


async def pin(sync: Sync, fragment: str, *, pinned: bool) -> None:
    """Pin or unpin the view."""
    await routes.edit(sync.connection, fragment=fragment, is_pinned=pinned, name=None)


async def delete(sync: Sync, fragment: str) -> None:
    """Delete the view; its messages stay."""
    await routes.delete(sync.connection, fragment=fragment)
