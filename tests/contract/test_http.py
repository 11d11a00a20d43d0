"""What any client of the web expects of HTTP, over a real socket: verbs, caching, compression, headers."""

import asyncio
import gzip
import re
from collections.abc import AsyncIterator, Mapping
from email.utils import parsedate_to_datetime
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from server_lite.config import Limits
from server_lite.http.compression import LEAST, ON_LOOP, encoding_of, gzipped
from server_lite.http.conditional import has_already, tag_of_bytes
from server_lite.store.users import Role
from server_lite.web.identicons import pattern
from tests.live import Live, live

PICTURE = pattern("me", 100)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path) as running:
        yield running


@pytest.mark.parametrize(
    ("path", "verbs"),
    [
        ("/api/v1/messages", "GET, POST, HEAD"),
        ("/api/v1/fetch_api_key", "POST"),
        ("/api/v1/users/me", "GET, DELETE, HEAD"),
        ("/api/", "GET, HEAD"),
        ("/", "GET, HEAD"),
        ("/join/x", "GET, POST, HEAD"),
        ("/static/emoji.json", "GET, HEAD"),
        ("/user_uploads/1/x", "GET, HEAD"),
    ],
)
async def test_what_may_be_asked_is_told(server: Live, path: str, verbs: str) -> None:
    """OPTIONS and a refusal name the same verbs, in the header that HTTP has for it."""
    async with httpx.AsyncClient(base_url=server.url) as http:
        told = await http.options(path)
        assert (told.status_code, told.headers["allow"], told.content) == (204, verbs, b"")
        refused = await http.put(path)
        assert (refused.status_code, refused.headers["allow"]) == (405, verbs)
        assert refused.json()["allowed_methods"] == verbs.split(", ")
        assert (await http.options(f"{path}/nothing/there")).status_code in (204, 404)


