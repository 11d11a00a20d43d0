"""The edge: HTTP to endpoint and back to JSON. Knows no noun of the product."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

import orjson

from server_lite.actions import avatars, retention, uploads, users
from server_lite.authentication import authenticate, authenticate_key, check_reach
from server_lite.config import Settings
from server_lite.context import Context
from server_lite.errors import ApiError, RateLimited, Unauthenticated, Unavailable
from server_lite.hosts import Hosts
from server_lite.idempotency import once, resend_of
from server_lite.limits import Allowance, RateLimit
from server_lite.params import Body, Contract, Document, Upload
from server_lite.queues import Queues
from server_lite.request import Gone, Receive, Request, Scope, Send
from server_lite.routes import TABLE, serve_page
from server_lite.store.database import Database, Tx
from server_lite.store.users import UserRow

PREFIX: Final = "/api/v1/"
log = logging.getLogger("chinwag.server")


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
        self._hosts = Hosts(settings.host, settings.names)
        self._last_request = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._serve(Request(scope, receive), send)

    async def _serve(self, request: Request, send: Send) -> None:
        self._last_request = time.monotonic()
        headers: list[tuple[bytes, bytes]] = [(b"content-type", b"application/json")]
        try:
            self._hosts.check(request.headers.get("host", ""))
            if not request.path.startswith(PREFIX):
                await self._page(request, send)
                return
            status, body = 200, await self._answer(request, headers)
        except Gone:
            return
        except ApiError as error:
            status, body = error.status, orjson.dumps(error.body())
            headers += _error_headers(error)
        except Exception as error:  # the border: whatever a bug raises becomes a 500, and is logged
            log.exception("%s %s failed: %s", request.method, request.path, type(error).__name__)
            failure = {
                "result": "error",
                "msg": "Internal server error",
                "code": "INTERNAL_SERVER_ERROR",
            }
            status, body = 500, orjson.dumps(failure)
        await _respond(send, status, headers, body)

    async def _answer(self, request: Request, headers: list[tuple[bytes, bytes]]) -> bytes:
        contract, path = TABLE.find(request.method, request.path[len(PREFIX) :])
        user = self._caller(request, contract, headers)
        if user is not None:
            check_reach(user, request.method, request.path[len(PREFIX) :])
        form = request.query()
        uploads: list[Upload] = []
        body: Body | None = None
        if contract.wants_body:
            body = await request.anything(self.settings.limits.body_bytes)
            uploads = [Upload(name="", content_type=body.kind, data=body.data)]
            form |= {name: body.fields[name] for name in contract.names & body.fields.keys()}
        elif request.method != "GET":
            fields, uploads = await request.form(
                body_bytes=max(self.settings.limits.body_bytes, contract.body_bytes),
                upload_bytes=self.settings.limits.upload_bytes if contract.wants_upload else 0,
            )
            form |= fields
        positional, keyword, ignored = contract.arguments(path, form)
        key = None if contract.mode == "read" else request.headers.get("idempotency-key")
        resend = None
        if user is not None and key is not None:
            resend = resend_of(key, request.method, request.path, form, uploads)
        if contract.wants_request:
            keyword[contract.wants_request] = replace(request.info(), resend=resend)
        if contract.wants_upload:
            keyword[contract.wants_upload] = uploads[0] if uploads else None
        if contract.wants_body:
            keyword[contract.wants_body] = body
        if contract.auth != "none":
            positional.insert(0, user)
        if user is not None and contract.mode == "write" and resend is not None:
            run = once(user.id, resend, change_of(contract, positional, keyword))
            return _success(await self.database.write(run), ignored)
        return _success(await self._call(request, contract, positional, keyword), ignored)

    async def _call(
        self, request: Request, contract: Contract, positional: list[Any], keyword: dict[str, Any]
    ) -> Any:
        function = contract.function
        if contract.mode == "write":
            return await self.database.write(change_of(contract, positional, keyword))
        if contract.mode == "read":
            return self.database.read(lambda db: function(db, *positional, **keyword))
        return await _while_connected(request, function(self.context, *positional, **keyword))

    def _caller(
        self, request: Request, contract: Contract, headers: list[tuple[bytes, bytes]]
    ) -> UserRow | None:
        credentials = request.credentials() if contract.auth != "none" else None
        key = request.query().get("api_key") if contract.key_in_query else None
        user = None
        if credentials is not None or key is not None:
            try:
                user = (
                    authenticate_key(self.database.reader, key or "")
                    if credentials is None
                    else authenticate(self.database.reader, *credentials)
                )
            except Unauthenticated:
                self._spend(self._addresses, request.address, headers)
                raise
        elif contract.auth == "required":
            self._spend(self._addresses, request.address, headers)
            raise Unauthenticated("Not logged in: API authentication or user session required")
        if user is None:
            self._spend(self._addresses, request.address, headers)
        elif contract.mode != "wait" or request.method != "GET":  # long polls are not counted
            self._spend(self._people, user.id, headers)
        return user

    def _spend(
        self, limit: RateLimit | None, key: object, headers: list[tuple[bytes, bytes]]
    ) -> None:
        if limit is None:
            return
        headers += _allowance_headers(limit.spend(key))

    async def _page(self, request: Request, send: Send) -> None:
        """Everything outside the API: files, pictures, the page of a reusable invitation …"""
        await serve_page(self.context, request, send)

    async def upkeep(self) -> None:
        """Tidy up every now and then; runs until it is cancelled."""
        while True:
            await asyncio.sleep(self.settings.timing.upkeep)
            await self.tidy_up()

    async def tidy_up(self) -> None:
        """Expired queues, cursors, old log rows; and leave if nobody needs this server."""
        try:
            await self.database.write(self._tidy)
        except Unavailable as error:
            log.warning("upkeep was put off: %s", error.__cause__)
        if self._is_idle():
            self.context.leaving.set()

    def _is_idle(self) -> bool:
        """Whether nobody has been connected for as long as the settings say."""
        patience = self.settings.exit_when_idle
        if patience is None or self.queues.waiting:
            return False
        return time.monotonic() - self._last_request > patience

    def _tidy(self, tx: Tx) -> None:
        self.queues.upkeep(tx)
        uploads.sweep(tx)
        avatars.sweep(tx)
        retention.forget_old_messages(tx)
        users.promote(tx)
        tx.run("DELETE FROM idempotency WHERE at < ?", tx.now - 24 * 3600)

    def close(self) -> None:
        """Send every waiting poll home; the database stays open for what is still being answered."""
        self.queues.close()


def _limit(per_minute: int | None) -> RateLimit | None:
    return None if per_minute is None else RateLimit(per_minute, 60.0)


def change_of(
    contract: Contract, positional: list[Any], keyword: dict[str, Any]
) -> Callable[[Tx], Any]:
    return lambda tx: contract.function(tx, *positional, **keyword)


async def _while_connected(request: Request, work: Awaitable[Any]) -> Any:
    """Await `work`, but stop when the client goes away: a long poll must not outlive its reader."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Gone
        return task.result()
    finally:
        for waiting in (task, gone):
            if not waiting.done():
                waiting.cancel()
        await asyncio.gather(task, gone, return_exceptions=True)


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _success(answer: Any, ignored: list[str]) -> bytes:
    if isinstance(answer, Document):
        return orjson.dumps(dict(answer))
    body: dict[str, Any] = {"result": "success", "msg": ""}
    if ignored:
        body["ignored_parameters_unsupported"] = ignored
    return orjson.dumps(body | answer, option=orjson.OPT_NON_STR_KEYS)


def _error_headers(error: ApiError) -> list[tuple[bytes, bytes]]:
    if isinstance(error, RateLimited):
        seconds = str(error.retry_after).encode()
        return [(b"retry-after", seconds), (b"x-ratelimit-remaining", b"0")]
    if isinstance(error, Unauthenticated):
        return [(b"www-authenticate", b'Basic realm="chinwag"')]
    return []


def _allowance_headers(allowance: Allowance) -> list[tuple[bytes, bytes]]:
    reset = int(time.time() + allowance.reset_in)
    return [
        (b"x-ratelimit-remaining", str(allowance.remaining).encode()),
        (b"x-ratelimit-limit", str(allowance.limit).encode()),
        (b"x-ratelimit-reset", str(reset).encode()),
    ]


async def _respond(
    send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes
) -> None:
    length = (b"content-length", str(len(body)).encode())
    store = (b"cache-control", b"no-store")
    await send(
        {"type": "http.response.start", "status": status, "headers": [*headers, length, store]}
    )
    await send({"type": "http.response.body", "body": body})
