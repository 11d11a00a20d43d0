"""Client and server agree on what belongs to a narrow, wherever the client claims to know."""

import asyncio
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.contract.in_memory_server import InMemoryServer, Person, copied, found_town
from tests.contract.operations import OPERATIONS, Step
from tui.api import decode
from tui.api.model import Message, MessageId, UserId
from tui.narrow import Search, Term, narrow_of
from tui.narrow.terms import HAS_OPERANDS, IS_OPERANDS

TALK: Final = tuple(
    name for name in OPERATIONS if OPERATIONS[name].__module__.endswith((".messages", ".channels"))
)
PEOPLE = st.integers(1, 8)
CHANNELS = st.integers(1, 7)
ADDRESSES = st.sampled_from(("mary@example.com", "GINA@example.com", "adam@example.com,moe@x"))
NAMES = st.sampled_from(("kitchen", "Welcome", "attic", "nowhere"))
TOPICS = st.sampled_from(("tea", "TEA", "", "✔ tea", "cake", "T-12", "general chat", "käse"))

operands: Final = {
    "channel": st.one_of(CHANNELS, NAMES),
    "channels": st.sampled_from(("public", "web-public", "archived")),
    "topic": TOPICS,
    "dm": st.one_of(st.lists(PEOPLE, min_size=1, max_size=3).map(tuple), PEOPLE, ADDRESSES),
    "dm-including": st.one_of(PEOPLE, ADDRESSES),
    "group-pm-with": PEOPLE,
    "sender": st.one_of(PEOPLE, ADDRESSES),
    "is": st.sampled_from(sorted(IS_OPERANDS)),
    "has": st.sampled_from(sorted(HAS_OPERANDS)),
    "search": st.sampled_from(("hello", "biscuits", "wave")),
    "id": st.integers(1, 60),
    "with": st.integers(1, 60),
    "near": st.integers(1, 60),
    "mentions": PEOPLE,
    "in": st.sampled_from(("home", "all")),
}
terms = st.one_of(
    *(
        st.builds(Term, operator=st.just(name), operand=operand, negated=st.booleans())
        for name, operand in operands.items()
    )
)


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody, and every message that they may read."""

    person: Person
    messages: tuple[Message, ...]


async def _talked(town: InMemoryServer) -> list[Reader]:
    """A day of talking, and who can read what of it."""
    chance = random.Random(3)
    for _ in range(300):
        step = Step(chance.choice(TALK), chance.randrange(8), chance.getrandbits(64))
        await step.run(town)
    ids = town.ids("SELECT id FROM message")
    return [Reader(person, await _fetched(person, message_ids=ids)) for person in town.people]


async def _fetched(person: Person, **parameters: object) -> tuple[Message, ...]:
    answer = await person.get("messages", allow_empty_topic_name=True, **parameters)
    assert answer["status"] == 200, answer
    return decode.field(tuple[Message, ...], answer, "messages", "messages")


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Reader]]:
    """The same talk for all examples: narrows are only read."""
    folder: Path = tmp_path_factory.mktemp("town")
    people = found_town(folder / "template.db")
    town = copied(folder / "template.db", people, folder / "copy.db")
    yield asyncio.run(_talked(town))
    town.close()


async def _inside(person: Person, narrow: Search) -> frozenset[MessageId] | None:
    """What the server finds; None if it does not take the narrow."""
    answer = await person.get(
        "messages", narrow=narrow.to_api(), anchor="newest", num_before=4000, num_after=0
    )
    if answer["status"] != 200:
        assert answer["code"] == "BAD_NARROW", answer
        return None
    return frozenset(MessageId(message["id"]) for message in answer["messages"])


@settings(max_examples=max(200, settings().max_examples))
@given(who=st.integers(0, 4), conditions=st.lists(terms, min_size=1, max_size=3))
@example(who=1, conditions=[Term("topic", "general chat")])
@example(who=1, conditions=[Term("with", 17), Term("channel", 2)])
def test_both_sides_agree_on_what_belongs(
    readers: list[Reader], who: int, conditions: list[Term]
) -> None:
    """A message shown in a narrow as it comes in is still there when I open the narrow anew."""
    reader = readers[who]
    narrow = narrow_of(conditions, UserId(reader.person.id))
    inside = asyncio.run(_inside(reader.person, Search(tuple(conditions))))
    if inside is None:
        return
    for message in reader.messages:
        claimed = narrow.contains(message)
        assert claimed in (None, message.id in inside), (narrow, message)


def test_the_client_knows_most_of_it(readers: list[Reader]) -> None:
    """The ordinary views are kept current without asking the server."""
    ordinary = (
        [Term("channel", 1)],
        [Term("channel", 1), Term("topic", "tea")],
        [Term("is", "dm")],
    )
    for reader in readers:
        for conditions in ordinary:
            narrow = narrow_of(conditions, UserId(reader.person.id))
            assert all(narrow.contains(message) is not None for message in reader.messages)
