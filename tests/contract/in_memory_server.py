"""A server without a socket: requests go directly to the application, on a clock that tests control.

For long random runs, where a socket would cost more than the server itself. `tests.live` tests what
sockets add. A town is created once and copied for each run.
"""

import asyncio
import base64
import shutil
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import httpx
import orjson

from server_lite.actions.organization import NewOrganization, set_up_organization
from server_lite.actions.subscriptions import subscribe
from server_lite.actions.users import create_user
from server_lite.app import App
from server_lite.config import Limits, PasswordCost, Settings
from server_lite.ids import UserId
from server_lite.store import channels, keys
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role
from server_lite.workers.scheduler import send_due
from tests import response_contract

START: Final = 1_750_000_000.0
"""15 June 2025, in UNIX seconds: when every town is created."""
PEOPLE: Final = (
    ("Olga", Role.OWNER),
    ("Mary", Role.MEMBER),
    ("Adam", Role.ADMINISTRATOR),
    ("Gina", Role.GUEST),
    ("Moe", Role.MEMBER),
)
LATE: Final = "Moe"
"""The user without subscriptions at first."""
LIMITS: Final = Limits(
    requests_per_minute=None,
    anonymous_per_minute=None,
    failed_logins_per_half_hour=None,
    queues_per_user=1000,
)
CHEAP: Final = PasswordCost(time_cost=1, memory_kib=8, parallelism=1)


class Failed(AssertionError):
    """The server answered 5xx, or something other than JSON."""


