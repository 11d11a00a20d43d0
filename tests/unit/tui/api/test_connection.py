"""The connection: what leaves the machine, and how every failure is told. No sockets."""

import asyncio
import contextlib
import errno
import io
import socket
import ssl
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.unit.tui.api.wire_tap import KEY, WireTap, connection, refusal, success, unread
from tui.api import http_client
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.errors import (
    ApiError,
    ApiRefused,
    MalformedResponse,
    NetworkError,
    NetworkErrorKind,
    NotAServer,
    RateLimited,
    ServerFailed,
    TuiError,
)


def _because(error: Exception, cause: BaseException) -> Exception:
    error.__cause__ = cause
    return error


def _certificate(code: int) -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "certificate verify failed")
    error.verify_code = code
    return error


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (_because(httpx.ConnectError("x"), ConnectionRefusedError()), "refused"),
        (_because(httpx.ConnectError("x"), socket.gaierror(-2, "unknown")), "dns"),
        (_because(httpx.ConnectError("x"), OSError(errno.ENETUNREACH, "x")), "unreachable"),
        (
            _because(
                httpx.ConnectError("x"),
                ExceptionGroup("all", [ConnectionRefusedError(), ConnectionRefusedError()]),
            ),
            "refused",
        ),
        (_because(httpx.ConnectError("x"), _certificate(10)), "tls_expired"),
        (_because(httpx.ConnectError("x"), _certificate(62)), "tls_hostname"),
        (_because(httpx.ConnectError("x"), _certificate(18)), "tls_untrusted"),
        (_because(httpx.ConnectError("x"), ssl.SSLError(1, "wrong version")), "tls"),
        (httpx.ConnectError("x"), "unreachable"),
        (httpx.ConnectTimeout("x"), "connect_timeout"),
        (httpx.PoolTimeout("x"), "connect_timeout"),
        (httpx.ReadTimeout("x"), "timeout"),
        (httpx.ReadError("x"), "interrupted"),
        (httpx.RemoteProtocolError("x"), "interrupted"),
        (httpx.ProxyError("x"), "proxy"),
        (httpx.UnsupportedProtocol("x"), "other"),
    ],
)
async def test_a_network_fault_is_called_by_its_name(
    fault: Exception, kind: NetworkErrorKind
) -> None:
    """A wrong name, a server that is down and a bad certificate each read differently."""
    with pytest.raises(NetworkError) as caught:
        await connection(WireTap(fault=fault)).get("/users", {})
    assert (caught.value.kind, caught.value.host) == (kind, "chat.example.com")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (httpx.Response(502, html="<h1>Bad gateway</h1>"), ServerFailed),
        (refusal(500, "INTERNAL_SERVER_ERROR"), ServerFailed),
        (httpx.Response(200, html="<h1>Welcome to the hotel</h1>"), NotAServer),
        (httpx.Response(302, headers={"Location": "https://login.example.net/"}), NotAServer),
        (httpx.Response(200, text="{"), MalformedResponse),
        (httpx.Response(200, text="[]"), MalformedResponse),
        (httpx.Response(200, content=b'{"a": "\\ud800"}'), MalformedResponse),
        (httpx.Response(200, content=b'{"a": NaN}'), MalformedResponse),
        (httpx.Response(200, content=b"[" * 100_000), MalformedResponse),
        (httpx.Response(404, html="<h1>Not found</h1>"), NotAServer),
        (httpx.Response(401, html="<h1>Who are you?</h1>"), NotAServer),
        (httpx.Response(403, json={"error": "forbidden"}), NotAServer),
        (httpx.Response(511, html="<h1>Welcome to the hotel</h1>"), NotAServer),
        (httpx.Response(200, json={"ok": True}), NotAServer),
        (refusal(404, "NOT_FOUND"), ApiRefused),
        (refusal(200, "BAD_REQUEST"), ApiRefused),
    ],
)
async def test_an_unusable_answer_is_told_apart(
    answer: httpx.Response, expected: type[ApiError]
) -> None:
    """Whether to wait, to check the address or to report a bug can be seen from the error."""
    with pytest.raises(ApiError) as caught:
        await connection(WireTap(answer)).get("/users", {})
    assert type(caught.value) is expected
    assert caught.value.route == "GET /users"


