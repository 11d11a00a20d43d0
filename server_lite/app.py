"""The edge: from HTTP to the endpoint and back to JSON. Knows no noun of the product."""

import asyncio
import time
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Mapping,
    MutableMapping,
    Sequence,
)
from contextlib import AbstractAsyncContextManager, aclosing, suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeVar

import orjson

from server_lite.access.mentions import linkifiers_of
from server_lite.access.rendering import Rendering
from server_lite.api.answers import LINES, Later, Lines
from server_lite.api.authentication import Caller, check_reach
from server_lite.api.callers import Callers
from server_lite.api.failures import failure, log, shown_path
from server_lite.api.idempotency import ChangeRequest, once, resend_of
from server_lite.api.params import Body, EndpointSpec, Picture, Upload
from server_lite.api.request import Asgi, ClientDisconnected, Receive, Request, Scope, Send
from server_lite.api.routing import PREFIX
from server_lite.api.successes import allowance_headers, envelope, success
from server_lite.api.waiting import awaited, begin_later, settled, while_connected
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
)
from server_lite.http.allowed_hosts import Hosts, check_origin
from server_lite.http.compression import LEAST
from server_lite.http.conditional import Header
from server_lite.http.connections import NewAnswer
from server_lite.http.cross_origin import READABLE
from server_lite.http.replies import prepared, reply, send_encoded, standard_headers, start
from server_lite.ids import UserId
from server_lite.markup.linkifiers import compile_all
from server_lite.queues import Queues
from server_lite.routes import SENDS_TEXT, TABLE, address_in_links, serve_page, takes_long
from server_lite.store import alert_words, generation
from server_lite.store.connection import Db
from server_lite.store.database import Database, Tx
from server_lite.store.disk_errors import DISK_ERRORS
from server_lite.store.users import UserRow
from server_lite.workers.maintenance import Maintenance

T = TypeVar("T")

PICTURES_AT_ONCE: Final = 2
"""Limit of files read whole at once; further requests wait with their data unread in the socket."""
LARGE_AT_ONCE: Final = 2
"""Limit of large requests at once, from first byte to answer: each is in memory several times."""
JSON: Final = "application/json"
_STANDARD: Final = standard_headers(JSON, READABLE)
"""Headers of all short answers of the API."""


@dataclass(frozen=True, slots=True)
class Call:
    """A decoded request: its endpoint, user and arguments."""

    contract: EndpointSpec
    caller: Caller | None
    positional: Sequence[object]
    keyword: dict[str, object]
    change_request: ChangeRequest | None
    """For requests with a key, and endpoints that may make a change in slices."""

    @property
    def asker(self) -> UserId | None:
        """Whose changes wait for each other."""
        return None if self.caller is None else self.caller.user.id

    def run(self, first: Db | Context, user: UserRow | None) -> Any:
        """Call the endpoint with the database or context, as `user`."""
        asking = () if self.contract.auth == "none" else (user,)
        return self.contract.function(first, *asking, *self.positional, **self.keyword)


