"""Completion: what a word becomes, names with spaces included."""

from collections.abc import Sequence
from functools import partial

import pytest

from tests import eg
from tui.api.model import ChannelId, MessageId, Topic
from tui.narrow import DmNarrow, TopicNarrow
from tui.store import Store
from tui.view.completions import completions
from tui.view.emoji import NONE, Emoji, UnicodeEmoji, choice

CHANNELS = (
    eg.subscription(9, "design"),
    eg.subscription(8, "lamp room"),
    eg.subscription(7, "lamp"),
    eg.subscription(6, "a>b"),
)
LISTED = UnicodeEmoji({"1f321": ["temperature"], "1f375": ["tea"]})


def _none(_letters: str) -> Sequence[Emoji]:
    return ()


def _store() -> Store:
    store = Store.from_snapshot(eg.snapshot(channels=CHANNELS))
    store.topics.load(ChannelId(9), [Topic(name="colors", max_id=MessageId(1))])
    store.topics.load(ChannelId(8), [Topic(name="lenses", max_id=MessageId(2))])
    store.topics.load(ChannelId(6), [Topic(name="odd", max_id=MessageId(3))])
    return store


@pytest.mark.parametrize(
    ("before", "becomes"),
    [
        ("hello @ma", "hello @**Mary Member** "),
        ("@Mary M", "@**Mary Member** "),
        ("@_moe", "@_**Moe Member** "),
        ("see #des", "see #**design** "),
        ("see #lamp", "see #**lamp** "),
        ("see #**design>col", "see #**design>colors** "),
        ("see #design>col", "see #**design>colors** "),
        ("(#Design>", "(#**design>colors** "),
        ("see #**design** >col", "see #**design>colors** "),
        ("see #**design**>", "see #**design>colors** "),
        ("#lamp room>len", "#**lamp room>lenses** "),
        ("#a>b>o", "#**a>b>odd** "),
        ("#1 or #design>c", "#1 or #**design>colors** "),
        ("well done :tad", "well done :tada: "),
        ("more :te", "more :tea: "),
        ("(@mary", "(@**Mary Member** "),
    ],
)
def test_the_first_proposal_takes_the_place_of_what_was_typed(before: str, becomes: str) -> None:
    """Tab after a few letters writes what the server understands."""
    store = _store()
    first = completions(store, before, partial(choice, store, LISTED))[0]
    assert before[: len(before) - first.replaces] + first.text == becomes


@pytest.mark.parametrize(
    "before",
    [
        "mail me@ma",
        "it is 10:30",
        "a@",
        "@ noon",
        "# ",
        "no mark here",
        ":)",
        "#12>c",
        "x#design>c",
    ],
)
def test_ordinary_writing_is_left_alone(before: str) -> None:
    """An address, a time or a smile proposes nothing."""
    store = _store()
    assert completions(store, before, partial(choice, store, NONE)) == []


def test_a_mark_alone_proposes_who_wrote_here_last() -> None:
    """Then the others, `@all` after them, and never oneself; after `#` the channels that one has joined."""
    store = _store()
    others = [each for each in store.users.by_id.values() if each.user_id != store.self_id]
    people = [each for each in others if each.is_active]
    here = TopicNarrow(ChannelId(9), "colors")
    for at, writer in enumerate((people[0], people[1], eg.ME), 1):
        store.apply(eg.message_event(eg.message(at, channel_id=9, topic="colors", sender=writer)))
    store.messages.window(here).cover(1, 3, map(MessageId, (1, 2, 3)))
    shown = [each.text for each in completions(store, "so @_", _none, here)]
    assert shown[:2] == [f"@_**{people[at].full_name}** " for at in (1, 0)]
    assert "@_**all** " in shown[2:]
    assert f"@_**{eg.ME.full_name}** " not in shown
    direct = DmNarrow(frozenset({store.self_id, people[1].user_id}))
    assert completions(store, "@", _none, direct)[0].text == f"@**{people[1].full_name}** "
    channels = [each.text for each in completions(store, "#", _none)]
    assert sorted(channels) == sorted(f"#**{each.name}** " for each in CHANNELS)


def test_people_of_the_same_name_are_told_apart_by_their_id() -> None:
    """Otherwise the server could not know who is meant."""
    twins = (eg.ME, eg.user(21, "Kim"), eg.user(22, "Kim"))
    store = Store.from_snapshot(eg.snapshot(users=twins))
    assert {each.text for each in completions(store, "@ki", _none)} == {
        "@**Kim|21** ",
        "@**Kim|22** ",
    }


def test_the_picture_that_servers_bring_can_be_chosen() -> None:
    """It is no character and nobody's own; an emoji of the organization with its name goes first."""
    store = Store.from_snapshot(eg.snapshot())
    (emoji,) = [each for each in choice(store, NONE) if each.name == "zulip"]
    assert (emoji.type, emoji.text) == ("service_extra_emoji", ":zulip:")
