"""Cuts a change short after each of its commits, as a kill does, and repeats its request.

What the tables, the people and their clients then have is compared with what the change leads to in one go.
"""

import shutil
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import pytest

from server_lite.store.connection import Db
from tests.contract.clients import Listener
from tests.contract.in_memory_server import START, InMemoryServer
from tui.api import events as ev
from tui.api.model import EventId, QueueId
from tui.store import Store

KEY: Final = "a key"
PROGRESS: Final = "progress"
UNCOMPARED: Final = frozenset(
    {
        # Of events, which may be others with the same sense: the listeners compare them.
        "audience",
        "event_counter",
        "event_log",
        "queue",
        "idempotency",
        "sqlite_sequence",
        # The upkeep decides which of these has what is unread: the listeners know what it is.
        "unread",
        "unread_by_user",
        "unread_index_progress",
        "outdated_unread",
    }
)


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the person with this number among the town's."""

    who: int
    verb: str
    path: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    closes_account: bool = False
    """Whether the user has no account afterwards, and gets no answer any more."""
    key: str | None = None
    """The Idempotency-Key."""

    @property
    def is_repeatable(self) -> bool:
        """Whether it has an answer when it is repeated after it was complete."""
        return self.key is not None and not self.closes_account


Preparation = Callable[[InMemoryServer], Awaitable[Request]]
"""Prepares a town for a change, and returns the request for it."""


@dataclass(slots=True)
class Outcome:
    """What there is after a change."""

    answer: Mapping[str, Any]
    rows: Mapping[str, Sequence[tuple[object, ...]]]
    told: Mapping[str, Sequence[str]]
    """Name of a listener -> the messages of which there was an event, in order."""

    def differences(self, other: "Outcome") -> list[str]:
        """Return a sentence for each difference."""
        found = []
        if self.answer != other.answer:
            found.append(f"answer: {self.answer} / {other.answer}")
        found += [
            f"{name} was told {told} / {other.told[name]}"
            for name, told in self.told.items()
            if told != other.told[name]
        ]
        for table, rows in self.rows.items():
            ours, theirs = set(rows) - set(other.rows[table]), set(other.rows[table]) - set(rows)
            if ours or theirs:
                found.append(f"{table}: {sorted(ours, key=repr)} / {sorted(theirs, key=repr)}")
        return found


@dataclass(slots=True)
class Client:
    """A listener as it was when the change began."""

    number: int
    store: Store
    queue_id: QueueId
    last_event_id: EventId

    def again(self, town: InMemoryServer) -> Listener:
        """Return the client as it continues after the kill."""
        return Listener(
            town.people[self.number],
            store=deepcopy(self.store),
            queue_id=self.queue_id,
            last_event_id=self.last_event_id,
        )


@dataclass(slots=True)
class Trial:
    """A change in one go, and the file that a kill after each of its commits would leave."""

    town: InMemoryServer
    """As it is after the change."""
    request: Request
    clients: Sequence[Client]
    outcome: Outcome
    files: Sequence[Path]

    async def after(self, commit: int, meanwhile: Request) -> Outcome:
        """Return what there is if the server was killed after this commit, and the request repeated after another."""
        file = _copy(self.files[commit], self.town.file.with_name("killed.db"))
        other, _ = await _made(file, self.town, meanwhile, [])
        assert other.answer["result"] == "success", other.answer
        return (await _made(file, self.town, self.request, []))[0]

    async def after_kill(self, *commits: int) -> list[str]:
        """Return what differs if the server was killed after this commit, and the request repeated.

        Further numbers are of commits of the repeated request, after which the server is killed again.
        """
        outcome, files = self.outcome, self.files
        for commit in commits:
            if commit >= len(files) - (not self.request.is_repeatable):
                return []  # it was complete
            file = _copy(files[commit], self.town.file.with_name("killed.db"))
            outcome, files = await _made(file, self.town, self.request, self.clients)
        return self.outcome.differences(outcome)


async def tried(
    town: InMemoryServer, prepare: Preparation, key: str | None, listening: Sequence[int]
) -> Trial:
    """Make a change in one go, while the people with these numbers listen. Closes the town."""
    _stop_clock(town)
    request = replace(await prepare(town), key=key)
    clients = []
    for number in listening:
        listener = Listener(town.people[number])
        await listener.start()
        assert listener.store is not None
        clients.append(Client(number, listener.store, listener.queue_id, listener.last_event_id))
        await listener.close()
    town.close()
    outcome, files = await _made(town.file, town, request, clients)
    assert outcome.rows[PROGRESS] == []
    return Trial(town, request, clients, outcome, files)


async def _made(
    file: Path, like: InMemoryServer, request: Request, clients: Sequence[Client]
) -> tuple[Outcome, Sequence[Path]]:
    """Make the request on a file. What a client received leads to the state that a new register returns.

    Returns the file as it was after each commit, too.
    """
    town = InMemoryServer(file)
    _stop_clock(town)
    town.people = [replace(person, town=town) for person in like.people]
    listeners = [client.again(town) for client in clients]
    try:
        with _recorded(town) as files:
            answer = await town.people[request.who].ask(
                request.verb, request.path, dict(request.parameters), request.key
            )
        for listener in listeners:
            await listener.check()
        told = {
            one.person.name: [
                event.message.content for event in one.seen if isinstance(event, ev.MessageEvent)
            ]
            for one in listeners
        }
        return Outcome(answer, town.app.database.read(_rows), told), files
    finally:
        for listener in listeners:
            await listener.close()
        town.close()


@contextmanager
def _recorded(town: InMemoryServer) -> Iterator[list[Path]]:
    """Copy the file after each commit within the block."""
    database, files = town.app.database, list[Path]()
    run = database._run

    def run_and_copy(jobs: Any) -> Any:
        done = run(jobs)
        copy = town.file.with_name(f"{town.file.stem}-{len(files)}.db")
        files.append(_copy(town.file, copy))
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_run", run_and_copy)
        yield files


def _rows(db: Db) -> Mapping[str, Sequence[tuple[object, ...]]]:
    """Return all rows that a change may write, by table; and the progress of changes that are not complete."""
    tables = db.column("SELECT name FROM sqlite_schema WHERE type = 'table'")
    rows = {
        table: db.rows(f"SELECT * FROM {table}")
        for table in tables
        if table not in UNCOMPARED and not table.startswith(("message_text_", "search_"))
    }
    progress = db.rows("SELECT key FROM idempotency WHERE key LIKE char(10) || '%'")
    return {**rows, PROGRESS: progress}


def _stop_clock(town: InMemoryServer) -> None:
    """Have the same change write the same times."""
    town.app.database.clock = lambda: START


def _copy(file: Path, to: Path) -> Path:
    """Copy a database with its log, as a kill leaves them."""
    for end in ("", "-wal", ".key"):
        source, target = file.with_name(file.name + end), to.with_name(to.name + end)
        target.unlink(missing_ok=True)
        if source.exists():
            shutil.copy(source, target)
    to.with_name(to.name + "-shm").unlink(missing_ok=True)
    return to
