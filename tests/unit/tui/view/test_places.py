"""Everywhere one can jump: views of every kind by their names, and what one keeps by the name one gave it."""

from tests import eg
from tui.api.model import NavigationView
from tui.narrow import Search, Term
from tui.store import Store
from tui.view.places import destinations, places
from tui.view.sidebar import sidebar


def _view(fragment: str, name: str | None, *, pinned: bool) -> NavigationView:
    return NavigationView(fragment=fragment, is_pinned=pinned, name=name)


def _store() -> Store:
    kept = (
        _view("narrow/has/link", "links", pinned=False),
        _view("narrow/sender/11/has/link", "Mary's [b]links", pinned=True),
        _view("narrow/channel/9-x/search/tea", "a tea", pinned=True),
        _view("inbox", None, pinned=True),
        _view("narrow/unheard-of/x", "from a newer client", pinned=True),
    )
    return Store.from_snapshot(
        eg.snapshot(channels=(eg.subscription(9, "general"),), navigation_views=kept)
    )


def test_kept_views_stand_in_the_list_in_the_order_of_the_server() -> None:
    """Those that are pinned; a search is marked while it is what is open."""
    opened = Search((Term("channel", 9), Term("search", "tea")))
    rows = sidebar(_store(), opened=opened, expanded=frozenset(), drafts=0, now=eg.NOW)
    kept = [(row.label, row.is_open) for row in rows if row.kind == "kept"]
    assert kept == [("Mary's [b]links", False), ("a tea", True)]


def test_the_filter_of_the_list_finds_those_too_that_are_not_pinned() -> None:
    """Whatever has a name is found by it."""
    rows = sidebar(
        _store(), opened=None, expanded=frozenset(), drafts=0, now=eg.NOW, wanted="links"
    )
    assert [row.label for row in rows] == ["Mary's [b]links", "links"]


def test_one_can_jump_to_every_view_but_write_to_none() -> None:
    """The inbox and a kept search lead somewhere; nobody can be written to there."""
    labels = {place.label: place.detail for place in places(_store())}
    assert labels["links"] == "kept: Search: has:link"
    assert labels["Inbox"] == labels["Unread"] == "view"
    assert not {"links", "Inbox", "Unread"} & {place.label for place in destinations(_store())}
