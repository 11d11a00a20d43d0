"""A scripted chat server behind a real connection, in an environment without passing time."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from urllib.parse import parse_qs

import httpx

from tests import eg
from tests.unit.tui.api.wire_tap import unread
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.api.encode import encode
from tui.api.events import BaseEvent
from tui.api.snapshot import InitialSnapshot
from tui.store import NOTHING, Changes
from tui.sync.machine import Environment
from tui.sync.status import Status

Reply: TypeAlias = httpx.Response | Exception
Handler: TypeAlias = Callable[["Request"], Reply | Awaitable[Reply]]


@dataclass(frozen=True, slots=True)
class Request:
    """A request of the client; parameters as in the form."""

    method: str
    path: str
    parameters: dict[str, str]
    key: str | None


async def until(condition: Callable[[], bool], *, seconds: float = 5.0) -> None:
    """Run the event loop until the condition is true; nothing here waits for real time."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110  # any condition, of things that know no event
            await asyncio.sleep(0)


def success(**data: object) -> httpx.Response:
    """Return a successful answer."""
    return httpx.Response(200, json={"result": "success", "msg": "", **data})


def refusal(code: str, status: int = 400) -> httpx.Response:
    """Return an error."""
    return httpx.Response(status, json={"result": "error", "msg": "no", "code": code})


def lost() -> Exception:
    """Return the error of a lost answer: the request may have arrived."""
    return httpx.ReadError("the connection broke")


def unreachable() -> Exception:
    """Return the error of an unreachable server: the request did not arrive."""
    return httpx.ConnectError("nothing there")


class Script:
    """Answers to `METHOD /path` by handlers; a poll waits for `events`, `fail` or `stop`."""

    def __init__(self, snapshot: InitialSnapshot | None = None) -> None:
        self.snapshot = snapshot or eg.snapshot()
        self.requests: list[Request] = []
        self.handlers: dict[str, Handler] = {}
        self._polls: asyncio.Queue[Reply] = asyncio.Queue()
        self.connection = Connection(
            parse_base_url("http://127.0.0.1:9", allow_http=True),
            credentials=Credentials("iris@example.com", "key"),
            transport=httpx.MockTransport(self._handle),
        )
        self.on("POST /register", lambda _: success(**_json(self.snapshot)))
        self.on("GET /events", lambda _: self._polls.get())
        self.on("DELETE /events", lambda _: success())

    def on(self, route: str, handler: Handler) -> None:
        """Set the handler of a route."""
        self.handlers[route] = handler

    def on_each(self, route: str, *replies: Reply) -> None:
        """Answer a route with one reply after the other, repeating the last one."""
        left = list(replies)
        self.on(route, lambda _: left.pop(0) if len(left) > 1 else left[0])

    def events(self, *events: BaseEvent) -> None:
        """Set the next poll's answer."""
        self._polls.put_nowait(success(events=[encode(event) for event in events]))

    def fail(self, *replies: Reply) -> None:
        """Set the failures of the next polls."""
        for reply in replies:
            self._polls.put_nowait(reply)

    def asked(self, route: str) -> list[Request]:
        """Return the requests of one route."""
        return [each for each in self.requests if f"{each.method} {each.path}" == route]

    async def _handle(self, raw: httpx.Request) -> httpx.Response:
        path = raw.url.path.removeprefix("/api/v1")
        sent = raw.url.query.decode() if raw.method == "GET" else raw.content.decode()
        parameters = {name: values[0] for name, values in parse_qs(sent).items()}
        request = Request(raw.method, path, parameters, raw.headers.get("Idempotency-Key"))
        self.requests.append(request)
        reply = self.handlers[f"{raw.method} {path}"](request)
        reply = reply if isinstance(reply, (httpx.Response, Exception)) else await reply
        if isinstance(reply, Exception):
            raise reply
        return unread(reply)


@dataclass
class Audience:
    """Records what it is notified of."""

    changes: Changes = NOTHING
    reports: list[Changes] = field(default_factory=list)
    statuses: list[Status] = field(default_factory=list)

    def store_changed(self, changes: Changes) -> None:
        self.changes = self.changes.merge(changes)
        self.reports.append(changes)

    def status_changed(self, status: Status) -> None:
        self.statuses.append(status)


@dataclass
class FakeEnvironment:
    """Makes sleeping instant and records it, or endless; random numbers are constant."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)
    stands_still: bool = False

    def environment(self) -> Environment:
        return Environment(clock=lambda: self.now, sleep=self._sleep, chance=lambda: 0.5)

    async def _sleep(self, seconds: float) -> None:
        if self.stands_still:
            await asyncio.Event().wait()
        self.slept.append(seconds)
        self.now += seconds
        await asyncio.sleep(0)


def _json(snapshot: InitialSnapshot) -> dict[str, Any]:
    encoded = json.loads(json.dumps(encode(snapshot)))
    assert isinstance(encoded, dict)
    return encoded
