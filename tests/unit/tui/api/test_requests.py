"""The requests that leave the machine are those that httpx would make, byte by byte."""

import io
from collections.abc import Mapping
from typing import Any, Final

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.unit.tui.api.wire_tap import KEY, WireTap, connection, success
from tui import VERSION
from tui.api import http_client
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.api.form import form
from tui.errors import NetworkError

EMAIL: Final = "iris@example.com"
HEADERS: Final = {"User-Agent": f"Chinwag/{VERSION}", "Accept-Encoding": "gzip"}
URLS: Final = (
    "chat.example.com",
    "https://chat.example.com:8443",
    "http://127.0.0.1:9991",
    "http://[::1]",
    "https://example.com/our-chat/ünited/100%25~;=",
    "https://CHAT.Example.com:443/a/b/api/v1/",
    "https://grüße.example:444/x",
)
_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_values = _texts | st.integers() | st.lists(st.integers(), max_size=3) | st.none()
_parameters = st.dictionaries(_texts, _values, max_size=4)
_names = st.text(
    st.characters(exclude_characters="?#%", exclude_categories=["Cs", "Cc"]), max_size=9
)


def _by_httpx(
    method: str, url: str, *, key: str | None = KEY, **parts: Any
) -> tuple[str, bytes, list[tuple[bytes, bytes]], bytes]:
    client = httpx.AsyncClient(headers=HEADERS)
    request = client.build_request(method, url, **parts)
    if key is not None:
        request = next(httpx.BasicAuth(EMAIL, key).auth_flow(request))
    return request.method, request.url.raw_path, request.headers.raw, request.read()


def _sent(tap: WireTap) -> tuple[str, bytes, list[tuple[bytes, bytes]], bytes]:
    request = tap.requests.pop()
    return request.method, request.url.raw_path, request.headers.raw, request.content


@given(
    st.sampled_from(URLS),
    st.sampled_from(["get", "post", "patch", "put", "delete"]),
    _names,
    _parameters,
)
@example("chat.example.com", "post", "x", {})
@example("chat.example.com", "delete", "x", {})
@example("chat.example.com", "get", "ä %2F.", {"a b": "+&=%", "ü": "\x00\r\n"})
async def test_a_request_is_that_of_httpx(
    base: str, method: str, name: str, parameters: Mapping[str, object]
) -> None:
    tap, path = WireTap(success()), f"/x{name}y"
    ours = connection(tap, base)
    await getattr(ours, method)(path, parameters)
    where: dict[str, Any] = {"params" if method == "get" else "data": form(parameters)}
    expected = _by_httpx(method.upper(), f"{ours.base_url.api}{path}", **where)
    assert _sent(tap) == expected


async def test_its_further_headers_are_those_of_httpx(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of repeats, generations, and where a visitor over SSH is."""
    monkeypatch.setattr(http_client, "_speaks_for", {})
    http_client.speak_for("192.0.2.7", "secret")
    monkeypatch.setitem(HEADERS, "X-Forwarded-For", "192.0.2.7")
    monkeypatch.setitem(HEADERS, "X-Chinwag-SSH", "secret")
    tap = WireTap(success())
    ours = connection(tap)
    await ours.post("/messages", {"to": 1}, idempotency_key="k", generation="g")
    headers = {"Idempotency-Key": "k", "Organization-Generation": "g"}
    url = f"{ours.base_url.api}/messages"
    assert _sent(tap) == _by_httpx("POST", url, data={"to": "1"}, headers=headers)
    async with ours.get_lines("/events", {"queue_id": "q"}, seconds=1.0):
        pass
    url = f"{ours.base_url.api}/events"
    plain = {"Accept-Encoding": "identity"}
    sent, expected = _sent(tap), _by_httpx("GET", url, params={"queue_id": "q"}, headers=plain)
    assert sorted(sent[2]) == sorted(expected[2])  # it replaces the other at another place
    assert sent[:2] == expected[:2]
    stranger = connection(tap, key=None)
    await stranger.get_page("/join/x")
    assert _sent(tap) == _by_httpx("GET", f"{ours.base_url.text}/join/x", key=None)
    await stranger.post_page("/join/x", {"a": "b"})
    page = f"{ours.base_url.text}/join/x"
    assert _sent(tap) == _by_httpx("POST", page, key=None, data={"a": "b"})


async def test_an_upload_is_that_of_httpx() -> None:
    tap = WireTap(success())
    ours = connection(tap)
    file = io.BytesIO(b"x" * 100_000)
    await ours.upload(
        "/user_uploads", file, 'a"ü.png', progress=lambda _: None, idempotency_key="k"
    )
    method, target, headers, body = _sent(tap)
    boundary = body.partition(b"\r\n")[0].removeprefix(b"--").decode()
    file.seek(0)
    expected = _by_httpx(
        "POST",
        f"{ours.base_url.api}/user_uploads",
        files={"file": ('a"ü.png', file, "image/png")},
        headers={
            "Idempotency-Key": "k",
            "Content-Type": f"multipart/form-data; boundary={boundary}",
        },
    )
    assert (method, target, body) == (expected[0], expected[1], expected[3])
    assert sorted(headers) == sorted(expected[2])  # its type stands elsewhere: see the boundary


async def test_a_server_that_moved_is_asked_where_it_is() -> None:
    """The server of this machine comes back on another port where its own is taken meanwhile."""
    tap = WireTap(success())
    ours = connection(tap, "http://127.0.0.1:9991")
    for port in (9991, 9992):
        ours.base_url = parse_base_url(f"http://127.0.0.1:{port}", allow_http=False)
        await ours.get("/users", {})
        (request,) = tap.requests
        assert request.url.port == port
        assert _sent(tap) == _by_httpx("GET", f"http://127.0.0.1:{port}/api/v1/users")


async def test_a_name_that_no_host_can_have_is_not_found() -> None:
    """Neither in letters that addresses do not know, nor in a label that is too long."""
    for host in ("-.ü.example", f"{'x' * 70}.example"):
        away = Connection(
            parse_base_url(f"https://{host}", allow_http=False), credentials=Credentials("a", "b")
        )
        with pytest.raises(NetworkError) as caught:
            await away.get("/users", {})
        assert caught.value.kind == "dns"
        await away.aclose()
