"""Laws of messages: who may read, list and hear of which. A model of a few lines and the server must agree."""

from dataclasses import dataclass, field
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from server_lite.access.messages import access_message, audiences_of, visible_among
from server_lite.access.recipients import ChannelRecipient, DirectRecipient
from server_lite.actions.channels import NewChannel, create_channel
from server_lite.actions.flags import set_flag
from server_lite.actions.messages import send_message
from server_lite.actions.subscriptions import subscribe, unsubscribe
from server_lite.actions.users import create_user
from server_lite.errors import ApiError
from server_lite.ids import MessageId
from server_lite.narrow.query import query
from server_lite.store import messages
from server_lite.store.channels import ChannelRow
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, UserRow
from tests.contract.rolled_back import Undone

ROLES: Final = (Role.OWNER, Role.MEMBER, Role.MEMBER, Role.GUEST)
KINDS: Final = {
    "public": NewChannel(),
    "private": NewChannel(invite_only=True, history_public_to_subscribers=True),
    "protected": NewChannel(invite_only=True, history_public_to_subscribers=False),
    "web": NewChannel(is_web_public=True),
}
people = st.integers(0, len(ROLES) - 1)
places = st.sampled_from(list(KINDS))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("join"), people, places),
        st.tuples(st.just("leave"), people, places),
        st.tuples(st.just("say"), people, places),
        st.tuples(st.just("write"), people, st.sets(people, min_size=1, max_size=3)),
        st.tuples(st.just("star"), people, st.integers(1, 20)),
    ),
    max_size=24,
)


@dataclass
class ModelMessage:
    """A message as the model knows it."""

    place: str | None
    there: frozenset[int]
    """Who was in the channel, or in the conversation."""


@dataclass
class Model:
    """The server's rows beside a model of what each person may read."""

    users: list[UserRow]
    channels: dict[str, ChannelRow]
    inside: dict[str, set[int]] = field(default_factory=lambda: {name: set() for name in KINDS})
    said: dict[int, ModelMessage] = field(default_factory=dict)
    kept: set[tuple[int, int]] = field(default_factory=set)
    """(person, message) that somebody starred, or sent from outside."""

    def may_read(self, person: int, message_id: int) -> bool:
        said = self.said.get(message_id)
        if said is None:
            return False
        if said.place is None:
            return person in said.there
        if said.place == "web" or (said.place == "public" and ROLES[person] != Role.GUEST):
            return True
        if person not in self.inside[said.place]:
            return False
        return said.place != "protected" or person in said.there

    def is_own(self, person: int, message_id: int) -> bool:
        was_sent = person in self.said[message_id].there or (person, message_id) in self.kept
        return was_sent and self.may_read(person, message_id)


def build(tx: Tx) -> Model:
    """Four people, and a channel of each kind with nobody in it."""
    users = [
        create_user(tx, email=f"p{n}@example.com", full_name=f"P{n}", role=role, password=None)
        for n, role in enumerate(ROLES)
    ]
    channels = {
        name: create_channel(tx, None, name=name, options=options)
        for name, options in KINDS.items()
    }
    return Model(users, channels)


def take(tx: Tx, world: Model, step: tuple[str, int, object]) -> None:
    """One step, on the server and in the model."""
    what, person, where = step
    user = world.users[person]
    if what == "write":
        assert isinstance(where, set)
        ids = where | {person}
        to = DirectRecipient(tuple(world.users[one] for one in sorted(ids)))
        sent = send_message(tx, user, to, "hi", client="test").id
        world.said[sent] = ModelMessage(None, frozenset(ids))
        return
    if what == "star":
        assert isinstance(where, int)
        known = sorted(world.said)
        if known and world.may_read(person, one := known[where % len(known)]):
            set_flag(tx, user, "starred", [one])
            world.kept.add((person, one))
        return
    assert isinstance(where, str)
    channel = world.channels[where]
    if what == "join":
        subscribe(tx, [channel], [user])
        world.inside[where].add(person)
    elif what == "leave":
        unsubscribe(tx, [channel], [user])
        world.inside[where].discard(person)
    else:
        sent = send_message(tx, user, ChannelRecipient(channel, "tea"), "hi", client="test").id
        world.said[sent] = ModelMessage(where, frozenset(world.inside[where]))
        world.kept.add((person, sent))


def agree(tx: Tx, world: Model) -> None:
    """Asked one by one, as a list, as a feed and as an audience: the same answer."""
    ids = [*world.said, 10**6]
    for person, user in enumerate(world.users):
        allowed = [one for one in ids if world.may_read(person, one)]
        assert [one for one in ids if can_access(tx, user, one)] == allowed
        assert visible_among(tx, user, ids) == sorted(allowed)
        own = [one for one in sorted(world.said) if world.is_own(person, one)]
        assert query(tx, user, []).ids(tx, limit=100) == own
    for one in world.said:
        row = messages.by_id(tx, MessageId(one))
        assert row is not None
        told = frozenset[int]().union(*audiences_of(tx, [row]))
        place = world.said[one].place
        concerned = world.said[one].there if place is None else world.inside[place]
        assert told == {
            user.id
            for person, user in enumerate(world.users)
            if world.may_read(person, one) and (person in concerned or (person, one) in world.kept)
        }


def can_access(tx: Tx, user: UserRow, message_id: int) -> bool:
    """Whether asking for the one message succeeds."""
    try:
        return access_message(tx, user, MessageId(message_id)).id == message_id
    except ApiError as error:
        return error.msg != "Invalid message(s)"


@given(steps)
@example(  # came later
    [("join", 0, "protected"), ("say", 0, "protected"), ("join", 1, "protected")]
)
@example(  # was away in between
    [
        ("join", 0, "protected"),
        ("join", 1, "protected"),
        ("leave", 1, "protected"),
        ("say", 0, "protected"),
        ("join", 1, "protected"),
        ("say", 0, "protected"),
    ]
)
def test_everybody_reads_what_they_may_and_nothing_else(
    database: Database, taken: list[tuple[str, int, object]]
) -> None:
    """A private word stays private, whatever joining, leaving and starring came before."""

    def run(tx: Tx) -> None:
        world = build(tx)
        for step in taken:
            take(tx, world, step)
        agree(tx, world)
        raise Undone

    with pytest.raises(Undone):
        database.write_now(run)
