"""One person with a client on each of two machines, below the screen, and a server that fails. No waiting.

The person writes on one machine, then on the other. Where `is_deaf`, a machine hears of nothing, while its requests
arrive: as after a sleep.
"""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, cast

from tests import eg
from tests.unit.tui.sync.script import (
    Audience,
    FakeEnvironment,
    Handler,
    Reply,
    Request,
    Script,
    _json,
    lost,
    refusal,
    success,
    unreachable,
)
from tui.api.encode import encode
from tui.api.events import BaseEvent, DraftsAddEvent, DraftsRemoveEvent, DraftsUpdateEvent
from tui.api.model import ChannelId, Draft, DraftId, EventId
from tui.cache.database import Database
from tui.cache.drafts import DraftFile
from tui.commands.drafts import DraftSync
from tui.commands.outbox import KeyFactory
from tui.narrow import TopicNarrow
from tui.screens.compose.controller import ComposeController
from tui.store import Changes, Store
from tui.sync.machine import Environment, Sync
from tui.sync.status import Live, Status

TOPICS: Final = tuple(TopicNarrow(ChannelId(9), name) for name in ("budget", "greetings", "tea"))
LONG: Final = 300
"""Turns of the loop in which all that is under way has been done, unless the network fails."""
BETWEEN_SECONDS: Final = 70.0
"""From one machine to the other."""


async def turns(number: int) -> None:
    """Let others run."""
    for _ in range(number):
        await asyncio.sleep(0)


class Routes(dict[str, Handler]):
    """Handlers by route; those of single drafts are made when asked for."""

    def __init__(self, made: Callable[[str, DraftId], Handler]) -> None:
        super().__init__()
        self._made = made

    def __missing__(self, route: str) -> Handler:
        verb, path = route.split()
        return self._made(verb, DraftId(int(path.rpartition("/")[2])))


class DraftServer:
    """Stores drafts and tells of them; of its requests and answers a part gets lost while it is `failing`."""

    def __init__(self, chance: Random) -> None:
        self.drafts: dict[DraftId, Draft] = {}
        self.failing = 0.0
        self.news = asyncio.Event()
        self._chance = chance
        self._queue = 1
        self._events: list[BaseEvent] = []
        self._ids = map(DraftId, itertools.count(1))
        self._answers: dict[str, list[DraftId]] = {}

    def forget_queues(self) -> None:
        self._queue += 1
        self.news.set()

    def serve(self, machine: "Machine") -> None:
        script = machine.script
        script.handlers = Routes(lambda verb, draft_id: self._one(verb, draft_id))
        script.on("POST /register", lambda _: self._register())
        script.on("GET /events", lambda request: self._poll(request, machine))
        script.on("GET /drafts", lambda _: self._done(self._listed))
        script.on("POST /drafts", lambda request: self._done(lambda: self._create(request)))

    def _one(self, verb: str, draft_id: DraftId) -> Handler:
        def handle(request: Request) -> Awaitable[Reply]:
            if draft_id not in self.drafts:
                return self._done(lambda: refusal("BAD_REQUEST", 404))
            change = self._edit if verb == "PATCH" else self._delete
            return self._done(lambda: change(draft_id, request))

        return handle

    async def _done(self, effect: Callable[[], Reply]) -> Reply:
        await turns(self._chance.randrange(4))
        if self._chance.random() < self.failing:
            return unreachable()
        reply = effect()
        await turns(self._chance.randrange(4))
        return lost() if self._chance.random() < self.failing else reply

    async def _register(self) -> Reply:
        await turns(self._chance.randrange(4))
        last = self._events[-1].id if self._events else EventId(0)
        reply = success(
            **_json(
                eg.snapshot(
                    channels=[eg.subscription(9)],
                    drafts=tuple(self.drafts.values()),
                    queue_id=f"queue-{self._queue}",
                    last_event_id=last,
                    idempotency_keys=True,
                )
            )
        )
        await turns(self._chance.randrange(9))
        return reply

    async def _poll(self, request: Request, machine: "Machine") -> Reply:
        last = int(request.parameters["last_event_id"])
        while True:
            await turns(self._chance.randrange(4))
            if request.parameters["queue_id"] != f"queue-{self._queue}":
                return refusal("BAD_EVENT_QUEUE_ID")
            if self._chance.random() < self.failing:
                return lost()
            events = [] if machine.is_deaf else [each for each in self._events if each.id > last]
            if events or request.parameters.get("dont_block") == "true":
                part = events[: self._chance.randint(1, 3)]
                return success(events=[encode(event) for event in part])
            self.news.clear()
            await self.news.wait()

    def _tell(self, kind: type[BaseEvent], **fields: Any) -> None:
        self._events.append(eg.event(kind, len(self._events) + 1, **fields))
        self.news.set()

    def _listed(self) -> Reply:
        return success(drafts=[encode(draft) for draft in self.drafts.values()])

    def _create(self, request: Request) -> Reply:
        assert request.key is not None
        if request.key not in self._answers:
            (fields,) = json.loads(request.parameters["drafts"])
            draft = self._written(next(self._ids), fields)
            self._tell(DraftsAddEvent, drafts=(draft,))
            self._answers[request.key] = [draft.id]
        return success(ids=self._answers[request.key])

    def _edit(self, draft_id: DraftId, request: Request) -> Reply:
        draft = self._written(draft_id, json.loads(request.parameters["draft"]))
        self._tell(DraftsUpdateEvent, draft=draft)
        return success()

    def _delete(self, draft_id: DraftId, _: Request) -> Reply:
        del self.drafts[draft_id]
        self._tell(DraftsRemoveEvent, draft_id=draft_id)
        return success()

    def _written(self, draft_id: DraftId, fields: dict[str, Any]) -> Draft:
        draft = eg.draft(
            draft_id,
            type=fields["type"],
            to=tuple(fields["to"]),
            topic=fields["topic"],
            content=fields["content"].strip(),
            timestamp=fields["timestamp"],
        )
        self.drafts[draft_id] = draft
        return draft


