"""Changes that share a commit are what they are one by one: the same answers, events and rows.

Whatever fails among them: a change that raises, a statement that the file refuses, and a client that has left.
"""

import asyncio
import base64
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode

import apsw
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from server_lite.http.conditional import Header
from server_lite.store import search_index
from server_lite.store.connection import Db
from server_lite.store.database import Tx
from tests.contract.in_memory_server import (
    START,
    InMemoryServer,
    Person,
    copied,
    found_town,
)
from tests.contract.operations import OPERATIONS
from tests.contract.operations.base import Details

RANDOM: Final = re.compile(rb'"[0-9a-zA-Z_-]{24,}"|/join/\w+|[0-9a-f]{32}')
"""Keys, queues and links, which differ from run to run."""
_WRITES: Final = re.compile(r"\s*(?:INSERT|UPDATE|DELETE|REPLACE)\b")
_UNCOMPARED: Final = frozenset({"api_key", "invite", "queue", "avatar_slice", "upload_slice"})
"""Tables of which only the number of rows is compared: they have random columns."""


@dataclass(frozen=True, slots=True)
class Change:
    """One request of a user, chosen by a number; `fails_at`: its n-th statement that writes fails."""

    name: str
    who: int
    number: int
    fails_at: int | None = None


changes = st.builds(
    Change,
    name=st.sampled_from(tuple(OPERATIONS.keys() - {"wait"})),
    who=st.integers(0, 4),
    number=st.integers(0, 2**64 - 1),
    fails_at=st.one_of(st.none(), st.none(), st.integers(0, 12)),
)
batches = st.lists(st.lists(changes, min_size=2, max_size=8), min_size=1, max_size=5)


Request: TypeAlias = tuple[Change, tuple[int, str, str, dict[str, str]]]
"""A change; its user's ID, the verb, the path and the parameters."""


class Asked(Exception):
    """The first request of an operation."""


@dataclass(slots=True)
class Recorder:
    """Instead of a server: what is asked of it first."""

    town: InMemoryServer
    asked: tuple[str, str, dict[str, str]] | None = None

    async def ask(
        self, verb: str, path: str, parameters: dict[str, str], auth: tuple[str, str] | None
    ) -> dict[str, Any]:
        if verb == "GET":
            return await self.town.ask(verb, path, parameters, auth)
        self.asked = (verb, path, parameters)
        raise Asked

    def __getattr__(self, name: str) -> Any:
        return getattr(self.town, name)

    async def send(self, *_: object) -> None:
        raise Asked  # files have tasks of their own


@dataclass(slots=True)
class Answer:
    """An answer as its client gets it."""

    status: int = 0
    body: bytes = b""
    count: int = 0
    sent: asyncio.Event = field(default_factory=asyncio.Event)

    def answer(
        self,
        status: int,
        _headers: Sequence[Header],
        body: bytes,
        _standard: tuple[Header, ...] = (),
    ) -> None:
        self.status, self.body = status, body
        self.count += 1
        self.sent.set()

    async def send(self, _message: Any) -> None:
        raise AssertionError("nobody asked for a compressed answer")

    @property
    def masked(self) -> tuple[int, bytes]:
        """Return the status and the body, without what is random."""
        return self.status, masked(self.body)

    def cut(self) -> None:
        raise AssertionError("an answer could not be sent")


class Refusal:
    """Makes one statement of a change fail, as a full disk or a violated constraint would."""

    def __init__(self, town: InMemoryServer) -> None:
        self._left: int | None = None
        town.app.database._writer.exec_trace = self._trace

    def of(self, fails_at: int | None, fn: Callable[[Tx], object]) -> Callable[[Tx], object]:
        """Wrap a change, whose n-th statement that writes is to fail."""

        def run(tx: Tx) -> object:
            self._left = fails_at
            try:
                return fn(tx)
            finally:
                self._left = None

        return run

    def _trace(self, _cursor: apsw.Cursor, sql: str, _values: object) -> bool:
        if self._left is None or not _WRITES.match(sql):
            return True
        self._left -= 1
        if self._left < 0:
            self._left = None
            raise apsw.ConstraintError("as for a row that is there already")
        return True


async def chosen(town: InMemoryServer, change: Change) -> tuple[int, str, str, dict[str, str]]:
    """Return the request of a change, as its user chooses it now; nothing is sent."""
    recorder = Recorder(town)
    person = town.people[change.who % len(town.people)]
    with suppress(Asked):
        await OPERATIONS[change.name](
            replace(person, town=recorder),  # type: ignore[arg-type]  # stands for a server
            Details(town, change.number),
        )
    return person.id, *(recorder.asked or ("GET", "users/me", {}))


