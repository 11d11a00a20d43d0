"""Files of the own server: asked for as httpx would ask, without it."""

import asyncio
import io
import subprocess
import sys
from typing import Final

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tui.api.base_url import parse_base_url
from tui.api.files import FormWithFile, plain_target

BASES: Final = ("chat.example.com", "https://chat.example.com:8443/our/chat", "http://[::1]:9991")
# fmt: off
_PARTS: Final = (
    "/", "//", "/.", "..", ".", "?", "#", "%", "%2f", "%C3%A9", "a", "Z1", "é", "'", "&", "=1", "+", "@", ":", ";",
    " ", "\\", "[", "|", "~", "\n", "https://chat.example.com", "http://[::1]:9991", ":443", "//evil.example",
)
# fmt: on
_SCRIPT: Final = """
import asyncio, io, sys
from tui.api.base_url import parse_base_url
from tui.api.connection import Connection, Credentials

async def serve(reader, writer):
    head = await reader.readuntil(b"\\r\\n\\r\\n")
    if b"POST" in head:
        await reader.readuntil(b"--\\r\\n")
        body = b'{"result": "success"}'
    else:
        body = head.split()[1] + b" %d" % (b"Authorization:" in head)
    writer.write(b"HTTP/1.1 200 OK\\r\\nConnection: close\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(body) + body)
    writer.close()

async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    base = parse_base_url(url, allow_http=False)
    connection = Connection(base, credentials=Credentials("a@example.com", "k"))
    for address in ("/user_uploads/1/x.png", f"{url}/static/emoji.json?v=2"):
        async with connection.download(address, max_bytes=1000) as file:
            print(b"".join([chunk async for chunk in file.chunks]).decode())
    await connection.upload("/user_uploads", io.BytesIO(b"x"), "x.txt", progress=lambda _: None)
    await connection.aclose()
    server.close()
    print("httpx" in sys.modules)

asyncio.run(main())
"""
"""Downloads two files from a server of this machine, and uploads one."""


def test_files_of_the_own_server_need_no_httpx() -> None:
    """It takes more than a megabyte as long as the client runs."""
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        "/user_uploads/1/x.png 1",
        "/static/emoji.json?v=2 1",
        "False",
    ], done.stderr


@given(
    st.sampled_from(BASES),
    st.lists(st.sampled_from(_PARTS), max_size=6).map("".join)
    | st.text(st.characters(codec="latin-1"), max_size=9).map("/{}".format),
)
@example("chat.example.com", "https://chat.example.com/a?b")
@example("chat.example.com", "https://chat.example.com.evil.example/a")
@example("chat.example.com", "https://chat.example.com@evil.example/a")
@example("chat.example.com", "//evil.example/a")
def test_an_address_that_is_plain_is_asked_for_as_httpx_reads_it(base: str, address: str) -> None:
    own = parse_base_url(base, allow_http=True)
    if (target := plain_target(own, address)) is not None:
        url = httpx.URL(own.text).join(address)
        assert (url.netloc, url.raw_path) == (own.host.encode(), target)
        assert (url.scheme, url.raw_host.decode()) == own.origin[:2]


@pytest.mark.parametrize(
    "address",
    ["/user_uploads/1/ab/c%20d.png", "/user_avatars/7/x.png?v=2&size=1", "/static/emoji.json"],
)
def test_the_addresses_of_servers_are_plain(address: str) -> None:
    base = parse_base_url("https://chat.example.com", allow_http=False)
    for each in (address, f"{base.text}{address}"):
        assert plain_target(base, each) == address.encode()


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), st.binary(max_size=9))
@example('"\\\x00\x1b\x1f\r\n\x7f', b"")
@example("", b"x")
def test_a_form_is_that_of_httpx(name: str, content: bytes) -> None:
    """Each time it is read, it begins anew."""
    body = FormWithFile(name, io.BytesIO(content), "image/png")
    headers = body.headers
    kind = dict(headers)[b"Content-Type"]
    expected = httpx.Request(
        "POST",
        "http://-",
        files={"file": (name, io.BytesIO(content), "image/png")},
        headers={"Content-Type": kind.decode()},
    )

    async def read() -> bytes:
        return b"".join([part async for part in body])

    assert [asyncio.run(read()), asyncio.run(read())] == [expected.read()] * 2
    assert dict(headers)[b"Content-Length"] == expected.headers["Content-Length"].encode()
