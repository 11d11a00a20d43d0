"""Requests with something wrong in them, to every endpoint and over raw sockets: never a 500, never a traceback.

`tests/contract/test_every_role.py` sends what the description allows; here something is always wrong:
a type, an encoding, a header, a path. `make soak` goes on for an hour with other seeds, or for `CHINWAG_FUZZ_SECONDS`.
"""

import asyncio
import base64
import json
import logging
import os
import secrets
import time
from collections.abc import AsyncIterator, Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import quote, quote_from_bytes, urlsplit

import pytest

from server_lite.api.params import EndpointSpec
from server_lite.config import Timing
from server_lite.routes import TABLE
from server_lite.store.users import Role
from tests.contract.in_memory_server import InMemoryServer, copied, found_town
from tests.live import Live, Person, live
from tests.security.wrong_values import HUGE, TEXTS, WRONG, spoilt, value_of, with_huge

ENDPOINTS: Final = [
    (verb, contract, route.pattern)
    for route in TABLE.routes
    for verb, contract in route.contracts.items()
]
KINDS: Final = (
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded; charset=utf-16",
    "multipart/form-data; boundary=x",
    "multipart/form-data; boundary=x; charset=utf-7",
    "multipart/form-data",
    "multipart/form-data; boundary=" + "y" * 300,
    "application/json",
    "text/plain; charset=\xff",
    "",
)
ROUNDS: Final = 12
"""Requests to each endpoint in the suite."""
LONG: Final = float(os.environ.get("CHINWAG_FUZZ_SECONDS", "3600"))
"""Seconds for which each of the long runs goes on."""


def _request(contract: EndpointSpec, pattern: str, chance: Random) -> tuple[str, bytes, str]:
    """Path, body and its type: mostly right, so that it gets far, and wrong in one place."""
    values = {
        one.name: value_of(one.hint, chance)
        for one in contract.form
        if one.required or chance.random() < 0.3
    }
    if values and chance.random() < 0.8:
        name = chance.choice(sorted(values))
        values[name] = spoilt(values[name], chance)
    path = pattern
    for one in contract.path:
        is_right = chance.random() < 0.7
        value = value_of(one.hint, chance) if is_right else chance.choice((*TEXTS, *WRONG))
        shown = str(value).encode(errors="replace").decode()  # as HTTP servers decode paths
        path = path.replace(f"{{{one.name}}}", shown)
    texts = {name: _text(value) for name, value in values.items()}
    if texts and chance.random() < 0.3:
        texts[chance.choice(sorted(texts))] = chance.choice(TEXTS)
    kind = KINDS[0] if chance.random() < 0.6 else chance.choice(KINDS)
    return path, _body(texts, kind, chance), kind


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _body(texts: dict[str, str], kind: str, chance: Random) -> bytes:
    raw = {name: text.encode("utf-8", "surrogatepass") for name, text in texts.items()}
    if kind.startswith("multipart"):
        parts = [
            b'--x\r\nContent-Disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
            % (name.encode(), chance.choice((b"", b"", b'; filename="a.png"')), value)
            for name, value in raw.items()
        ]
        body = b"".join(parts) + b"--x--\r\n"
    elif kind == "application/json":
        body = json.dumps(texts).encode()
    else:
        body = "&".join(f"{name}={quote_from_bytes(one)}" for name, one in raw.items()).encode()
    if body and chance.random() < 0.1:  # a byte is another
        at = chance.randrange(len(body))
        body = body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]
    return body[: chance.randrange(len(body) + 1)] if chance.random() < 0.05 else body


