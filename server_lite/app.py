"""The edge: from HTTP to the endpoint and back to JSON. Knows no noun of the product."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Final, TypeVar

import orjson

from server_lite.api.answers import LINES, EncodedFields, Lines
from server_lite.api.authentication import (
    DEPENDENCIES,
    Caller,
    authenticate,
    authenticate_key,
    check_reach,
)
from server_lite.api.idempotency import once, resend_of
from server_lite.api.params import Body, Document, EndpointSpec, Picture, Upload
from server_lite.api.rate_limits import RateLimit
from server_lite.api.request import ClientDisconnected, Receive, Request, Scope, Send
from server_lite.config import Settings
from server_lite.context import Context
from server_lite.dataclass import dataclass
from server_lite.errors import (
    Allowance,
    ApiError,
    GenerationChanged,
    RateLimited,
    TooSlow,
    Unauthenticated,
    Unavailable,
    WrongMethod,
)
from server_lite.http.allowed_hosts import Hosts, check_origin
from server_lite.http.conditional import Header
from server_lite.http.connections import Connection
from server_lite.http.cross_origin import READABLE, preflight
from server_lite.http.replies import reply, start
from server_lite.queues import Queues
from server_lite.routes import TABLE, serve_page, takes_long
from server_lite.store import generation
from server_lite.store.connection import Db
from server_lite.store.database import DISK_ERRORS, Database, Tx
from server_lite.store.users import UserRow
from server_lite.workers.maintenance import Maintenance

T = TypeVar("T")

PREFIX: Final = "/api/v1/"
PICTURES_AT_ONCE: Final = 2
"""Limit of files read whole at once; further requests wait with their data unread in the socket."""
LARGE_AT_ONCE: Final = 2
"""Limit of large requests at once, from first byte to answer: each is in memory several times."""
KNOWN_CALLERS: Final = 1_000
"""Limit of cached credentials."""
LONGEST_KNOWN: Final = 512
"""Limit of characters of an Authorization header to cache; its address may be of any length."""
log = logging.getLogger("chinwag.server")


@dataclass(frozen=True, slots=True)
class Call:
    """A decoded request: its endpoint, user and arguments."""

    contract: EndpointSpec
    caller: Caller | None
    positional: Sequence[object]
    keyword: Mapping[str, object]

    def run(self, first: Db | Context, user: UserRow | None) -> Any:
        """Call the endpoint with the database or context, as `user`."""
        asking = () if self.contract.auth == "none" else (user,)
        return self.contract.function(first, *asking, *self.positional, **self.keyword)


def shown_path(path: str) -> str:
    """Return a path for the log: what follows /join/ and the like is as secret as a password."""
    return (
        path[:200]
        if path.startswith(PREFIX)
        else "/" + path.removeprefix("/").partition("/")[0][:40] + "/…"
    )


class App:
    """One server as an ASGI application."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings: Final = settings
        self.database: Final = database
        self.queues: Final = Queues(database, timing=settings.timing, limits=settings.limits)
        self.context: Final = Context(settings=settings, database=database, queues=self.queues)
        limits = settings.limits
        self._people = _limit(limits.requests_per_minute)
        self._addresses = _limit(limits.anonymous_per_minute)
        if self._people is not None:
            self.queues.charge = self._people.spend
        self._hosts = Hosts(settings.host, settings.names)
        self._pictures = asyncio.Semaphore(PICTURES_AT_ONCE)
        self._large_bodies = asyncio.Semaphore(LARGE_AT_ONCE)
        self._callers: dict[str, UserRow] = {}
        self._callers_at: tuple[int, ...] = ()
        self._last_request = time.monotonic()
        self.maintenance: Final = Maintenance(self.context, self._is_idle)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._serve(Request(scope, receive), send)

    async def _serve(self, request: Request, send: Send) -> None:
        self._last_request = time.monotonic()
        is_api = request.path.startswith(PREFIX)
        headers: list[Header] = READABLE.copy() if is_api else []
        spent: list[Allowance] = []
        try:
            self._hosts.check(request.headers.get("host", ""), request.reached)
            if not is_api:
                check_origin(request.headers, request.method)
                await self._page(request, send)
                return
            answer = await self._answer(request, spent)
            if isinstance(answer, Lines):
                await _while_connected(request.connection, self._send_lines(request, send, answer))
                return
            status, body = 200, answer
        except ClientDisconnected:
            return
        except WrongMethod as error:
            headers.append((b"allow", ", ".join(error.allowed).encode()))
            status, body = error.status, orjson.dumps(error.body())
            if request.method == "OPTIONS":
                status, body = 204, b""
                headers += preflight(request.headers, error.allowed) if is_api else []
        except ApiError as error:
            status, body = error.status, orjson.dumps(error.body())
            if isinstance(error, RateLimited):
                headers.append((b"retry-after", str(error.retry_after).encode()))
                spent = [error.allowance]
            elif isinstance(error, Unauthenticated) and not request.is_of_page:
                headers.append((b"www-authenticate", b'Basic realm="chinwag"'))
        except DISK_ERRORS as error:  # while reading, so nothing was changed
            log.error("%s %r: %s", request.method, shown_path(request.path), error)  # noqa: TRY400  # a full disk is no bug: no traceback
            refused = Unavailable("The server could not read this from its disk. Try again.")
            status, body = refused.status, orjson.dumps(refused.body())
        except Exception as error:  # a border: any bug becomes a 500, and is logged
            # The path is escaped: line breaks and escapes in it would forge log lines.
            log.exception(
                "%s %r failed: %s", request.method, shown_path(request.path), type(error).__name__
            )
            failure = {
                "result": "error",
                "msg": "Internal server error",
                "code": "INTERNAL_SERVER_ERROR",
            }
            status, body = 500, orjson.dumps(failure)
        headers += [header for allowance in spent for header in _allowance_headers(allowance)]
        await reply(request.headers, send, status, "application/json", body, *headers)

    async def _send_lines(self, request: Request, send: Send, lines: Lines) -> None:
        """Send each line as it comes. An answer that began has no status for an error: it ends."""
        headers = [
            *READABLE,
            (b"x-content-type-options", b"nosniff"),
            (b"content-type", LINES.encode()),
            (b"cache-control", b"no-store, no-transform"),  # compressing would hold lines back
            (b"x-accel-buffering", b"no"),
        ]
        async with aclosing(lines.rest(request.connection.output)) as rest:
            await start(send, 200, headers, None)
            line = orjson.dumps(lines.first, option=orjson.OPT_APPEND_NEWLINE)
            await send({"type": "http.response.body", "body": line, "more_body": True})
            try:
                async for line in rest:
                    await send({"type": "http.response.body", "body": line, "more_body": True})
                    del line  # it may be long, and the next one may be long in coming
            except DISK_ERRORS as error:
                log.error("%s %r: %s", request.method, shown_path(request.path), error)  # noqa: TRY400  # no bug
            except Exception:  # the head was sent: the answer ends here, and the client asks again
                log.exception("%s %r failed", request.method, shown_path(request.path))
        await send({"type": "http.response.body", "body": b""})

    async def _answer(self, request: Request, spent: list[Allowance]) -> bytes | Lines:
        contract, path = TABLE.find(request.verb, request.path[len(PREFIX) :])
        check_origin(request.headers, request.method, takes_key=contract.auth != "none")
        caller = self._caller(request, contract, spent)
        user = None if caller is None else caller.user
        if user is not None:
            check_reach(self.database.reader, user, request.verb, request.path[len(PREFIX) :])
        self._check_generation(request)
        ordinary = self.settings.limits.body_bytes
        is_large = contract.body_bytes > ordinary and request.may_exceed(ordinary)
        if not is_large:
            return await self._act(request, contract, path, caller, is_large=False)
        async with self._large_bodies:
            return await self._act(request, contract, path, caller, is_large=True)

    async def _act(
        self,
        request: Request,
        contract: EndpointSpec,
        path: Sequence[str],
        caller: Caller | None,
        *,
        is_large: bool,
    ) -> bytes | Lines:
        user = None if caller is None else caller.user
        form = request.query()
        upload: Upload | None = None
        picture: Picture | None = None
        body: Body | None = None
        if contract.wants_body:
            limit = max(self.settings.limits.body_bytes, contract.body_bytes)
            body = await self._in_time(request.anything(limit), is_large=is_large)
            picture = Picture(name="", content_type=body.kind, data=body.data)
            form |= {name: body.fields[name] for name in contract.names & body.fields.keys()}
        elif contract.wants_picture:
            fields, picture = await request.picture(
                self.settings.limits.picture_bytes,
                body_bytes=self.settings.limits.body_bytes,
                turn=self._pictures,
                seconds=self.settings.timing.picture,
            )
            form |= fields
        elif request.verb != "GET":
            form_read = request.form(
                body_bytes=max(self.settings.limits.body_bytes, contract.body_bytes),
                upload_bytes=self.settings.limits.upload_bytes if contract.wants_upload else 0,
            )
            fields, upload = await self._in_time(form_read, is_large=is_large)
            form |= fields
        positional, keyword, ignored = contract.arguments(path, form)
        key = None if contract.mode == "read" else request.headers.get("idempotency-key")
        resend = None
        if user is not None and key is not None:
            resend = resend_of(key, request.method, request.path, form, picture)
        if contract.wants_request:
            keyword[contract.wants_request] = request.info(resend)
        if contract.wants_upload:
            keyword[contract.wants_upload] = upload
        if contract.wants_picture:
            keyword[contract.wants_picture] = picture
        if contract.wants_body:
            keyword[contract.wants_body] = body
        call = Call(contract, caller, positional, keyword)
        if user is not None and contract.mode == "write" and resend is not None:
            run = once(user.id, resend, self._change(call))
            return _success(await self.database.write(run), ignored)
        if contract.mode == "read":

            def read(db: Db) -> bytes:
                return _success(call.run(db, self._now(db, caller)), ignored)

            asker = request.address if user is None else user.id
            if takes_long(contract.function, keyword):
                return await self.database.long_reads.read(read, asker=asker)
            return await self.database.read_or_delegate(read, asker=asker)
        answer = await self._call(request, call)
        if isinstance(answer, Lines):
            return replace(answer, first=_envelope(answer.first, ignored))
        return _success(answer, ignored)

    async def _in_time(self, reading: Awaitable[T], *, is_large: bool) -> T:
        """Await reading the request; raises TooSlow for a slow large one, because few are read at once."""
        if not is_large:
            return await reading
        try:
            async with asyncio.timeout(self.settings.timing.large_body):
                return await reading
        except TimeoutError:
            raise TooSlow("The request came too slowly.") from None

    def _check_generation(self, request: Request) -> None:
        """Refuse a change by a client that sends an earlier generation of the organization."""
        given = request.headers.get("organization-generation")
        if given is None or request.verb == "GET":
            return
        now = generation.current(self.database.reader)  # constant while the file is served
        if given != now:
            raise GenerationChanged(now)

    async def _call(self, request: Request, call: Call) -> Any:
        """Run an endpoint that writes or waits."""
        if call.contract.mode == "write":
            return await self.database.write(self._change(call))
        # GET requests change nothing, and polls are frequent.
        caller = None if request.verb == "GET" else call.caller
        user = None if call.caller is None else call.caller.user
        if call.contract.wants_upload:  # it reads its own request, and notices its end
            return await call.run(self._context(caller), user)
        return await _while_connected(request.connection, call.run(self._context(caller), user))

    def _change(self, call: Call) -> Callable[[Tx], Any]:
        return lambda tx: call.run(tx, self._now(tx, call.caller))

    def _now(self, db: Db, caller: Caller | None) -> UserRow | None:
        """Return the user's current row, which may have changed while the request's body arrived."""
        if caller is None or caller.generations == db.generations(*DEPENDENCIES):
            return None if caller is None else caller.user
        return caller.again(db)

    def _context(self, caller: Caller | None) -> Context:
        """Return the context of a waiting endpoint, which refuses changes if the user lost their rights."""
        if caller is None:
            return self.context

        def check(tx: Tx) -> None:
            now = self._now(tx, caller)
            if now is None or now.role != caller.user.role:
                raise Unauthenticated("Your account was changed meanwhile. Try again.")

        return replace(self.context, check=check)

    def _caller(
        self, request: Request, contract: EndpointSpec, spent: list[Allowance]
    ) -> Caller | None:
        authorization = request.headers.get("authorization") if contract.auth != "none" else None
        key = request.query().get("api_key") if contract.key_in_query else None
        caller = None
        if authorization is not None or key is not None:
            try:
                caller = self._identify(request, authorization, key or "")
            except Unauthenticated:
                self._spend(self._addresses, request.address, spent)
                raise
        elif contract.auth == "required":
            self._spend(self._addresses, request.address, spent)
            raise Unauthenticated("Not logged in: API authentication or user session required")
        if caller is None:
            self._spend(self._addresses, request.address, spent)
        elif (request.verb, request.path) != ("GET", f"{PREFIX}events"):  # the queues count polls
            self._spend(self._people, caller.user.id, spent)
        return caller

    def _identify(self, request: Request, authorization: str | None, key: str) -> Caller:
        def authenticated(db: Db) -> UserRow:
            credentials = None if authorization is None else request.credentials()
            return (
                authenticate_key(db, key) if credentials is None else authenticate(db, *credentials)
            )

        reader = self.database.reader
        now = reader.generations(*DEPENDENCIES)
        if authorization is None:
            return Caller(authenticated(reader), authenticated, now)
        # Clients repeat this header with each poll; it is valid until any API key or user changes.
        if now != self._callers_at or len(self._callers) >= KNOWN_CALLERS:
            self._callers.clear()
            self._callers_at = now
        user = self._callers.get(authorization)
        if user is None:
            user = authenticated(reader)
            if len(authorization) <= LONGEST_KNOWN:
                self._callers[authorization] = user
        return Caller(user, authenticated, now)

    def _spend(self, limit: RateLimit | None, key: object, spent: list[Allowance]) -> None:
        if limit is not None:
            spent.append(limit.spend(key))

    async def _page(self, request: Request, send: Send) -> None:
        """Serve everything outside the API: files, images, the page of an invitation …"""
        await serve_page(self.context, request, send)

    def _is_idle(self) -> bool:
        """Whether no client has been connected for as long as the settings say."""
        patience = self.settings.exit_when_idle
        if patience is None or self.queues.waiting:
            return False
        return time.monotonic() - self._last_request > patience

    def close(self) -> None:
        """End all waiting polls; the database stays open for requests still being answered."""
        self.queues.close()