async def test_a_refusal_brings_what_the_server_said() -> None:
    """People read the server's own words, and the program its code."""
    tap = WireTap(refusal(400, "BAD_EVENT_QUEUE_ID", "Bad event queue ID: 7", queue_id="7"))
    with pytest.raises(ApiRefused) as caught:
        await connection(tap).get("/events", {})
    error = caught.value
    assert str(error) == "Bad event queue ID: 7"
    assert (error.code, error.status, dict(error.data)) == (
        "BAD_EVENT_QUEUE_ID",
        400,
        {"queue_id": "7"},
    )


@pytest.mark.parametrize(
    ("header", "body", "seconds"),
    [
        ("2", {}, 2.0),
        ("9", {"retry-after": 0.25}, 0.25),
        ("9", {"retry-after": 10**400}, 9.0),
        ("Fri, 31 Dec 1999 23:59:59 GMT", {}, 1.0),
        ("1e999", {}, 1.0),
        ("999999999", {}, 3600.0),
    ],
)
async def test_a_limit_says_when_to_come_back(
    header: str, body: dict[str, Any], seconds: float
) -> None:
    """A busy server is asked again when it said, and never in a thousand years."""
    answer = refusal(429, "RATE_LIMIT_HIT", **body)
    answer.headers["Retry-After"] = header
    with pytest.raises(RateLimited) as caught:
        await connection(WireTap(answer)).get("/users", {})
    assert caught.value.retry_after == seconds


async def test_a_proxy_that_limits_requests_says_so_without_a_code() -> None:
    """Its page has no sentence for people."""
    answer = httpx.Response(429, html="<h1>429</h1>", headers={"Retry-After": "3"})
    with pytest.raises(RateLimited, match="Too many requests") as caught:
        await connection(WireTap(answer)).get("/users", {})
    assert caught.value.retry_after == 3.0


async def test_a_text_that_fits_no_address_is_refused_here() -> None:
    """A search of a hundred thousand characters is a sentence, and nothing goes to the server."""
    tap = WireTap(success())
    with pytest.raises(ApiRefused, match="too long"):
        await connection(tap).get("/messages", {"narrow": "x" * 100_000})
    assert tap.requests == []


async def test_a_web_site_is_no_chat_server() -> None:
    """Someone who types the wrong address learns that, and where it sends people instead."""
    with pytest.raises(NotAServer):
        await connection(WireTap(httpx.Response(404, html="?"))).get("/server_settings", {})
    moved = httpx.Response(301, headers={"Location": "https://www.example.com/x"})
    with pytest.raises(NotAServer, match=r"www\.example\.com"):
        await connection(WireTap(moved)).get("/server_settings", {})


async def test_a_request_says_who_asks() -> None:
    """The server knows the person and the program."""
    tap = WireTap(success())
    await connection(tap).post("/messages", {"to": [1]}, idempotency_key="k-1")
    headers = tap.requests[0].headers
    assert headers["Authorization"].startswith("Basic ")
    assert headers["User-Agent"].startswith("Chinwag/")
    assert headers["Idempotency-Key"] == "k-1"


async def test_nobody_yet_sends_no_key() -> None:
    """Signing in works before there is a key."""
    tap = WireTap(success())
    await connection(tap, key=None).post("/fetch_api_key", {})
    assert "Authorization" not in tap.requests[0].headers


@pytest.mark.parametrize(
    "answer", [refusal(401, "UNAUTHORIZED"), httpx.Response(500), httpx.Response(200, text="{")]
)
async def test_no_error_holds_the_key(answer: httpx.Response) -> None:
    """An error can be shown, logged and pasted into a report."""
    with pytest.raises(ApiError) as caught:
        await connection(WireTap(answer)).post("/fetch_api_key", {"password": "pa55"})
    shown = f"{caught.value} {caught.value!r} {vars(caught.value)} {Credentials('a', KEY)!r}"
    assert KEY not in shown
    assert "pa55" not in shown