class Askers:
    """A town that is founded anew when who asks has lost their key."""

    def __init__(self, folder: Path) -> None:
        self._template = folder / "template.db"
        self._people = found_town(self._template)
        self.town = self._fresh()

    def _fresh(self) -> InMemoryServer:
        return copied(self._template, self._people, self._template.with_name("copy.db"))

    async def ask(self, endpoint: tuple[str, EndpointSpec, str], chance: Random) -> None:
        """One wrong request by anybody; raises what must not be."""
        verb, contract, pattern = endpoint
        person = chance.choice((*self.town.people[:4], self.town.people[0], None))
        path, body, kind = _request(contract, pattern, chance)
        await self.send(
            verb, path, body, kind, None if person is None else (person.email, person.key)
        )

    async def send(
        self, verb: str, path: str, body: bytes, kind: str, auth: tuple[str, str] | None
    ) -> None:
        """One request, its parameters in the query where it only reads."""
        query, sent = (body, b"") if verb == "GET" else (b"", body)
        asked = self.town.send(verb, path, query, sent, kind, auth)  # a poll may wait, not work
        with_end = asyncio.wait_for(asked, 0.5 if path == "events" else 10)
        try:
            answer = await with_end
        except TimeoutError:
            if path != "events":
                raise
            return
        if answer["status"] == 401 and auth is not None:
            self.town.close()
            self.town = self._fresh()


@pytest.fixture
def askers(tmp_path: Path) -> Iterator[Askers]:
    made = Askers(tmp_path)
    yield made
    made.town.close()


async def _try(askers: Askers, seed: int, rounds: int, caplog: pytest.LogCaptureFixture) -> None:
    chance = Random(seed)
    for _ in range(rounds):
        for endpoint in ENDPOINTS:
            state = chance.getstate()
            try:
                await askers.ask(endpoint, chance)
            except Exception as error:
                chance.setstate(state)
                shown = _request(endpoint[1], endpoint[2], chance)
                raise AssertionError(f"seed {seed}: {endpoint[0]} {shown}") from error
    assert [
        record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
    ] == []


async def test_no_endpoint_fails_on_what_is_wrong(
    askers: Askers, caplog: pytest.LogCaptureFixture
) -> None:
    """Every endpoint, some wrong requests: each is refused in the API's form, or done."""
    await _try(askers, 1, ROUNDS, caplog)


FORMS: Final = ("{}", "[{}]", '["{}"]', '"{}"', '{"id": {}}', '[["id", "{}"]]')
"""How text may hold an integer."""


async def _huge_everywhere(askers: Askers, forms: int) -> None:
    """Each parameter of each endpoint as an integer that no column holds, the others being right."""
    for number, (verb, contract, pattern) in enumerate(ENDPOINTS):
        for at, one in enumerate((*contract.path, *contract.form)):
            chance = Random(at)
            huge = HUGE[(number + at) % len(HUGE)]
            inside = _text(with_huge(value_of(one.hint, chance), huge))
            tried = [FORMS[(number + at + more) % len(FORMS)] for more in range(forms)]
            for text in (inside, *(form.replace("{}", str(huge)) for form in tried)):
                path = pattern
                for part in contract.path:
                    shown = text if part is one else str(value_of(part.hint, chance))
                    path = path.replace(f"{{{part.name}}}", shown)
                texts = {
                    other.name: text if other is one else _text(value_of(other.hint, chance))
                    for other in contract.form
                    if other.required or other is one
                }
                olga = askers.town.people[0]
                body = "&".join(f"{name}={quote(value)}" for name, value in texts.items()).encode()
                try:
                    await askers.send(verb, path, body, KINDS[0], (olga.email, olga.key))
                except Exception as error:
                    raise AssertionError(f"{verb} {path} {texts}") from error


