"""server_lite behind a facade: to clients it is a full server of one feature level. No fakes behind it.

    async with full_server(server, level=218) as full:
        async with playing(full, ann, tmp_path) as a:

The client at `full.url` uses a server that knows features up to that level and none of the
later ones, no features of Chinwag alone (idempotency keys, extra fields), and that strips
drafts and messages as full servers do. Users of the test itself (`ann.post(...)`) keep using
the server behind, so that a story's other side is the same at every level. Only levels.toml defines
the features of each level.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

import httpx
import orjson
import uvicorn

import tests.live
from server_lite.api.request import Receive, Scope, Send
from server_lite.api.routing import PREFIX
from server_lite.server import listen, stop_accepting, url_of
from tests.e2e.endpoints import endpoint_of
from tests.far import Way, reached
from tests.full_server import answers
from tests.full_server.requests import Refused, check_endpoint, taken
from tests.live import Live

DELETED_GROUPS: Final = "DELETE /user_groups/{user_group_id}"
"""Earlier servers deleted groups; the one behind deactivates, which looks the same."""

_NOT_PASSED_ON: Final = (b"idempotency-key", b"accept-encoding")
"""A header that it does not know, and one that would make the answer unreadable here."""
_FORM: Final = b"application/x-www-form-urlencoded"
_PAGE: Final = b"<!DOCTYPE html><html><head><title>Page not found</title></head></html>"


class Face:
    """An ASGI application in front of another one."""

    def __init__(self, inner: Any, level: int) -> None:
        self._inner = inner
        self._level = level
        self.refused: list[str] = []
        """`VERB /path STATUS` of every refusal."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        is_api = path.startswith(PREFIX) and not path.startswith(f"{PREFIX}external/")
        if scope["type"] != "http" or not is_api:
            await self._inner(scope, receive, send)
            return
        verb, path = scope["method"], scope["path"].removeprefix(PREFIX)
        try:
            endpoint = check_endpoint(
                verb, path, endpoint_of(verb, path) or _any(path), self._level
            )
            scope, receive, ignored = await self._taken(endpoint, scope, receive)
        except Refused as refused:
            self.refused.append(f"{verb} /{path} {refused.status}")
            kind = b"text/html; charset=utf-8" if refused.body is None else b"application/json"
            body = _PAGE if refused.body is None else orjson.dumps(refused.body)
            await _respond(send, refused.status, kind, body)
            return
        await self._inner(scope, receive, self._told(endpoint, f"{verb} /{path}", ignored, send))

    async def _taken(
        self, endpoint: str, scope: Scope, receive: Receive
    ) -> tuple[Scope, Receive, list[str]]:
        """Return the request without what this server does not know, and the removed names."""
        headers = [(k, v) for k, v in scope["headers"] if k not in _NOT_PASSED_ON]
        if endpoint == DELETED_GROUPS:
            scope = {**scope, "method": "POST", "path": f"{scope['path']}/deactivate"}
        query = dict(parse_qsl(scope["query_string"].decode(), keep_blank_values=True))
        query, ignored = (
            taken(endpoint, query, self._level)
            if query or scope["method"] == "GET"
            else (query, [])
        )
        scope = {**scope, "query_string": urlencode(query).encode(), "headers": headers}
        kind = dict(headers).get(b"content-type", b"").partition(b";")[0]
        if scope["method"] == "GET" or kind != _FORM:
            return scope, receive, ignored
        form = dict(parse_qsl((await _body(receive)).decode(), keep_blank_values=True))
        form, also = taken(endpoint, form, self._level)
        body = urlencode(form).encode()
        rest = [(k, v) for k, v in headers if k != b"content-length"]
        scope["headers"] = [*rest, (b"content-length", str(len(body)).encode())]
        return scope, _again(body, receive), [*ignored, *also]

    def _told(self, endpoint: str, asked: str, ignored: list[str], send: Send) -> Send:
        """Return a `send` that converts the answer."""
        start: dict[str, Any] = {}
        parts: list[bytes] = []

        async def rewritten(message: Any) -> None:
            if message["type"] == "http.response.start":
                start.update(message)
                return
            parts.append(message.get("body", b""))
            if message.get("more_body", False):
                return
            headers = [(k, v) for k, v in start["headers"] if k != b"content-length"]
            body = b"".join(parts)
            if dict(headers).get(b"content-type") == b"application/json":
                body = orjson.dumps(self._answer(endpoint, orjson.loads(body), ignored))
            if start["status"] >= 400:
                self.refused.append(f"{asked} {start['status']}")
            start["headers"] = [*headers, (b"content-length", str(len(body)).encode())]
            await send(start)
            await send({"type": "http.response.body", "body": body})

        return rewritten

    def _answer(self, endpoint: str, answer: dict[str, Any], ignored: list[str]) -> dict[str, Any]:
        if answer.get("result") != "success":
            return answer
        if ignored:
            said = answer.get("ignored_parameters_unsupported", [])
            answer["ignored_parameters_unsupported"] = sorted({*said, *ignored})
        if endpoint == "POST /register":
            return answers.register(answer, self._level)
        if endpoint == "GET /events":
            told = [answers.event(event, self._level) for event in answer.get("events", [])]
            return answer | {"events": told}
        return answers.server(answers.trimmed(answer, self._level), self._level)


