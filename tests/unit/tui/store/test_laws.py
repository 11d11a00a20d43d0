"""Whatever happens in whatever order, windows and unread counts say what a model server says.

Now and then the network fails, and a window shows what the disk has.
"""

import random
from dataclasses import dataclass, field

from hypothesis import given
from hypothesis import strategies as st

from tests import eg
from tests.unit.tui.store.server import CHANNELS, ModelServer
from tui.api.model import ChannelId, Message, MessageId, Topic
from tui.narrow import (
    AllDms,
    AllMessages,
    ChannelNarrow,
    DmNarrow,
    Mentions,
    Narrow,
    Starred,
    TopicNarrow,
)
from tui.store import NOTHING, Changes, Store
from tui.store.fetched_page import Page

NARROWS: tuple[Narrow, ...] = (
    AllMessages(),
    ChannelNarrow(ChannelId(1)),
    TopicNarrow(ChannelId(1), "tea"),
    TopicNarrow(ChannelId(2), "Tea"),
    DmNarrow(frozenset({eg.ME.user_id, eg.MARY.user_id})),
    AllDms(),
    Starred(),
    Mentions(),
)
FLAGS = ("read", "starred")

CHANCES = {
    "send": 4,
    "edit": 1,
    "move": 3,
    "delete": 1,
    "flag": 3,
    "react": 1,
    "hear": 4,
    "ask": 5,
    "answer": 4,
    "keep": 2,
    "borrow": 4,
}
STEPS = 50
TOPICS = ((1, "tea"), (1, "coffee"), (2, "tea"))

# A story is drawn from a seed: drawn step by step they come out too poor to find anything.
stories = st.integers(0, 2**32).map(random.Random)


@dataclass
class Model:
    """A server, a client that lags behind it, and answers that are on their way."""

    server: ModelServer = field(default_factory=ModelServer)
    store: Store = field(
        default_factory=lambda: Store.from_snapshot(eg.snapshot(channels=[*CHANNELS.values()]))
    )
    heard: int = 0
    answers: list[tuple[int, Page]] = field(default_factory=list)
    kept: list[Page] = field(default_factory=list)
    """What the disk has, which may be out of date."""

    def __post_init__(self) -> None:
        for channel, topic in [(1, "tea"), (1, "coffee"), (2, "tea"), (0, "")] * 4:
            self.server.send(channel, topic, "read")
        self.heard = len(self.server.events)  # long ago: the client was not there

    def pick(self, number: int) -> Message | None:
        """One of the server's messages, if there are any."""
        ids = sorted(self.server.messages)
        return self.server.messages[ids[number % len(ids)]] if ids else None

    def hear(self, count: int) -> Changes:
        """The next events arrive."""
        changes = NOTHING
        for event in self.server.events[self.heard : self.heard + count]:
            changes = changes.merge(self.store.apply(event))
        self.heard = min(len(self.server.events), self.heard + count)
        self.store.messages.drop_cached()  # the server answers
        return changes

    def ask(self, narrow: Narrow, number: int, size: int) -> None:
        """A fetch begins, and the server answers it at once; the answer takes its time."""
        anchor = self.pick(number)
        near = None if number % 3 == 0 or anchor is None else anchor.id
        ticket = self.store.messages.begin_fetch()
        self.answers.append((ticket, self.server.fetch(narrow, near, size, size)))

    def answer(self, number: int) -> None:
        """One of the answers arrives."""
        if self.answers:
            self.store.messages.finish_fetch(*self.answers.pop(number % len(self.answers)))

    def settle(self) -> None:
        """Everything arrives, and what the client does not know it looks up."""
        while self.answers:
            self.answer(0)
        self.hear(len(self.server.events))
        ticket = self.store.messages.begin_fetch()
        wanted = [self.server.messages.get(i) for i in sorted(self.store.messages.pending_lookups)]
        self.store.messages.finish_lookup(ticket, [m for m in wanted if m is not None])

    def live(self, story: random.Random) -> None:
        """A random story, to its end."""
        for _ in range(STEPS):
            (step,) = story.choices([*CHANCES], [*CHANCES.values()])
            number = story.randrange(1000)
            match step:
                case "send":
                    place = story.choice([(0, ""), *TOPICS])
                    self.server.send(*place, *story.choice([[], ["read"], ["mentioned"]]))
                case "hear":
                    self.hear(story.randint(1, 4))
                case "ask":
                    self.ask(story.choice(NARROWS), number, story.randint(0, 3))
                case "answer":
                    self.answer(number)
                case "keep":
                    self.kept.append(self.server.fetch(story.choice(NARROWS), None, 3, 0))
                case "borrow" if self.kept:
                    self.store.messages.show_cached(story.choice(self.kept))
                case _:
                    message = self.pick(number)
                    if message is not None:
                        self._change(message, step, story)
        self.settle()

    def _change(self, message: Message, step: str, story: random.Random) -> None:
        match step:
            case "edit":
                self.server.edit(message.id, f"<p>edited {len(self.server.events)}</p>")
            case "delete":
                self.server.delete(message.id)
            case "flag":
                self.server.flag(message.id, story.choice(FLAGS), on=story.random() < 0.5)
            case "react":
                self.server.react(message.id, on=story.random() < 0.5)
            case "move" if message.channel_id is not None:
                here = message.channel_id, message.topic
                there = story.choice(TOPICS)
                later = sorted(
                    m.id
                    for m in self.server.messages.values()
                    if (m.channel_id, m.topic) == here and m.id >= message.id
                )
                if here != there and story.random() < 0.2:
                    self.server.move(self.server.topic(*here), *there, mode="change_all")
                elif here != there:
                    self.server.move(later[: story.randint(1, 3)], *there)