async def test_no_integer_is_too_large_for_an_endpoint(
    askers: Askers, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever position of a request holds it, and however deep: it is refused, or no such thing exists."""
    await _huge_everywhere(askers, 1)
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []


async def test_a_recipient_is_no_number_of_any_size(askers: Askers) -> None:
    """`to` is text that may be JSON: what no column of the file can hold is nobody, as other ids are."""
    olga = askers.town.people[0]
    forms = ("{}", "[{}]", '["{}"]', '"{}"')
    for number in (str(2**63), str(2**64 - 1), str(-(2**63) - 1), str(10**30)):
        for kind, form in product(("stream", "channel", "direct", "private"), forms):
            asked = {"type": kind, "to": form.replace("{}", number), "topic": "tea"}
            sent = await olga.post("messages", content="x", **asked)
            typed = await olga.post("typing", op="start", stream_id=number, **asked)
            later = await olga.post(
                "scheduled_messages", content="x", scheduled_delivery_timestamp=2**40, **asked
            )
            assert [each["status"] for each in (sent, typed, later)] == [400] * 3, asked


@pytest.mark.soak
@pytest.mark.timeout(0)
async def test_no_endpoint_fails_for_an_hour(
    askers: Askers, caplog: pytest.LogCaptureFixture
) -> None:
    """The same with new seeds, and every form of an integer; a failure names its own."""
    await _huge_everywhere(askers, len(FORMS))
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        await _try(askers, secrets.randbelow(2**32), 1, caplog)


# Below the API: request lines, headers, framing

LINES: Final = (
    b"OPTIONS * HTTP/1.1", b"GET * HTTP/1.1", b"CONNECT localhost:80 HTTP/1.1", b"TRACE / HTTP/1.1", b"get / HTTP/1.1",
    b"PRI * HTTP/2.0", b"GET /", b"GET / HTTP/0.9", b"GET / HTTP/9.9", b"GET  / HTTP/1.1", b"FOO /api/v1/messages HTTP/1.1",
    b"GET http://localhost/api/v1/users HTTP/1.1", b"GET http://evil.example/ HTTP/1.1", b"GET // HTTP/1.1",
    b"GET //api/v1/messages HTTP/1.1", b"GET /api/v1//messages HTTP/1.1", b"GET /api/v1/%00 HTTP/1.1",
    b"GET /api/v1/%0d%0aX HTTP/1.1", b"GET /api/v1/%ff%fe HTTP/1.1", b"GET /api/v1/%ed%a0%80 HTTP/1.1", b"GET /%zz HTTP/1.1",
    b"GET /join/%00 HTTP/1.1", b"GET /join/%ff HTTP/1.1", b"POST /join/x HTTP/1.1", b"GET /user_uploads/%2e%2e/%00 HTTP/1.1",
    b"GET /user_uploads/temporary/x/y HTTP/1.1", b"GET /user_avatars/1/%ff.png HTTP/1.1", b"GET /avatar/99999999999999999999 HTTP/1.1",
    b"GET /avatar/\xd9\xa3 HTTP/1.1", b"GET /avatar/%D9%A3 HTTP/1.1", b"GET /calls/x/complete HTTP/1.1", b"POST /administration HTTP/1.1",
    b"GET /static/../x HTTP/1.1", b"GET /api/v1/messages?\xff=%ff HTTP/1.1", b"GET /api/v1/messages?" + b"a=&" * 500 + b" HTTP/1.1",
    b"PUT /api/v1/messages HTTP/1.1", b"HEAD /api/v1/server_settings HTTP/1.1", b"GET /" + b"a/" * 5000 + b" HTTP/1.1", b"\x16\x03\x01\x02\x00\x01",
)  # fmt: skip
HEADERS: Final = (
    b"Host: ", b"Host: [::", b"Host: a b", b"Host: \xff", b"Host: localhost:99999999", b"Host: localhost\r\nHost: evil.example",
    b"Content-Length: -1", b"Content-Length: 1x", b"Content-Length: " + b"9" * 40, b"Content-Length: \xb2",
    b"Content-Length: 5\r\nContent-Length: 6", b"Transfer-Encoding: chunked", b"Transfer-Encoding: gzip, chunked",
    b"Transfer-Encoding: chunked\r\nContent-Length: 3", b"Expect: 100-continue", b"Expect: x", b"Upgrade: websocket\r\nConnection: Upgrade",
    b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: x", b"Authorization: Basic \xff", b"Authorization: Basic ////",
    b"Authorization: Basic Og==", b"Authorization: Bearer x", b"Authorization:", b"Range: bytes=0-0,5-", b"Range: bytes=99999999999999999999-",
    b"Content-Type: multipart/form-data; boundary=\xff", b"Content-Type: text/html; charset=unicode_escape", b"Content-Type: \x0b",
    b"Content-Encoding: gzip", b"User-Agent: \xff/\x80", b"Idempotency-Key: \xff", b"Idempotency-Key: ", b"Accept-Language: " + b"x" * 5000,
    b"X-Forwarded-For: \xff", b"Origin: \xff", b"Origin: http://[", b"Origin: http://[::1", b"Cookie: \x80", b"no colon", b" folded", b"A\x00: b", b"A: b\x00c", b": x",
)  # fmt: skip
BODIES: Final = (
    b"",
    b"a=b",
    b"--x\r\n",
    b"zz\r\nabc\r\n0\r\n\r\n",
    b"3;x=y\r\nabc\r\n0\r\n\r\n",
    b"-1\r\n",
    b"{" * 50,
    b"\xff" * 50,
)


async def _exchange(server: Live, request: bytes) -> bytes:
    """What is answered until the server hangs up; raises TimeoutError if it keeps us waiting."""
    parts = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    try:
        writer.write(request)
        async with asyncio.timeout(10):
            return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


def _raw(chance: Random, key: bytes) -> bytes:
    """A request as bytes, in which one to three things are odd."""
    verb, _, pattern = chance.choice(ENDPOINTS)
    path = quote(pattern.replace("{", "").replace("}", ""))
    line = b"%s /api/v1/%s HTTP/1.1" % (verb.encode(), path.encode())
    headers = [b"Host: localhost", b"Authorization: Basic " + key]
    if chance.random() < 0.5:
        line = chance.choice(LINES)
    headers += [chance.choice(HEADERS) for _ in range(chance.randrange(3))]
    if chance.random() < 0.2:
        headers.remove(chance.choice(headers))
    headers.append(b"Connection: close")  # or a server rightly waits for the next one
    return line + b"\r\n" + b"\r\n".join(headers) + b"\r\n\r\n" + chance.choice(BODIES)


async def _send_all(server: Live, requests: list[bytes], caplog: pytest.LogCaptureFixture) -> None:
    for start in range(0, len(requests), 20):
        some = requests[start : start + 20]
        answers = await asyncio.gather(*(_exchange(server, one) for one in some))
        failed = [
            (request[:300], answer[:200])
            for request, answer in zip(some, answers, strict=True)
            if answer[9:10] == b"5" or b"Traceback" in answer
        ]
        assert failed == []
    logged = [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR]
    assert logged == []
    assert (await server.client().get("server_settings")).status_code == 200


QUICK: Final = Timing(headers=0.4, body_stall=0.4, heartbeat=0.2)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path, timing=QUICK) as running:
        yield running


def _key(person: Person) -> bytes:
    return base64.b64encode(f"{person.email}:{person.key}".encode())


async def test_odd_requests_end(server: Live, caplog: pytest.LogCaptureFixture) -> None:
    """Each odd line, header and body once, then some together: an answer or a hang-up, in its time."""
    key = _key(await server.person("Ann"))
    rest = b"\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    head = b"POST /api/v1/messages HTTP/1.1\r\nConnection: close\r\nAuthorization: Basic " + key
    requests = [line + rest for line in LINES]
    requests += [head + b"\r\n" + one + b"\r\n\r\na=b" for one in HEADERS]
    alone = head.partition(b"\r\nAuthorization")[0]  # where the odd one is the only one
    requests += [alone + b"\r\n" + one + b"\r\n\r\na=b" for one in HEADERS]
    chance = Random(2)
    requests += [_raw(chance, key) for _ in range(150)]
    await _send_all(server, requests, caplog)


@pytest.mark.soak
@pytest.mark.timeout(0)
async def test_odd_requests_end_for_an_hour(server: Live, caplog: pytest.LogCaptureFixture) -> None:
    """The same, with others."""
    person = await server.person("Ann", role=Role.OWNER)
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        seed = secrets.randbelow(2**32)
        caplog.set_level(logging.ERROR)
        chance = Random(seed)
        try:
            await _send_all(server, [_raw(chance, _key(person)) for _ in range(200)], caplog)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
