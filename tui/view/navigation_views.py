"""The user's saved views as lines, as far as they can be opened here. Pure."""

from tui.api.model import MessageId, NavigationView
from tui.content.sanitize import sanitize_line
from tui.dataclass import dataclass
from tui.narrow import Narrow, parse_permalink
from tui.store import Store
from tui.view import names


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptView:
    """A saved view with its narrow; texts are sanitized."""

    fragment: str
    name: str
    narrow: Narrow
    with_id: MessageId | None
    """A message of the conversation, to find it after a move."""
    narrow_text: str
    """The narrow, with names."""
    is_pinned: bool


def kept_views(store: Store) -> list[KeptView]:
    """Return the named views in the server's order, pinned ones first.

    A client's own pages (inbox, recent) are not among them.
    """
    views = [view for each in store.navigation_views.all() if (view := _kept(store, each))]
    return sorted(views, key=lambda view: not view.is_pinned)


def _kept(store: Store, view: NavigationView) -> KeptView | None:
    link = parse_permalink(f"#{view.fragment}", store.self_id) if view.name else None
    if link is None:
        return None
    return KeptView(
        fragment=view.fragment,
        name=sanitize_line(view.name or ""),
        narrow=link.narrow,
        with_id=link.with_id,
        narrow_text=names.narrow(store, link.narrow),
        is_pinned=view.is_pinned,
    )
