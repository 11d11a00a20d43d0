"""A real server for tests: a socket, an SQLite file, on the test's own loop. No fakes, no sleeps.

async with live(tmp_path) as server:
    ann = await server.person("Ann", role=Role.OWNER)
    answer = await ann.post("messages", type="stream", to="general", topic="tea", content="hi")
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import orjson

from server_lite.actions.users import create_user
from server_lite.config import Limits, PasswordCost, Settings, Timing
from server_lite.server import Server, running
from server_lite.store import keys
from server_lite.store import settings as stored
from server_lite.store.users import Role
from tests import response_contract
from tests.far import NEAR, Way, reached

CHEAP: Final = PasswordCost(time_cost=1, memory_kib=8, parallelism=1)
WAY: Way = NEAR
"""Distance of servers from the program under test, unless the test chooses another."""
NO_TLS: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Of clients of servers without TLS. Trusts nobody, and needs no authorities, which take 20 ms to load for each client."""
UNLIMITED: Final = Limits(
    requests_per_minute=None, anonymous_per_minute=None, failed_logins_per_half_hour=None
)


def encoded(parameters: dict[str, Any]) -> dict[str, str]:
    """Return parameters as clients send them: text as it is, everything else as JSON."""
    return {
        name: value if isinstance(value, str) else orjson.dumps(value).decode()
        for name, value in parameters.items()
    }


@dataclass(frozen=True, slots=True)
class Person:
    """A user with an API key; every method is one request and returns its JSON."""

    id: int
    email: str
    key: str
    http: httpx.AsyncClient

    async def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("GET", path, **parameters)

    async def post(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("POST", path, **parameters)

    async def patch(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("PATCH", path, **parameters)

    async def put(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("PUT", path, **parameters)

    async def delete(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("DELETE", path, **parameters)

    async def ask(self, verb: str, path: str, **parameters: Any) -> dict[str, Any]:
        """Return the answer's JSON, of successes and errors; `status` is added to errors."""
        sent = encoded(parameters)
        if verb == "GET":
            response = await self.http.get(path, params=sent)
        else:
            response = await self.http.request(verb, path, data=sent)
        answer: dict[str, Any] = response.json()
        if response.status_code != 200:
            answer["status"] = response.status_code
        return answer

    async def events(self, queue: dict[str, Any], *, block: bool = False) -> list[dict[str, Any]]:
        """Return the events since register, or since the last call with the same `queue`."""
        answer = await self.get(
            "events",
            queue_id=queue["queue_id"],
            last_event_id=queue["last_event_id"],
            dont_block=not block,
        )
        events: list[dict[str, Any]] = answer["events"]
        if events:
            queue["last_event_id"] = events[-1]["id"]
        return events


@dataclass(slots=True)
class Live:
    """A running server and its users."""

    server: Server
    url: str
    """The server's URL for the program under test."""
    settings: Settings
    near: str = ""
    """The server's URL for the test itself, if different."""
    _clients: list[httpx.AsyncClient] = field(default_factory=list)

    @property
    def app(self) -> Any:
        return self.server.app

    async def person(self, name: str, *, role: Role = Role.MEMBER) -> Person:
        """Create a user `name@example.com` with an API key."""
        email = f"{name.lower()}@example.com"
        key = keys.new_key()

        def create(tx: Any) -> int:
            user = create_user(tx, email=email, full_name=name, role=role, password=None)
            keys.insert(tx, user.id, key, "test", tx.now)
            return user.id

        user_id = await self.server.app.database.write(create)
        return Person(user_id, email, key, self.client(auth=(email, key)))

    def client(self, auth: tuple[str, str] | None = None) -> httpx.AsyncClient:
        """Return a plain HTTP client of the API, near the server; links are those of the far URL."""
        client = httpx.AsyncClient(
            base_url=f"{self.near or self.url}/api/v1/",
            headers={"Host": urlsplit(self.url).netloc},
            auth=auth,
            trust_env=False,
            verify=NO_TLS,
            timeout=30,  # a busy machine may need more than the usual 5 seconds
            event_hooks={"response": [_check]},
        )
        self._clients.append(client)
        return client

    async def close(self) -> None:
        for client in self._clients:
            await client.aclose()


async def _check(response: httpx.Response) -> None:
    """Check that an answer of the API fulfills its endpoint's contract."""
    path = response.request.url.path
    if response.request.method == "HEAD":
        return
    if path.startswith("/api/v1/") and response.headers.get("content-type") == "application/json":
        answer = orjson.loads(await response.aread())
        verb = response.request.method
        response_contract.check(verb, path.removeprefix("/api/v1/"), response.status_code, answer)


@asynccontextmanager
async def live(
    folder: Path,
    *,
    dev: bool = True,
    timing: Timing | None = None,
    limits: Limits = UNLIMITED,
    jwt_key: str | None = None,
    channel_events: bool = False,
    webhook_hosts: tuple[str, ...] = (),
    mail_domain: str | None = None,
    limits_presence: bool = True,
    way: Way | None = None,
) -> AsyncIterator[Live]:
    """Run a server on a free port, with its file in `folder`, at distance `way` from the program."""
    settings = Settings(
        db=folder / "chinwag.db",
        dev=dev,
        passwords=CHEAP,
        timing=timing or Timing(),
        limits=limits,
        jwt_key=jwt_key,
        webhook_hosts=webhook_hosts,
        mail_domain=mail_domain,
        limits_presence=limits_presence,
    )
    way = way or WAY
    is_new = not settings.db.exists()
    async with (
        running(settings, signals=False) as (server, near),
        reached(near, NEAR if way.level else way) as url,
    ):
        if is_new:
            # Off, because tests create channels to talk in: notification messages have their own tests.
            await server.app.database.write(
                lambda tx: stored.store(tx, "send_channel_events_messages", channel_events)
            )
        here = Live(server, url, settings, near)
        try:
            if way.level is None:
                yield here
            else:
                from tests.full_server import full_server  # circular: it imports this module

                async with full_server(here, level=way.level, way=way) as full:
                    yield full
        finally:
            await here.close()


async def until(
    condition: Callable[[], bool] | Callable[[], Awaitable[bool]], *, seconds: float = 20.0
) -> None:
    """Wait until the condition is true; a timeout fails the test with the condition's source line."""
    async with asyncio.timeout(seconds):
        while True:
            outcome = condition()
            if (await outcome) if isinstance(outcome, Awaitable) else outcome:
                return
            await asyncio.sleep(0.005)