def _any(path: str) -> str | None:
    """Return the path's endpoint for another verb: a method that is not allowed is not an unknown page."""
    verbs = ("GET", "POST", "PATCH", "PUT", "DELETE")
    name = next(filter(None, (endpoint_of(verb, path) for verb in verbs)), None)
    return None if name is None else f"? {name.partition(' ')[2]}"


async def _body(receive: Receive) -> bytes:
    parts = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` with that body, followed by the original."""
    given = False

    async def replay() -> Any:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _respond(send: Send, status: int, kind: bytes, body: bytes) -> None:
    length = str(len(body)).encode()
    headers = [(b"content-type", kind), (b"content-length", length)]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@dataclass(slots=True)
class FullServer(Live):
    """A running full server. `person` and `client` belong to the server behind."""

    face: Face = field(default_factory=lambda: Face(None, 0))
    behind: str = ""

    def client(self, auth: tuple[str, str] | None = None) -> httpx.AsyncClient:
        """Return a plain HTTP client of the server behind, without conversion."""
        face, self.url = self.url, self.behind
        try:
            return Live.client(self, auth)
        finally:
            self.url = face

    @property
    def refused(self) -> list[str]:
        """`VERB /path STATUS` of every refusal, in order."""
        return self.face.refused


class _Uvicorn(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        """Handle no signals: the event loop is the test's."""
        yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections, including those accepted at the last moment."""
        await stop_accepting(self.servers)
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        await asyncio.sleep(0)  # sockets are closed on the loop's next turn


@asynccontextmanager
async def full_server(
    server: Live, *, level: int = 218, way: Way | None = None
) -> AsyncIterator[FullServer]:
    """Run a facade for `server` at level 218, 371 or 496, on a port of its own, `way` from clients.

    By default as far away as other servers of the test.
    """
    sock = listen("127.0.0.1", 0)
    face = Face(server.app, level)
    config = uvicorn.Config(
        face,
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        http="httptools",
        timeout_graceful_shutdown=1,
        timeout_keep_alive=75,  # as the proxy in front of full servers
    )
    serving = _Uvicorn(config)
    with contextlib.closing(sock):
        task = asyncio.create_task(serving.serve(sockets=[sock]))
        try:
            async with reached(url_of(sock), way or tests.live.WAY) as url:
                full = FullServer(
                    server.server,
                    url,
                    server.settings,
                    server.near,
                    face=face,
                    behind=server.url,
                )
                try:
                    yield full
                finally:
                    await full.close()
        finally:
            serving.should_exit = True
            await task