class Field:
    """Takes the composer's place: its text, and whether it has the focus."""

    is_empty = False
    document = replace_end = None

    def __init__(self) -> None:
        self.text = ""
        self.is_focused = False
        self.is_editing = False
        self.composer = self
        self.document = self
        self.end = 0

    @property
    def whole(self) -> str:
        return self.text

    def load_text(self, text: str) -> None:
        self.text = text

    def move_cursor(self, _: object) -> None: ...

    def set_hint(self, _: str) -> None: ...

    def show(self, **_: str) -> None: ...


class Composing(ComposeController):
    """The composer's state; names no keys."""

    def _key(self, action_id: str) -> str:
        return action_id


class Machine:
    """A run of the client on one machine, with the drafts on its disk."""

    def __init__(self, walk: "Walk", folder: Path) -> None:
        self.script = Script()
        self.is_deaf = False
        self.has_store = False
        self._walk = walk
        self._is_over = False
        self._tasks: list[asyncio.Task[None]] = []
        walk.server.serve(self)
        self.sync = Sync(
            self.script.connection, Audience(), environment=FakeEnvironment().environment()
        )
        self._database = Database(folder / "account.db")
        self.disk = DraftFile(self._database)
        environment = Environment(sleep=self._sleep, chance=lambda: 0.5)
        keys = KeyFactory(now=lambda: walk.now, new_key=lambda: f"key-{next(walk.numbers)}")
        self.drafts = DraftSync(self.sync, self.disk, environment=environment, key_factory=keys)
        self.sync.listen(self)
        self.field = Field()
        field: Any = self.field
        self.composing = Composing(
            field, field, lambda: cast("Any", self), trouble=lambda sentence: None
        )

    @property
    def store(self) -> Store:
        return self.sync.store

    async def _sleep(self, _: float) -> None:
        await turns(self._walk.chance.randrange(4))

    def store_changed(self, changes: Changes) -> None:
        self.has_store = True
        if changes.replaced or "drafts" in changes.parts:
            asyncio.get_running_loop().call_soon(self._follow)

    def _follow(self) -> None:
        if not self._is_over:
            self.composing.follow_draft()

    def status_changed(self, status: Status) -> None:
        """Ignored: nothing is displayed."""

    async def start(self) -> None:
        self.drafts.load()
        self._tasks = [asyncio.ensure_future(run()) for run in (self.sync.run, self.drafts.run)]
        while not isinstance(self.sync.status, Live):
            await turns(1)

    async def kill(self) -> None:
        self._is_over, self.sync.queue_id = True, None
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.script.connection.aclose()
        self.drafts.close()
        self._database.close()

    def words(self) -> Iterator[str]:
        """Those in the composer, and on the disk."""
        for text in (self.field.text, *(draft.content for draft in self.disk.load())):
            yield from text.split()