async def test_the_server_as_a_whole_says_its_verbs(server: Live) -> None:
    """`OPTIONS *`, which monitors and proxies send, is answered and is no mistake of the server."""
    reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(server.url).port)
    writer.write(b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    answer = (await reader.read()).decode()
    writer.close()
    assert answer.startswith("HTTP/1.1 204 ")
    assert "\r\nallow: get, post, patch, put, delete" in answer.lower()


async def test_head_is_get_without_a_body(server: Live) -> None:
    """Link checkers and monitors ask for the header alone, of any address."""
    ann = await server.person("Ann")
    for path in ("users/me", "server_settings", f"{server.url}/", f"{server.url}/static/icon.png"):
        full, head = await ann.http.get(path), await ann.http.head(path)
        assert (full.status_code, head.status_code, head.content) == (200, 200, b"")
        for name in ("content-length", "content-type", "cache-control"):
            assert full.headers[name] == head.headers[name]
        assert parsedate_to_datetime(head.headers["date"]).year > 2020
    assert (await server.client().head("users/me")).status_code == 401


async def test_a_large_answer_is_compressed_for_who_can_read_it(server: Live) -> None:
    """First contact with an organization costs a tenth of its bytes, and is the same."""
    ann = await server.person("Ann", role=Role.OWNER)
    plain = await ann.http.get("users", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    long = await ann.http.post("register", headers={"Accept-Encoding": "identity"})
    short = await ann.http.post("register", headers={"Accept-Encoding": "br, gzip;q=0.5"})
    assert short.headers["content-encoding"] == "gzip"
    assert short.headers["vary"] == long.headers["vary"] == "Accept-Encoding"
    assert int(short.headers["content-length"]) < int(long.headers["content-length"]) / 4
    assert short.json().keys() == long.json().keys()
    small = await ann.http.get("users/me/alert_words", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in small.headers


async def test_what_one_has_is_not_sent_again(server: Live) -> None:
    """A file, a picture and the emoji come once; access is asked at every look all the same."""
    ann, ben = await server.person("Ann", role=Role.OWNER), await server.person("Ben")
    made = await ann.http.post("user_uploads", files={"f": ("a.txt", b"0123456789" * 400)})
    await ann.http.post("users/me/avatar", files={"f": ("a.png", PICTURE)})
    await ann.http.post("realm/emoji/drop", files={"f": ("a.png", PICTURE)})
    emoji = (await ann.get("realm/emoji"))["emoji"]
    avatar = (await ann.get("users/me"))["avatar_url"]
    upload = made.json()["url"]
    pages = [upload, avatar, next(iter(emoji.values()))["source_url"], "/static/emoji.json"]
    for path in [*pages, "/avatar/7", "/favicon.ico"]:
        url = path if path.startswith("http") else f"{server.url}{path}"
        first = await ann.http.get(url)
        tag = first.headers["etag"]
        for given_tag in (tag, f'"x", W/{tag.removeprefix("W/")}', "*"):
            again = await ann.http.get(url, headers={"If-None-Match": given_tag})
            assert (again.status_code, again.content) == (304, b""), path
            assert again.headers["etag"] == tag
            assert again.headers["cache-control"] == first.headers["cache-control"]
        other = await ann.http.get(url, headers={"If-None-Match": '"x"'})
        assert (other.status_code, other.content) == (200, first.content)
    url = f"{server.url}{upload}"
    tag = (await ann.http.get(url)).headers["etag"]
    for condition, status, size in ((tag, 206, 10), ('"older"', 200, 4000)):
        headers = {"Range": "bytes=5-14", "If-Range": condition}
        part = await ann.http.get(url, headers=headers)
        assert (part.status_code, len(part.content)) == (status, size)
    stranger = await ben.http.get(url, headers={"If-None-Match": tag})
    assert stranger.status_code not in (200, 304)


async def test_one_set_of_headers_tells_what_is_left(tmp_path: Path) -> None:
    """Scripts wait as long as they are told: no answer says two things about it."""
    limits = Limits(requests_per_minute=2, failed_logins_per_half_hour=1)
    async with live(tmp_path, limits=limits) as server:
        ann = await server.person("Ann")
        wrong = {"username": ann.email, "password": "guess guess"}
        answers = [await ann.http.get("users/me") for _ in range(3)]
        answers += [await server.client().post("fetch_api_key", data=wrong) for _ in range(2)]
    seen = [
        {name: answer.headers.get_list(f"x-ratelimit-{name}") for name in ("remaining", "limit")}
        for answer in answers
    ]
    assert [answer.status_code for answer in answers] == [200, 200, 429, 401, 429]
    assert [(one["remaining"], one["limit"]) for one in seen] == [
        (["1"], ["2"]),
        (["0"], ["2"]),
        (["0"], ["2"]),
        (["99"], ["100"]),
        (["0"], ["1"]),
    ]
    for answer in answers:
        assert re.fullmatch(r"\d+", answer.headers["x-ratelimit-reset"])
        assert ("retry-after" in answer.headers) == (answer.status_code == 429)


async def test_the_front_page_tells_how_to_join(server: Live) -> None:
    """Whoever opens the address in a browser learns whose it is; what people write stays text."""
    ann = await server.person("Ann", role=Role.OWNER)
    await ann.patch("realm", name="Tea <b>", description="We drink <script>")
    page = await server.client().get(f"{server.url}/")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Tea &lt;b&gt;</h1>" in page.text
    assert "We drink &lt;script&gt;" in page.text
    assert f"chinwag login {server.url}" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "script" not in page.headers["content-security-policy"]


@given(st.binary(max_size=3 * LEAST), st.booleans())
def test_compressed_bytes_are_the_same_bytes(part: bytes, is_long: bool) -> None:
    """Whatever is in an answer, and wherever the keys in it are."""
    key = b'"api_key":"' + b"k" * 32 + b'",'
    body = key + part + key + key + part * (1 + is_long * (ON_LOOP // (len(part) + 1))) + key[:15]
    assert gzip.decompress(gzipped(body)) == body


@given(st.text("abcdef0123456789", min_size=32, max_size=32), st.text(max_size=200))
def test_lengths_tell_nothing_about_keys(key: str, text: str) -> None:
    """Somebody who chooses the text beside a key, and guesses it right, sees no difference."""
    guess = '"token":"' + key

    def length(secret: str) -> int:
        bots = [{"api_key": secret, "services": [{"token": secret, "base_url": text}]}]
        return len(gzipped(orjson.dumps({"people": [guess, key, text], "bots": bots})))

    assert length(key) == length("Z" * 32) == length(key[::-1])


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("", ""),
        ("gzip", "gzip"),
        ("deflate, GZIP ; q=0.3", "gzip"),
        ("gzip;q=0", ""),
        ("gzip;q=0, *;q=1", ""),
        ("identity", ""),
        ("br", ""),
        ("gzip;q=x", ""),
    ],
)
def test_only_what_is_taken_is_sent(accepted: str, encoding: str) -> None:
    """A client that did not ask for compression gets none."""
    assert encoding_of(accepted).replace("zstd", "") == encoding


@given(st.binary(), st.binary())
def test_a_tag_is_of_these_bytes(one: bytes, other: bytes) -> None:
    """Equal tags mean equal bytes, and only those are not sent."""
    headers: Mapping[str, str] = {"if-none-match": f'"a", {tag_of_bytes(one)}'}
    assert has_already(headers, tag_of_bytes(other)) == (one == other)