@given(stories)
def test_a_window_lists_what_the_narrow_contains(story: random.Random) -> None:
    """However fetches and events cross, a conversation shows all of its messages and no others."""
    world = Model()
    world.live(story)
    for narrow, window in world.store.messages.windows.items():
        inside = [m.id for m in world.server.inside(narrow)]
        for stretch in window.stretches:
            assert stretch.ids == [i for i in inside if stretch.low <= i <= stretch.high], narrow
    for message_id in _listed(world.store):
        assert _plain(world.store.messages.by_id[message_id]) == _plain(
            world.server.messages[message_id]
        )


@given(stories)
def test_unread_counts_are_the_unread_messages(story: random.Random) -> None:
    """The number beside every conversation is the number of its unread messages."""
    world = Model()
    world.live(story)
    assert world.store.unreads.by_conversation() == world.server.unread()
    mentions = {
        message.id
        for message in world.server.messages.values()
        if "mentioned" in message.flags and "read" not in message.flags
    }
    assert world.store.unreads.mentions == mentions


@given(stories)
def test_a_topic_without_messages_is_listed_nowhere_and_left_by_its_readers(
    story: random.Random,
) -> None:
    """Topics are renamed, merged, split and emptied: the list has those with messages, and whoever
    reads in one that was left by all of its messages is told where they went."""
    world = Model()
    for channel_id, topic in TOPICS:
        world.ask(TopicNarrow(ChannelId(channel_id), topic), 0, 100)
    world.settle()
    for channel in CHANNELS.values():
        world.store.topics.load(channel.channel_id, _topics(world.server, channel.channel_id))
    for _ in range(STEPS):
        message = world.pick(story.randrange(1000))
        step = story.choice(["send", "delete", "move", "move"])
        if step == "send" or message is None:
            world.server.send(*story.choice(TOPICS))
        else:
            world._change(message, step, story)
        changes = world.hear(1)
        for channel in CHANNELS.values():
            known = {each.name for each in world.store.topics.of(channel.channel_id)}
            real = {each.name for each in _topics(world.server, channel.channel_id)}
            assert known <= real, "a topic that has no messages is listed"
        for move in changes.moves:
            assert move.is_whole == (not world.server.inside(move.source))


def _topics(server: ModelServer, channel_id: ChannelId) -> list[Topic]:
    newest: dict[str, MessageId] = {}
    for message in sorted(server.messages.values(), key=lambda message: message.id):
        if message.channel_id == channel_id:
            newest[message.topic] = message.id
    return [Topic(name=name, max_id=max_id) for name, max_id in newest.items()]


def _listed(store: Store) -> set[MessageId]:
    return {i for window in store.messages.windows.values() for i in window.ids()}


def _plain(message: Message) -> tuple[object, ...]:
    return (message.channel_id, message.topic, message.content, message.flags, message.reactions)
