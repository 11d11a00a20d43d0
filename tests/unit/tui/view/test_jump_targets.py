"""Everywhere one can jump: views of every kind by their names, and what one keeps by the name one gave it."""

from dataclasses import dataclass, field
from random import Random

from hypothesis import given

from tests import eg
from tests.unit.tui.store.test_laws import Model, stories
from tui.api.model import MessageId, NavigationView, Topic
from tui.narrow import Search, Term
from tui.store import Changes, Store
from tui.store.optimistic import FlagChange, affected
from tui.view.jump_targets import JumpTarget, JumpTargets, places
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
    rows = sidebar(_store(), opened=None, expanded=frozenset(), drafts=0, now=eg.NOW, query="links")
    assert [row.label for row in rows] == ["Mary's [b]links", "links"]


def test_one_can_jump_to_every_view_but_write_to_none() -> None:
    """The inbox and a kept search lead somewhere; nobody can be written to there."""
    known = _known()
    labels = {place.label: place.detail for place in known.places(_store())}
    assert labels["links"] == "saved: Search: has:link"
    assert labels["Inbox"] == labels["Unread"] == "view"
    written_to = {place.label for place in known.destinations(_store())}
    assert not {"links", "Inbox", "Unread"} & written_to


def _known() -> JumpTargets[JumpTarget]:
    return JumpTargets(lambda place: place)


@dataclass
class _Kept(Model):
    """A client that keeps the places, and asks for them after everything it hears."""

    known: JumpTargets[JumpTarget] = field(default_factory=_known)

    def hear(self, count: int) -> Changes:
        changes = super().hear(count)
        self.known.follow(self.store, changes)
        assert self.known.places(self.store) == places(self.store)
        return changes


@given(stories)
def test_places_that_are_kept_are_those_made_from_scratch(story: Random) -> None:
    """Messages come, move, go, are read and unread; also what was just marked read counts no more."""
    world = _Kept()
    world.live(story)
    store = world.store
    operation = FlagChange(message_ids=frozenset(store.unreads), flag="read", on=True)
    operation_id = store.pending.add(operation)
    world.known.follow(store, affected(operation))
    assert world.known.places(store) == places(store)
    store.pending.rollback(operation_id)
    world.known.follow(store, affected(operation))
    assert world.known.places(store) == places(store)


def test_a_message_makes_the_places_of_its_channel_anew_and_no_others() -> None:
    """A list of thousands of topics is opened at the touch of a key."""
    channels = [eg.subscription(number, f"channel {number}") for number in range(1, 60)]
    store = Store.from_snapshot(eg.snapshot(channels=channels))
    for channel in channels:
        topics = [Topic(name=f"topic {each}", max_id=MessageId(each)) for each in range(20)]
        store.topics.load(channel.channel_id, topics)
    made: list[JumpTarget] = []
    known = JumpTargets[None](made.append)
    known.destinations(store)
    assert len(made) > 59 * 21
    made.clear()
    known.destinations(store)
    assert not made
    message = eg.message(100, channel_id=7, topic="topic 3")
    known.follow(store, store.apply(eg.message_event(message, 1)))
    known.destinations(store)
    assert len(made) == 20
