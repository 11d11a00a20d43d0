"""Requests where the environment names a proxy: asked of it, also for files, and its failures are told."""

import asyncio
import io

import pytest

from tests.listening import listening
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials
from tui.errors import MalformedResponse, NetworkError, NotAServer

SUCCESS = b'{"result": "success", "msg": "", "url": "/x"}'


def _connection() -> Connection:
    url = parse_base_url("http://chat.example.com", allow_http=True)
    return Connection(url, credentials=Credentials("iris@example.com", "key"))


async def test_a_proxy_is_asked_for_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind a company's firewall there is no other way: requests, lines, uploads and downloads."""
    asked: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.readuntil(b"\r\n\r\n"):
            asked.append(head.partition(b" HTTP/1.1\r\n")[0])
            assert b"\r\nHost: chat.example.com\r\n" in head
            assert b"\r\nAuthorization: Basic " in head
            length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length or 0))
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(SUCCESS))
            writer.write(SUCCESS)

    async with listening(talk) as address:
        monkeypatch.setenv("HTTP_PROXY", f"http://{address}")
        connection = _connection()
        await connection.post("/messages", {"content": "hi"})
        await connection.upload(
            "/user_uploads", io.BytesIO(b"x" * 300_000), "a.png", progress=lambda _: None
        )
        async with connection.get_lines("/events", {}, seconds=5.0) as lines:
            assert [len(line) for line in await lines.read(5.0)] == [3]
        async with connection.download("/x", max_bytes=1000) as file:
            assert b"".join([chunk async for chunk in file.chunks]) == SUCCESS
        await connection.aclose()
    base = b"http://chat.example.com"
    assert asked == [
        b"POST " + base + b"/api/v1/messages",
        b"POST " + base + b"/api/v1/user_uploads",
        b"GET " + base + b"/api/v1/events",
        b"GET " + base + b"/x",
    ]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (b"", NetworkError),
        (b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", NotAServer),
        (
            b"HTTP/1.1 302 X\r\nLocation: http://login.example/\r\nContent-Length: 0\r\n\r\n",
            NotAServer,
        ),
        (b"HTTP/1.1 302 X\r\nLocation: http://[::::]/\r\nContent-Length: 0\r\n\r\n", NetworkError),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{", MalformedResponse),
    ],
)
async def test_what_a_proxy_does_wrong_is_told(
    monkeypatch: pytest.MonkeyPatch, answer: bytes, error: type[Exception]
) -> None:
    """Whoever answers in the server's place, it is a sentence."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(answer)
        await writer.drain()

    async with listening(talk) as address:
        monkeypatch.setenv("ALL_PROXY", f"http://{address}")
        connection = _connection()
        with pytest.raises(error):
            await connection.get("/users", {})
        await connection.aclose()


async def test_a_proxy_that_is_not_there_is_no_server_that_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The request did not leave this machine, and can be repeated."""
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    connection = _connection()
    with pytest.raises(NetworkError) as caught:
        await connection.get("/users", {})
    assert caught.value.kind == "refused"
    assert not caught.value.may_have_arrived
    await connection.aclose()


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:9", "nonsense://proxy", "http://proxy:x"])
async def test_a_proxy_that_cannot_be_used_is_an_error_of_the_network(
    monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    """One for SOCKS, and what is no address of a proxy: what was typed waits, and the sentence says what to check."""
    monkeypatch.setenv("ALL_PROXY", proxy)
    connection = _connection()
    for _ in range(2):
        with pytest.raises(NetworkError, match="Check HTTP_PROXY") as caught:
            await connection.get("/users", {})
        assert not caught.value.may_have_arrived
    await connection.aclose()


async def test_a_proxy_that_makes_no_tunnel_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for want of a password."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()

    async with listening(talk) as address:
        monkeypatch.setenv("HTTPS_PROXY", f"http://{address}")
        url = parse_base_url("https://chat.example.com", allow_http=False)
        connection = Connection(url, credentials=Credentials("iris@example.com", "key"))
        with pytest.raises(NetworkError, match="password") as caught:
            await connection.get("/users", {})
        assert not caught.value.may_have_arrived
        await connection.aclose()
