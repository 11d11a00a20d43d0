"""THE law of events: who listens knows the same as who has just asked for everything.

Whatever people do, in whatever order, with answers lost, queues forgotten and the server started
anew in between. And what the server keeps of an answer for the next one is what it would find anew.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.access.users import anonymous_user
from server_lite.events.base import ClientCapabilities
from server_lite.ids import UserId
from server_lite.objects.encoded import open_object
from server_lite.snapshot import initial_state
from server_lite.snapshot.base import SnapshotRequest
from server_lite.store import unread_messages, users
from server_lite.store.connection import Db
from tests.contract.clients import Listener, OldListener
from tests.contract.in_memory_server import START, InMemoryServer, copied, found_town
from tests.contract.operations import OPERATIONS, Step
from tui.api.model import ChannelId
from tui.narrow import ChannelNarrow

FAULTS: Final = ("lose_answer", "lose_queue", "restart", "look", "fall_behind", "ask")
"""What happens to listeners rather than to the organization."""

steps = st.builds(
    Step,
    name=st.sampled_from((*OPERATIONS, *FAULTS)),
    who=st.integers(0, 8),
    number=st.integers(0, 2**64 - 1),
)


@dataclass(slots=True)
class Run:
    """One sequence of operations, and everybody's clients."""

    town: InMemoryServer
    listeners: dict[int, Listener] = field(default_factory=dict)
    old: dict[int, OldListener] = field(default_factory=dict)
    behind: set[int] = field(default_factory=set)
    done: Counter[str] = field(default_factory=Counter)
    """How often each operation was not refused."""

    async def take(self, step: Step) -> None:
        """An operation, or a fault."""
        await self._join()
        if step.name in FAULTS:
            await self._fail(step)
            return
        answer = await step.run(self.town)
        if answer is not None and answer["status"] == 200:
            self.done[step.name] += 1
            self._look_at_memory(step.number)

    def _look_at_memory(self, number: int) -> None:
        """Somebody's whole state, from what is kept and from the tables alone."""
        reader = self.town.app.database.reader
        person = [None, *self.town.people][number % (len(self.town.people) + 1)]
        user = None if person is None else users.by_id(reader, UserId(person.id))
        shape = ClientCapabilities(
            **{
                one.name: bool(number >> bit & 1)
                for bit, one in enumerate(fields(ClientCapabilities))
            }
        )
        kept, fresh = (
            initial_state(
                db,
                SnapshotRequest(
                    user=user or anonymous_user(),
                    shape=shape,
                    include_subscribers="true",
                    now=START,
                ),
                None,
            )
            for db in (reader, Db(reader.connection))
        )
        assert orjson.loads(open_object(kept) + b"}") == orjson.loads(open_object(fresh) + b"}")

    async def _join(self) -> None:
        """Who has come since gets clients too."""
        for person in self.town.people:
            if person.id not in self.listeners:
                self.listeners[person.id] = Listener(person)
                self.old[person.id] = OldListener(person)
                await self.listeners[person.id].start()
                await self.old[person.id].catch_up()

    async def _fail(self, step: Step) -> None:
        people = list(self.listeners.values())
        listener = people[step.who % len(people)]
        match step.name:
            case "lose_answer":
                if listener.store is not None:
                    await listener.lose_answer()
            case "lose_queue":
                await listener.lose_queue()
            case "restart":
                self.town.restart()
            case "look":
                await listener.check()
            case "fall_behind":
                await listener.catch_up()
            case "ask":
                channel = self.town.one("SELECT id FROM channel", step.number)
                await listener.ask_for(ChannelNarrow(ChannelId(channel or 1)))

    async def finish(self) -> None:
        """Everybody knows what there is to know."""
        await self._join()
        for listener in self.listeners.values():
            await listener.check()
        assert unread_messages.count_wrong(self.town.app.database.reader) == 0
        for old in self.old.values():
            await old.catch_up()

    async def close(self) -> None:
        """Free everything."""
        for listener in self.listeners.values():
            await listener.close()
        self.town.close()


async def live_through(town: InMemoryServer, taken: list[Step]) -> Run:
    """Do all of it, and look whether everybody knows."""
    run = Run(town)
    try:
        for step in taken:
            await run.take(step)
        await run.finish()
    finally:
        await run.close()
    return run


@dataclass(frozen=True, slots=True)
class Template:
    """A founded organization, to be copied."""

    file: Path
    people: list[tuple[str, str, int]]

    def town(self) -> InMemoryServer:
        """A fresh copy; the one before it is gone."""
        return copied(self.file, self.people, self.file.with_name("copy.db"))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Founded once, since that costs as much as a hundred operations."""
    file = tmp_path_factory.mktemp("town") / "template.db"
    return Template(file, found_town(file))


@pytest.fixture(autouse=True, scope="module")
def _small_batches() -> Iterator[None]:
    """Rows of unread messages are copied from table to table all the time, not only after many messages."""
    with pytest.MonkeyPatch.context() as patch:
        for name, limit in (("BATCH", 3), ("PASS", 3), ("SLICE", 2)):
            patch.setattr(unread_messages, name, limit)
        yield


@settings(max_examples=5)
@given(taken=st.lists(steps, min_size=30, max_size=120))
def test_listening_leads_to_what_register_says(template: Template, taken: list[Step]) -> None:
    """My client, open all day, shows the same as one that I have just started."""
    asyncio.run(live_through(template.town(), taken))


@pytest.mark.soak
@pytest.mark.timeout(7200)
@given(taken=st.lists(steps, min_size=1, max_size=150))
def test_listening_leads_to_what_register_says_for_long(
    template: Template, taken: list[Step]
) -> None:
    """The same, for as many days as there is time."""
    asyncio.run(live_through(template.town(), taken))