async def test_an_endless_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken server cannot fill the memory."""
    monkeypatch.setattr(http_client, "MAX_ANSWER_BYTES", 1000)
    with pytest.raises(MalformedResponse, match="larger"):
        await connection(WireTap(success(filler="x" * 1000))).get("/users", {})


async def test_an_answer_that_trickles_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that sends a byte now and then does not hold the client for ever."""
    monkeypatch.setattr(http_client, "TOTAL_SECONDS", 0.0)
    monkeypatch.setattr(http_client, "READ_SECONDS", 0.0)

    async def trickle() -> AsyncIterator[bytes]:
        while True:
            yield b" "
            await asyncio.sleep(0)

    tap = WireTap(httpx.Response(200, content=trickle()))
    with pytest.raises(NetworkError) as caught:
        await connection(tap).get("/users", {}, read_seconds=0)
    assert caught.value.kind == "timeout"
    monkeypatch.setattr(http_client, "READ_SECONDS", 30.0)
    tap = WireTap(httpx.Response(200, content=trickle()))
    with pytest.raises(NetworkError):  # where lines were asked for, too
        async with connection(tap).get_lines("/events", {}, seconds=30.0):
            pass


async def test_what_waits_when_the_account_is_closed_ends() -> None:
    """Nobody waits for an answer after leaving, and no socket is opened then, which nothing would close."""
    asked = asyncio.Event()

    async def silent(_: httpx.Request) -> httpx.Response:
        asked.set()
        await asyncio.Event().wait()
        raise AssertionError

    open_connection = Connection(
        parse_base_url("chat.example.com", allow_http=False),
        credentials=None,
        transport=httpx.MockTransport(silent),
    )
    waiting = asyncio.ensure_future(open_connection.get("/users", {}))
    await asked.wait()
    await open_connection.aclose()
    with pytest.raises(NetworkError):
        await waiting
    with pytest.raises(NetworkError):
        await open_connection.get("/users", {})


def test_a_server_of_this_machine_is_reached_without_a_proxy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Proxy variables of a company network do not break `chinwag local`."""
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example.com:3128")
    monkeypatch.setenv("ALL_PROXY", "http://proxy.example.com:3128")
    local = Connection(parse_base_url("127.0.0.1:9991", allow_http=False), credentials=None)
    assert not local.http.asks_proxies
    away = Connection(parse_base_url("chat.example.com", allow_http=False), credentials=None)
    assert away.http.asks_proxies


async def test_a_file_is_uploaded_with_progress() -> None:
    """Someone who shares a photo sees how far it is."""
    tap = WireTap(success(url="/user_uploads/1/x/cat.png"))
    heard: list[int] = []
    await connection(tap).upload(
        "/user_uploads", io.BytesIO(b"x" * 100_000), "Kätzchen.png", progress=heard.append
    )
    body = tap.requests[0].content
    assert body.count(b"x" * 100_000) == 1
    assert "Kätzchen.png".encode() in body
    assert b"image/png" in body
    assert heard == sorted(heard)
    assert heard[-1] == 100_000


# fmt: off
_PARTS_OF_ADDRESSES = (
    "http", "https", ":", "/", "//", "[", "]", "::1", "@", "?", "#", "%", "%zz", "\\", "..", "a", "1",
    "99999", "é", "xn--", "0x7f", "*", "-", ";", "javascript", " ", "\t", "\x80",
)
# fmt: on


class _Files:
    """A server that sends visitors for a file on to a store elsewhere."""

    def __init__(self, target: str) -> None:
        self.target = target
        self.requests: list[httpx.Request] = []

    def handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        if request.url.path == "/user_uploads/1/x":
            return httpx.Response(302, headers={"Location": self.target})
        return unread(
            httpx.Response(200, content=b"data" * 10, headers={"Content-Type": "image/png"})
        )

    def connection(self) -> Connection:
        return Connection(
            parse_base_url("chat.example.com", allow_http=False),
            credentials=Credentials("iris@example.com", KEY),
            transport=httpx.MockTransport(self.handle),
        )


async def test_a_file_kept_elsewhere_is_fetched_without_the_key() -> None:
    """The key stays with the server it belongs to."""
    files = _Files("https://store.example.net/x?signature=1")
    async with files.connection().download("/user_uploads/1/x", max_bytes=100) as file:
        data = b"".join([chunk async for chunk in file.chunks])
    assert (data, file.content_type, file.length) == (b"data" * 10, "image/png", 40)
    assert ["Authorization" in request.headers for request in files.requests] == [True, False]


async def test_where_a_visitor_is_stays_with_the_server_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Over SSH the server hears from where somebody comes; a store of files elsewhere does not."""
    monkeypatch.setattr(http_client, "_speaks_for", {})
    http_client.speak_for("192.0.2.7", "secret")
    files = _Files("https://store.example.net/x")
    async with files.connection().download("/user_uploads/1/x", max_bytes=100) as file:
        assert b"".join([chunk async for chunk in file.chunks])
    names = ("X-Forwarded-For", "X-Chinwag-SSH")
    assert [[each.headers.get(name) for name in names] for each in files.requests] == [
        ["192.0.2.7", "secret"], [None, None],
    ]  # fmt: skip