def begun(
    town: InMemoryServer, person: Person, verb: str, path: str, given: Mapping[str, str]
) -> Answer | None:
    """Hand a request over as its connection does; None if it needs a task."""
    token = base64.b64encode(f"{person.email}:{person.key}".encode())
    scope = {
        "type": "http",
        "method": verb,
        "path": f"/api/v1/{path}",
        "query_string": b"",
        "headers": [
            (b"content-type", b"application/x-www-form-urlencoded"),
            (b"authorization", b"Basic " + token),
            (b"user-agent", b"Town/1"),
        ],
        "client": ("127.0.0.1", 1),
        "scheme": "http",
    }
    answer = Answer()
    application = town.app.begin(scope, urlencode(given).encode(), answer)
    return answer if application is None else None


@contextmanager
def failing(town: InMemoryServer, fails_at: int | None, refusal: Refusal) -> Iterator[None]:
    """Changes that are submitted in the block fail there."""
    database = town.app.database
    with pytest.MonkeyPatch.context() as patch:
        submit = database.submit
        patch.setattr(  # without askers: in the order in which they came
            database, "submit", lambda fn, settle, **_: submit(refusal.of(fails_at, fn), settle)
        )
        yield


class Side:
    """One of two servers that are asked the same."""

    def __init__(self, town: InMemoryServer) -> None:
        self.town = town
        self.now = START + 1_000
        self.queues: dict[int, str] = {}
        self.refusal = Refusal(town)
        town.app.database.clock = lambda: self.now
        town.app.database.monotonic = lambda: 0.0
        town.app.database._started = 0.0

    async def listen(self) -> None:
        """Everybody has a queue."""
        for person in self.town.people:
            registered = await person.post(
                "register", client_capabilities={"bulk_message_deletion": True}
            )
            self.queues[person.id] = registered["queue_id"]

    async def heard(self) -> list[bytes]:
        """What everybody was told, by those who still have a queue."""
        told = []
        for person in self.town.people:
            answer = await person.get(
                "events", queue_id=self.queues[person.id], last_event_id=-1, dont_block=True
            )
            told.append(masked(orjson.dumps([answer["status"], answer.get("events")])))
        return told

    def rows(self) -> dict[str, object]:
        """All tables, with the words of all messages."""
        self.town.app.database.write_now(search_index.require)
        db = Db(self.town.app.database.reader.connection)
        names = db.column(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
            " AND name NOT LIKE 'message\\_text\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite%'"
        )
        found: dict[str, object] = {}
        for name in names:
            rows = sorted(map(repr, db.rows(f"SELECT * FROM {name}")))
            found[name] = (
                len(rows) if name in _UNCOMPARED else [masked(each.encode()) for each in rows]
            )
        words = apsw.Connection(
            str(self.town.file)
        )  # of the search index, whose pages depend on commits
        words.execute(
            "CREATE VIRTUAL TABLE temp.word USING fts5vocab(main, message_text, instance)"
        )
        found["message_text"] = sorted(words.execute("SELECT * FROM temp.word"))
        words.close()
        return found


def masked(text: bytes) -> bytes:
    """Return it without what is random."""
    return RANDOM.sub(b"?", text)


async def answered(
    side: Side, requests: Sequence[Request], *, at_once: bool
) -> list[Answer | None]:
    """Send the requests, in one commit or one each; None for those that need a task, which are left out."""
    side.now += 10
    answers = []
    for change, (person_id, verb, path, parameters) in requests:
        person = next(each for each in side.town.people if each.id == person_id)
        with failing(side.town, change.fails_at, side.refusal):
            answer = begun(side.town, person, verb, path, parameters)
        answers.append(answer)
        if answer is not None and not at_once:
            await asyncio.wait_for(answer.sent.wait(), 5)
    for answer in answers:
        if answer is not None:
            await asyncio.wait_for(answer.sent.wait(), 5)
    return answers


async def compare(
    template: Path, people: list[tuple[str, str, int]], taken: list[list[Change]]
) -> None:
    """Do all of it on two copies, and compare."""
    folder = template.parent
    together = Side(copied(template, people, folder / "together.db"))
    alone = Side(copied(template, people, folder / "alone.db"))
    try:
        for side in (together, alone):
            await side.listen()
        for batch in taken:
            requests = [(each, await chosen(together.town, each)) for each in batch]
            ours = await answered(together, requests, at_once=True)
            theirs = await answered(alone, requests, at_once=False)
            for request, one, other in zip(requests, ours, theirs, strict=True):
                assert (one is None) == (other is None)
                if one is not None and other is not None:
                    assert one.masked == other.masked, request
                    assert one.count == other.count == 1
        assert await together.heard() == await alone.heard()
        stored, expected = together.rows(), alone.rows()
        for name, rows in stored.items():
            assert rows == expected[name], name
    finally:
        together.town.close()
        alone.town.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[tuple[str, str, int]]]:
    """An organization, founded once."""
    file = tmp_path_factory.mktemp("together") / "template.db"
    return file, found_town(file)


@settings(max_examples=settings().max_examples // 3)
@given(taken=batches)
def test_together_is_one_by_one(
    template: tuple[Path, list[tuple[str, str, int]]], taken: list[list[Change]]
) -> None:
    """My change is answered, told and stored the same, whoever else changes something in the same moment."""
    asyncio.run(compare(*template, taken))
