"""Completion: what a word becomes, names with spaces included."""

import pytest

from tests import eg
from tui.api.model import ChannelId, MessageId, Topic
from tui.store import Store
from tui.view.completions import completions
from tui.view.emoji import FAMILIAR, choice, unicode_emoji

CHANNELS = (
    eg.subscription(9, "design"),
    eg.subscription(8, "lamp room"),
    eg.subscription(7, "lamp"),
    eg.subscription(6, "a>b"),
)
EMOJI = (*FAMILIAR, *unicode_emoji({"1f321": ["temperature"], "1f375": ["tea"]}))


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
    first = completions(_store(), before, EMOJI)[0]
    assert before[: len(before) - first.replaces] + first.text == becomes


@pytest.mark.parametrize(
    "before", ["mail me@ma", "it is 10:30", "@", "#", "no mark here", ":)", "#12>c", "x#design>c"]
)
def test_ordinary_writing_is_left_alone(before: str) -> None:
    """An address, a time or a smile proposes nothing."""
    assert completions(_store(), before, FAMILIAR) == []


def test_people_of_the_same_name_are_told_apart_by_their_id() -> None:
    """Otherwise the server could not know who is meant."""
    twins = (eg.ME, eg.user(21, "Kim"), eg.user(22, "Kim"))
    store = Store.from_snapshot(eg.snapshot(users=twins))
    assert {each.text for each in completions(store, "@ki", ())} == {"@**Kim|21** ", "@**Kim|22** "}


def test_the_picture_that_servers_bring_can_be_chosen() -> None:
    """It is no character and nobody's own; an emoji of the organization with its name goes first."""
    store = Store.from_snapshot(eg.snapshot())
    (emoji,) = [each for each in choice(store, []) if each.name == "zulip"]
    assert (emoji.type, emoji.text) == ("service_extra_emoji", ":zulip:")