def _limit(per_minute: int | None) -> RateLimit | None:
    return None if per_minute is None else RateLimit(per_minute, 60.0)


async def _while_connected(connection: Connection, work: Coroutine[Any, Any, T]) -> T:
    """Await `work`, but stop when the client disconnects: a long poll must not outlive its client.

    It starts in the turn of the event loop that authenticated its user, so that a revoked key ends it.
    """
    if connection.has_ended:
        work.close()
        raise ClientDisconnected
    task = asyncio.current_task()
    assert task is not None
    connection.at_end = task.cancel
    try:
        return await work
    except asyncio.CancelledError:
        if connection.has_ended:
            raise ClientDisconnected from None
        raise
    finally:
        connection.at_end = None


def _success(answer: Mapping[str, object] | EncodedFields, ignored: list[str]) -> bytes:
    if isinstance(answer, EncodedFields):
        return b"".join((orjson.dumps(_envelope({}, ignored))[:-1], *answer.members, b"}"))
    if isinstance(answer, Document):
        return orjson.dumps(dict(answer))
    return orjson.dumps(_envelope(answer, ignored), option=orjson.OPT_NON_STR_KEYS)


def _envelope(answer: Mapping[str, object], ignored: list[str]) -> dict[str, object]:
    body: dict[str, object] = {"result": "success", "msg": ""}
    if ignored:
        body["ignored_parameters_unsupported"] = ignored
    return {**body, **answer}


def _allowance_headers(allowance: Allowance) -> list[Header]:
    reset = int(time.time() + allowance.reset_in)
    return [
        (b"x-ratelimit-remaining", str(allowance.remaining).encode()),
        (b"x-ratelimit-limit", str(allowance.limit).encode()),
        (b"x-ratelimit-reset", str(reset).encode()),
    ]