class Walk:
    """Anything in any order. `written` are the words that were not sent or cleared by the person."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.chance = Random(seed)
        self.now = 1000.0
        self.numbers = itertools.count(1)
        self.server = DraftServer(self.chance)
        self.written: set[str] = set()
        self.log: list[str] = []
        self._folder = folder
        self._machines: list[Machine] = []
        self._at = 0

    async def run(self, steps: int) -> None:
        """Walk, and assert after each step that no word is lost; at the end the server has all drafts."""
        self._machines = [await self._started(at) for at in range(2)]
        acts: dict[Callable[[], Awaitable[None]], float] = {
            self._write: 8,
            self._pause: 5,
            self._wait: 4,
            self._open: 4,
            self._go_to_the_other: 4,
            self._leave: 2,
            self._fail: 1.5,
            self._lose_queues: 1.5,
            self._restart: 1,
            self._send: 0.6,
        }
        try:
            for _ in range(steps):
                self.now += self.chance.choice((0, 0.3, 1, 1, 7))
                (act,) = self.chance.choices(list(acts), list(acts.values()))
                await act()
                await turns(self.chance.randrange(6))
                self._check()
            await self._end()
        finally:
            for machine in self._machines:
                await machine.kill()

    @property
    def _here(self) -> Machine:
        return self._machines[self._at]

    async def _started(self, at: int) -> Machine:
        folder = self._folder / str(at)
        folder.mkdir(exist_ok=True)
        machine = Machine(self, folder)
        await machine.start()
        machine.composing.write_to(self.chance.choice(TOPICS))
        return machine

    def _check(self) -> None:
        kept = {word for machine in self._machines for word in machine.words()}
        kept.update(word for draft in self.server.drafts.values() for word in draft.content.split())
        assert self.written <= kept, (self.written - kept, self.log)

    async def _end(self) -> None:
        self.server.failing = 0.0
        for machine in self._machines:
            machine.is_deaf = False
            machine.composing.keep()
        self.server.news.set()
        await turns(4 * LONG)
        self._check()
        there = {draft.content for draft in self.server.drafts.values()}
        for machine in self._machines:
            assert {draft.content.strip() for draft in machine.disk.load()} <= there, self.log

    # What the person does

    async def _write(self) -> None:
        word, field = f"w{next(self.numbers)}", self._here.field
        field.is_focused = True
        field.text = f"{field.text} {word}".strip()
        self.written.add(word)
        self.log.append(f"{self.now:.1f} {self._at} writes {field.text!r}")
        if self.chance.random() < 0.6:
            await self._pause()

    async def _pause(self) -> None:
        self._here.composing.keep()

    async def _wait(self) -> None:
        await turns(LONG)

    async def _open(self) -> None:
        self._here.composing.write_to(self.chance.choice(TOPICS))
        self.log.append(f"{self._at} opens {self._here.composing.place}")

    async def _leave(self) -> None:
        self._here.field.is_focused = False
        self._here.composing.keep()
        self._here.composing.follow_draft()

    async def _go_to_the_other(self) -> None:
        await self._leave()
        if self.chance.random() < 0.7:
            await turns(LONG)  # what was written has got to the server
        self.now += BETWEEN_SECONDS
        for machine in self._machines:
            machine.is_deaf = self.chance.random() < 0.3
        self.server.news.set()
        self._at = 1 - self._at
        self.log.append(f"goes to {self._at}; deaf: {[each.is_deaf for each in self._machines]}")
        await self._open()

    async def _send(self) -> None:
        """Send what is in the composer: it is in the outbox then."""
        machine = self._here
        self.log.append(f"{self._at} sends {machine.field.text!r}")
        self.written.difference_update(machine.field.text.split())
        composing = machine.composing
        with machine.drafts.handing_over(composing._draft, composing._kept):
            composing._draft, composing._kept, machine.field.text = None, "", ""

    # What happens

    async def _fail(self) -> None:
        self.server.failing = self.chance.choice((0.0, 0.0, 0.2, 0.5))
        self.log.append(f"failing: {self.server.failing}")

    async def _lose_queues(self) -> None:
        self.server.forget_queues()
        self.log.append("queues are lost")

    async def _restart(self) -> None:
        """Kill the client: words that no pause has saved are gone.

        What it is to delete is deleted by the next one as it is, so this waits for that.
        """
        machine, failing = self._here, self.server.failing
        if machine.disk.deletions():
            return
        unsaved = set(machine.field.text.split()).difference(machine.composing._kept.split())
        self.written -= unsaved
        self.log.append(f"{self._at} is killed, with {unsaved} unsaved")
        self.server.failing = 0.0  # a start waits for the server
        await machine.kill()
        self._machines[self._at] = await self._started(self._at)
        self.server.failing = failing