async def test_what_nobody_asked_for_is_fetched_from_the_own_server_only() -> None:
    """A picture's redirect asks no other machine: not the router, and no one who counts who looks."""
    files = _Files("https://192.168.0.1/reboot")
    with pytest.raises(NotAServer) as caught:
        async with files.connection().download("/user_uploads/1/x", max_bytes=9, elsewhere=False):
            pass
    assert caught.value.redirected_to == "192.168.0.1"
    assert [request.url.host for request in files.requests] == ["chat.example.com"]


@given(st.lists(st.sampled_from(_PARTS_OF_ADDRESSES), max_size=6).map("".join), st.booleans())
@example("http://[::::]/", True)
@example("https:javascript", True)
@example("https://xn--/x", False)
async def test_an_address_that_makes_no_sense_is_an_error(address: str, is_redirect: bool) -> None:
    """A server sends me on to it, or a message has it as a picture's: not the end of the client."""
    files = _Files(address)
    url = "/user_uploads/1/x" if is_redirect else address
    with contextlib.suppress(TuiError):
        async with files.connection().download(url, max_bytes=100) as file:
            assert file.length == 40


@pytest.mark.parametrize(
    "target", ["http://chat.example.com/x", "file:///etc/passwd", "/user_uploads/1/x"]
)
async def test_a_file_is_not_fetched_from_just_anywhere(target: str) -> None:
    """Neither plain http, nor local files, nor a circle of redirects is followed."""
    files = _Files(target)
    with pytest.raises(NotAServer):
        async with files.connection().download("/user_uploads/1/x", max_bytes=100):
            pass
    assert all(request.url.scheme == "https" for request in files.requests)


async def test_a_file_that_is_too_large_is_not_kept() -> None:
    """A preview does not load gigabytes."""
    files = _Files("https://store.example.net/x")

    async def fetch() -> None:
        async with files.connection().download("/user_uploads/1/x", max_bytes=39) as file:
            async for _chunk in file.chunks:
                pass

    with pytest.raises(MalformedResponse, match="larger"):
        await fetch()


async def test_a_missing_file_is_refused_in_words() -> None:
    """A file that was deleted reads as that."""
    tap = WireTap(refusal(404, "NOT_FOUND", "No such file."))
    with pytest.raises(ApiRefused, match=r"No such file\."):
        async with connection(tap).download("/user_uploads/1/x", max_bytes=10):
            pass