class App:
    """One server as an ASGI application."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings: Final = settings
        self.database: Final = database
        self.queues: Final = Queues(database, timing=settings.timing, limits=settings.limits)
        self.context: Final = Context(
            settings=settings,
            database=database,
            queues=self.queues,
            rendering=Rendering(database),
        )
        self._callers = Callers(settings.limits)
        if self._callers.people is not None:
            self.queues.charge = self._callers.people.spend
        self._hosts = Hosts(settings.host, settings.names)
        self._pictures = asyncio.Semaphore(PICTURES_AT_ONCE)
        self._large_bodies = asyncio.Semaphore(LARGE_AT_ONCE)
        self._last_request = time.monotonic()
        self._tasks: set[asyncio.Task[None]] = set()  # the event loop keeps only weak references
        self.maintenance: Final = Maintenance(self.context, self._is_idle)
        database.read(alert_words.words_by_run)  # thousands of words would hold the first message
        compile_all(database.read(linkifiers_of))  # as would patterns

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
                await while_connected(request.connection, self._send_lines(request, send, answer))
                return
            status, body = 200, answer
        except ClientDisconnected:
            return
        except Exception as error:  # noqa: BLE001  # a border: any bug becomes a 500, and is logged
            status, body, more = failure(request, error)
            headers += more
            if isinstance(error, RateLimited):
                spent = [error.allowance]
        headers += [header for allowance in spent for header in allowance_headers(allowance)]
        await reply(request.headers, send, status, JSON, body, *headers)

    # Changes that arrived whole, and polls: most of what clients send

    def begin(self, scope: Scope, body: bytes, output: NewAnswer) -> Asgi | None:
        """Answer a request that arrived whole without a task: a change by its commit, a poll by that of another.

        Returns the application that answers others in a task. Nothing differs but the cost.
        """
        path = scope["path"]
        if scope["method"] in ("HEAD", "OPTIONS") or not path.startswith(PREFIX):
            return self
        try:
            contract, segments = TABLE.find(scope["method"], path[len(PREFIX) :])
        except ApiError:
            return self
        if contract.mode not in ("write", "later"):
            return self
        request = Request(scope, _nothing_more)
        is_form = not (contract.takes_file or contract.wants_body or request.is_multipart)
        if not is_form or len(body) > self.settings.limits.body_bytes:
            return self
        self._last_request = time.monotonic()
        spent: list[Allowance] = []
        try:
            self._hosts.check(request.headers.get("host", ""), request.reached)
            caller = self._admitted(request, contract, spent)
            form = request.query()
            if request.verb != "GET":
                form |= request.form_of(body)
            call, ignored = self._decoded(request, contract, caller, segments, form)
            settle = partial(self._settle, request, output, spent, ignored)
            if contract.mode == "write":
                if not self._has_to_render(call):
                    self.database.submit(self._change(call), settle, asker=call.asker)
                else:
                    self._go_on_in_task(settled(self._write(call), settle))
                return None
            answer = self._run(request, call)
            if isinstance(answer, Lines):
                return partial(
                    self._go_on, request, replace(answer, first=envelope(answer.first, ignored))
                )
            begin_later(request.connection, answer, settle)
        except Exception as error:  # noqa: BLE001  # a border, as in `_serve`
            self._settle(request, output, spent, [], error)
        return None

    async def _go_on(
        self, request: Request, answer: Lines, _: Scope, __: Receive, send: Send
    ) -> None:
        """Send the lines of a request that was begun without a task."""
        with suppress(ClientDisconnected):
            await while_connected(request.connection, self._send_lines(request, send, answer))

    def _settle(
        self,
        request: Request,
        output: NewAnswer,
        spent: list[Allowance],
        ignored: list[str],
        outcome: Any,
    ) -> None:
        """Send the result of a change, or its exception. One that cannot be sent ends the connection."""
        try:
            self._send_outcome(request, output, spent, ignored, outcome)
        except Exception:  # noqa: BLE001  # a border: a client that waits without end would be worse off
            log.exception("%s %r could not be answered", request.method, shown_path(request.path))
            output.cut()

    def _send_outcome(
        self,
        request: Request,
        output: NewAnswer,
        spent: list[Allowance],
        ignored: list[str],
        outcome: Any,
    ) -> None:
        headers: list[Header] = []
        status, body, error = 200, b"", outcome
        if not isinstance(outcome, Exception):
            try:
                body, error = success(outcome, ignored), None
            except Exception as cause:  # noqa: BLE001  # becomes a 500, and is logged
                error = cause
        if error is not None:
            status, body, headers = failure(request, error)
            if isinstance(error, RateLimited):
                spent = [error.allowance]
        for allowance in spent:
            headers += allowance_headers(allowance)
        if 0 < len(body) < LEAST:
            headers.append((b"content-length", b"%d" % len(body)))
            output.answer(status, headers, body, _STANDARD)
            return
        answer = prepared(request.headers, status, JSON, body, [*READABLE, *headers])
        if answer.encoding:
            self._go_on_in_task(send_encoded(output.send, answer))
        else:
            output.answer(answer.status, answer.headers, answer.body)

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
                log.error("%s %r: %s", request.method, shown_path(request.path), error)  # no bug
            except Exception:  # noqa: BLE001  # the head was sent: the answer ends here, and the client asks again
                log.exception("%s %r failed", request.method, shown_path(request.path))
        await send({"type": "http.response.body", "body": b""})

    async def _answer(self, request: Request, spent: list[Allowance]) -> bytes | Lines:
        contract, path = TABLE.find(request.verb, request.path[len(PREFIX) :])
        caller = self._admitted(request, contract, spent)
        ordinary = self.settings.limits.body_bytes
        is_large = contract.body_bytes > ordinary and request.may_exceed(ordinary)
        if not is_large:
            return await self._act(request, contract, path, caller, is_large=False)
        async with self._large_bodies:
            return await self._act(request, contract, path, caller, is_large=True)

    def _admitted(
        self, request: Request, contract: EndpointSpec, spent: list[Allowance]
    ) -> Caller | None:
        """Return who asks, if the request may be made at all; raises ApiError."""
        check_origin(request.headers, request.method, takes_key=contract.auth != "none")
        caller = self._callers.identify(self.database.reader, request, contract, spent)
        if caller is not None:
            path = request.path[len(PREFIX) :]
            check_reach(self.database.reader, caller.user, request.verb, path)
        if "organization-generation" in request.headers:
            self._check_generation(request)
        return caller

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
        decoded = partial(self._decoded, request, contract, caller, path, form, picture)
        call, ignored = await asyncio.to_thread(decoded) if is_large else decoded()
        if contract.wants_upload:
            call.keyword[contract.wants_upload] = upload
        if contract.wants_picture:
            call.keyword[contract.wants_picture] = picture
        if contract.wants_body:
            call.keyword[contract.wants_body] = body
        if contract.mode == "write":
            return success(await self._write(call), ignored)
        if contract.mode == "read":

            def read(db: Db) -> bytes:
                return success(call.run(db, self._now(db, caller)), ignored)

            asker = request.address if user is None else user.id
            if takes_long(contract.function, call.keyword):
                return await self.database.read_long(read, asker=asker)
            return await self.database.read_or_delegate(read, asker=asker)
        if contract.mode == "wait":
            answer = await self._wait(request, call)
        else:
            answer = self._run(request, call)
            if isinstance(answer, Later):
                answer = await while_connected(request.connection, awaited(answer))
        if isinstance(answer, Lines):
            return replace(answer, first=envelope(answer.first, ignored))
        return success(answer, ignored)

    def _decoded(
        self,
        request: Request,
        contract: EndpointSpec,
        caller: Caller | None,
        path: Sequence[str],
        form: Mapping[str, str],
        picture: Picture | None = None,
    ) -> tuple[Call, list[str]]:
        """Return the call and the names of unknown parameters; raises ApiError."""
        positional, keyword, ignored = contract.arguments(path, form)
        key = None if contract.mode == "read" else request.headers.get("idempotency-key")
        resend = None
        if caller is not None and key is not None:
            resend = resend_of(key, request.method, request.path, form, picture)
        if contract.wants_request:
            keyword[contract.wants_request] = request.info()
        asked = None
        if caller is not None and (resend is not None or contract.mode == "wait"):
            asked = ChangeRequest(
                user_id=caller.user.id,
                resend=resend,
                method=request.method,
                path=request.path,
                form=form,
            )
        return Call(contract, caller, positional, keyword, asked), ignored

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
        if request.verb == "GET":
            return
        given = request.headers["organization-generation"]
        now = generation.current(self.database.reader)  # constant while the file is served
        if given != now:
            raise GenerationChanged(now)

    async def _wait(self, request: Request, call: Call) -> Any:
        """Run an endpoint that waits."""
        if call.contract.wants_upload:  # it reads its own request, and notices its end
            return await self._run(request, call)
        return await while_connected(request.connection, self._run(request, call))

    def _run(self, request: Request, call: Call) -> Any:
        """Call an endpoint that gets the context."""
        # GET requests change nothing, and polls are frequent.
        context = self.context if request.verb == "GET" else self._context(call)
        user = None if call.caller is None else call.caller.user
        return call.run(context, user)

    def _change(self, call: Call) -> Callable[[Tx], Any]:
        """Return the transaction of an endpoint that writes; a key makes it at most once."""

        def run(tx: Tx) -> Any:
            return call.run(tx, self._now(tx, call.caller))

        asked = call.change_request
        if asked is None or asked.resend is None:
            return run
        return once(asked.user_id, asked.resend, run)

    def _write(self, call: Call) -> Awaitable[Any]:
        """Run the transaction of an endpoint that writes, after rendering its text if that may take long."""
        change = self._change(call)
        if call.caller is None or not self._has_to_render(call):
            return self.database.write(change, asker=call.asker)
        base_url = address_in_links(call.contract.function, call.keyword)
        content = str(call.keyword["content"])
        rendered = self.context.rendering.ahead(call.caller.user, content, base_url)
        return self._write_after(rendered, change, call.asker)

    async def _write_after(
        self,
        rendered: AbstractAsyncContextManager[None],
        change: Callable[[Tx], object],
        asker: UserId | None,
    ) -> object:
        async with rendered:
            return await self.database.write(change, asker=asker)

    def _has_to_render(self, call: Call) -> bool:
        """Whether a text is rendered before its change."""
        if call.contract.function not in SENDS_TEXT or call.caller is None:
            return False
        content = call.keyword.get("content")
        return isinstance(content, str) and self.context.rendering.has_to_wait(
            call.caller.user, content
        )

    def _go_on_in_task(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _now(self, db: Db, caller: Caller | None) -> UserRow | None:
        """Return the user's current row, which may have changed while the request's body arrived."""
        if caller is None or caller.is_current(db):
            return None if caller is None else caller.user
        return caller.again(db)

    def _context(self, call: Call) -> Context:
        """Return the context of a waiting endpoint, which refuses changes if the user lost their rights."""
        caller = call.caller
        if caller is None:
            return self.context

        def check(tx: Tx) -> None:
            now = self._now(tx, caller)
            if now is None or now.role != caller.user.role:
                raise Unauthenticated("Your account was changed meanwhile. Try again.")

        return replace(
            self.context, check=check, change_request=call.change_request, asker=caller.user.id
        )

    async def _page(self, request: Request, send: Send) -> None:
        """Serve everything outside the API: files, images, the page of an invitation …"""
        await serve_page(self.context, request, send)

    def _is_idle(self) -> bool:
        """Whether no client has been connected for as long as the settings say."""
        timeout = self.settings.exit_when_idle
        if timeout is None or self.queues.waiting:
            return False
        return time.monotonic() - self._last_request > timeout

    def close(self) -> None:
        """End all waiting polls; the database stays open for requests still being answered."""
        self.queues.close()


async def _nothing_more() -> MutableMapping[str, Any]:
    """Receive of requests whose bodies were received."""
    return {"type": "http.disconnect"}
