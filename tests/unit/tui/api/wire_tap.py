"""A connection whose requests the test answers and inspects. No sockets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

import httpx

from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials

KEY = "abcdefghijklmnopqrstuvwxyz012345"


@dataclass
class WireTap:
    """Answers every request with `answer` (or raises `fault`) and stores the requests."""

    answer: httpx.Response | None = None
    fault: Exception | None = None
    requests: list[httpx.Request] = field(default_factory=list)

    def handle(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        if self.fault is not None:
            raise self.fault
        return unread(self.answer or httpx.Response(200, json={"result": "success", "msg": ""}))

    @property
    def sent(self) -> tuple[str, str, dict[str, str]]:
        """Method, path below /api/v1 and fields of the only request."""
        (request,) = self.requests
        body = request.url.query.decode() or request.content.decode()
        path = request.url.raw_path.decode().partition("?")[0].removeprefix("/api/v1")
        return request.method, path, dict(parse_qsl(body, keep_blank_values=True))


def unread(answer: httpx.Response) -> httpx.Response:
    """Return the answer as from a socket: unread, so that it can be read in chunks."""
    try:
        body = answer.content
    except httpx.ResponseNotRead:
        return answer
    return httpx.Response(answer.status_code, headers=answer.headers, stream=httpx.ByteStream(body))


def connection(tap: WireTap, url: str = "chat.example.com", *, key: str | None = KEY) -> Connection:
    """Return a connection, signed in unless `key` is None."""
    return Connection(
        parse_base_url(url, allow_http=False),
        credentials=None if key is None else Credentials("iris@example.com", key),
        transport=httpx.MockTransport(tap.handle),
    )


def success(**data: object) -> httpx.Response:
    """Return a successful answer."""
    return httpx.Response(200, json={"result": "success", "msg": "", **data})


def refusal(status: int, code: str, msg: str = "No.", **data: object) -> httpx.Response:
    """Return an error of the server."""
    body: Mapping[str, object] = {"result": "error", "msg": msg, "code": code, **data}
    return httpx.Response(status, json=body)