@dataclass(frozen=True, slots=True)
class Person:
    """A user with an API key; each call is one request, which returns status and JSON."""

    id: int
    name: str
    email: str
    key: str
    town: "InMemoryServer"

    async def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("GET", path, parameters)

    async def post(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("POST", path, parameters)

    async def patch(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("PATCH", path, parameters)

    async def put(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("PUT", path, parameters)

    async def delete(self, path: str, **parameters: Any) -> dict[str, Any]:
        return await self.ask("DELETE", path, parameters)

    async def ask(
        self, verb: str, path: str, parameters: dict[str, Any], resend_key: str | None = None
    ) -> dict[str, Any]:
        """Return the answer's JSON with its status as `status`; parameters that are None are not sent.

        Without a key, the request is anonymous. `resend_key` is an Idempotency-Key.
        """
        given = {name: _text(value) for name, value in parameters.items() if value is not None}
        auth = (self.email, self.key) if self.key else None
        if resend_key is None:
            return await self.town.ask(verb, path, given, auth=auth)
        return await self.town.ask(verb, path, given, auth=auth, resend_key=resend_key)

    async def upload(self, path: str, name: str, content: bytes) -> dict[str, Any]:
        """Upload one file."""
        body = (
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n'
            b"Content-Type: image/png\r\n\r\n%s\r\n--x--\r\n" % (name.encode(), content)
        )
        return await self.town.send(
            "POST", path, b"", body, "multipart/form-data; boundary=x", (self.email, self.key)
        )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


@dataclass(slots=True)
class InMemoryServer:
    """An organization, its server, and its users."""

    file: Path
    now: float = START
    people: list[Person] = field(default_factory=list)
    app: App = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Start the server on the file."""
        settings = Settings(db=self.file, dev=True, passwords=CHEAP, limits=LIMITS)
        self.app = App(settings, Database(self.file, clock=self.clock))

    def close(self) -> None:
        """Stop the server; undelivered events are in the file."""
        self.app.close()
        self.app.database.close()

    def restart(self) -> None:
        """Restart, as after an update."""
        self.close()
        self.open()

    def clock(self) -> float:
        """Return the time, a millisecond later with each call, so that order is visible."""
        self.now += 0.001
        return self.now

    def add(self, name: str, email: str, user_id: int) -> Person:
        """Give a user an API key."""
        key = keys.new_key()
        self._sign_in(user_id, key)
        person = Person(user_id, name, email, key, self)
        self.people.append(person)
        return person

    def active(self) -> list[Person]:
        """Return the active users."""
        known = set(self.ids("SELECT id FROM user WHERE is_active"))
        return [person for person in self.people if person.id in known]

    def give_keys_back(self) -> None:
        """Sign reactivated users in again."""
        for person in self.active():
            if keys.owner(self.app.database.reader, person.key) is None:
                self._sign_in(person.id, person.key)

    def _sign_in(self, user_id: int, key: str) -> None:
        self.app.database.write_now(
            lambda tx: keys.insert(tx, UserId(user_id), key, "test", tx.now)
        )

    def one(self, sql: str, number: int) -> int | None:
        """Return the ID at position `number` of a query's result, modulo its length."""
        ids = self.ids(sql)
        return ids[number % len(ids)] if ids else None

    def ids(self, sql: str) -> list[int]:
        """Return the IDs that a query finds."""
        return self.app.database.reader.column(sql)

    async def upkeep(self) -> None:
        """Run the server's maintenance and due work."""
        await self.app.maintenance.run_once()
        await send_due(self.app.context)

    async def ask(
        self,
        verb: str,
        path: str,
        parameters: dict[str, str],
        auth: tuple[str, str] | None,
        resend_key: str | None = None,
    ) -> dict[str, Any]:
        """Make one request, with parameters in the query or body, as its verb requires."""
        encoded = urlencode(parameters).encode()
        query, body = (encoded, b"") if verb == "GET" else (b"", encoded)
        kind = "application/x-www-form-urlencoded"
        return await self.send(verb, path, query, body, kind, auth, resend_key)

    async def send(
        self,
        verb: str,
        path: str,
        query: bytes,
        body: bytes,
        content_type: str,
        auth: tuple[str, str] | None,
        resend_key: str | None = None,
    ) -> dict[str, Any]:
        """Make one request as an ASGI server would; raises `Failed` for invalid answers."""
        headers = [(b"content-type", content_type.encode()), (b"user-agent", b"Town/1")]
        if resend_key is not None:
            headers.append((b"idempotency-key", resend_key.encode()))
        if auth is not None:
            headers.append(
                (b"authorization", b"Basic " + base64.b64encode(":".join(auth).encode()))
            )
        scope = {
            "type": "http",
            "method": verb,
            "path": f"/api/v1/{path}",
            "query_string": query,
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "scheme": "http",
        }
        status, content = await _exchange(self.app, scope, body)
        try:
            answer: dict[str, Any] = orjson.loads(content)
        except ValueError:
            raise Failed(f"{verb} {path}: {status} without JSON: {content[:200]!r}") from None
        if status >= 500:
            raise Failed(f"{verb} {path} {query + body!r}: {status} {answer}")
        return {**answer, "status": status}


class TownTransport(httpx.AsyncBaseTransport):
    """Carries a client's requests to a town, whose server may be restarted in between."""

    def __init__(self, town: InMemoryServer) -> None:
        self._town = town

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer as the server does, with its errors."""
        scope = {
            "type": "http",
            "method": request.method,
            "path": request.url.path,
            "query_string": request.url.query,
            # Not compressed, because answers are inspected here.
            "headers": [
                (name.lower(), value)
                for name, value in request.headers.raw
                if name.lower() != b"accept-encoding"
            ],
            "client": ("127.0.0.1", 1),
            "scheme": "http",
        }
        status, content = await _exchange(self._town.app, scope, await request.aread())
        if status >= 500:
            raise Failed(f"{request.method} {request.url}: {status} {content[:300]!r}")
        return httpx.Response(status, stream=httpx.ByteStream(content))


async def _exchange(app: App, scope: dict[str, Any], body: bytes) -> tuple[int, bytes]:
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])
    status, parts = 0, []

    async def receive() -> MutableMapping[str, Any]:
        for message in messages:
            return message
        await asyncio.Event().wait()  # stays connected
        raise AssertionError

    async def send(message: MutableMapping[str, Any]) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
        else:
            parts.append(message["body"])

    await app(scope, receive, send)
    content = b"".join(parts)
    path = scope["path"]
    if path.startswith("/api/v1/") and status < 500:
        response_contract.check(
            scope["method"], path.removeprefix("/api/v1/"), status, orjson.loads(content)
        )
    return status, content


def found_town(file: Path) -> list[tuple[str, str, int]]:
    """An organization with its people in `file`; returns their names, addresses and ids."""
    database = Database(file, clock=lambda: START)

    def populate(tx: Tx) -> list[tuple[str, str, int]]:
        (name, _), *others = PEOPLE
        email = f"{name.lower()}@example.com"
        owner = set_up_organization(
            tx, NewOrganization(name="Town", owner_email=email, owner_name=name, password=None)
        )
        people: list[tuple[str, str, int]] = [(name, email, owner.id)]
        for name, role in others:
            email = f"{name.lower()}@example.com"
            user = create_user(tx, email=email, full_name=name, role=role, password=None)
            people.append((name, email, user.id))
            if name != LATE:
                subscribe(tx, channels.defaults(tx), [user])
        return people

    people = database.write_now(populate)
    database.close()
    town = InMemoryServer(file)
    for person in people:
        town.add(*person)
    asyncio.run(furnish(town))
    town.close()
    return people


async def furnish(town: InMemoryServer) -> None:
    """Add some objects of every kind, so that a short run has something to change."""
    olga, mary, adam, gina, moe = town.people
    kinds: tuple[tuple[str, dict[str, Any], list[Person]], ...] = (
        ("kitchen", {}, [olga, mary, gina]),
        ("cellar", {"invite_only": True}, [olga, mary]),
        (
            "attic",
            {"invite_only": True, "history_public_to_subscribers": True},
            [mary, gina],
        ),
        ("window", {"is_web_public": True}, [adam]),
    )
    for name, kind, people in kinds:
        await people[0].post(
            "users/me/subscriptions",
            subscriptions=[{"name": name}],
            principals=[person.id for person in people],
            **kind,
        )
        for topic in ("tea", ""):
            await people[0].post("messages", type="stream", to=name, topic=topic, content="hello")
    await mary.post("messages", type="direct", to=[adam.id], content="just us")
    await mary.post(
        "messages", type="stream", to="kitchen", topic="tea", content="/poll Lunch?\nsoup\nsalad"
    )
    await olga.post("realm/domains", domain="a.example", allow_subdomains=False)
    await olga.post("bots", full_name="Robot", short_name="robot", bot_type=1)
    await olga.post("navigation_views", fragment="narrow/is/starred", is_pinned=True)
    await olga.patch("realm", moderation_request_channel_id=2)
    await mary.post("navigation_views", fragment="narrow/is/starred", is_pinned=True)
    await mary.post("drafts", drafts=[{"type": "", "to": [], "topic": "", "content": "Dear"}])
    await mary.post(
        "scheduled_messages",
        type="direct",
        to=[adam.id],
        content="later",
        scheduled_delivery_timestamp=int(START) + 500,
    )
    await mary.post("messages", type="direct", to=[adam.id, gina.id], content="we three")
    await olga.post("user_groups/create", name="helpers", description="", members=[mary.id, moe.id])
    await olga.post("channel_folders/create", name="House", description="")
    await olga.post(
        "realm/filters", pattern="T-(?P<id>[0-9]+)", url_template="https://example.com/{id}"
    )
    await olga.post("realm/profile_fields", name="Hobby", field_type=1)
    await olga.upload("realm/emoji/party", "a.png", PIXEL)
    await mary.post("saved_snippets", title="bye", content="good bye")


PIXEL: Final = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
"""The smallest image."""


def copied(template: Path, people: list[tuple[str, str, int]], file: Path) -> InMemoryServer:
    """Return a town that starts as a copy of the template."""
    for leftover in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
        leftover.unlink(missing_ok=True)
    shutil.copy(template, file)
    town = InMemoryServer(file)
    for name, email, user_id in people:
        town.add(name, email, user_id)
    return town
