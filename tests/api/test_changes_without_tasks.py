"""Changes that arrived whole, and polls, are answered as they are with tasks."""

import asyncio
import gzip
import re
from base64 import b64encode
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from server_lite.config import Settings
from server_lite.http.cycle import Cycle
from server_lite.server import running
from server_lite.store.database import Database
from tests.live import UNLIMITED, Live, Person, live, until
from tests.raw_http import exchanged

FORM = b"Content-Type: application/x-www-form-urlencoded\r\n"
TEXT = b"type=direct&to=[%d]&content=hi"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path) as running:
        yield running


def request(
    user: Person,
    body: bytes,
    *headers: bytes,
    path: bytes = b"messages",
    version: bytes = b"1.1",
    form: bytes = FORM,
    last: bool = True,
    host: bytes = b"localhost",
    key: str = "",
) -> bytes:
    token = b64encode(f"{user.email}:{key or user.key}".encode())
    lines = [
        b"POST /api/v1/%b HTTP/%b\r\nHost: %b\r\n" % (path, version, host),
        b"" if key == "none" else b"Authorization: Basic %b\r\n" % token,
        form,
        *(b"%b\r\n" % each for each in headers),
        b"" if b"Transfer-Encoding: chunked" in headers else b"Content-Length: %d\r\n" % len(body),
        b"Connection: close\r\n" if last else b"",
        b"\r\n",
    ]
    return b"".join(lines) + body


def masked(answer: bytes) -> bytes:
    """Return an answer without what differs from one request to the next."""
    head, end, body = answer.partition(b"\r\n\r\n")
    if b"content-encoding: gzip" in head:
        answer = head + end + gzip.decompress(body)
    differs = rb"\r\n(date: [^\r]*|(x-ratelimit-\w+|content-length): \d+)|\"id\":\d+"
    head, end, body = re.sub(differs, b"", answer).partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    return b"\r\n".join((first, *sorted(lines))) + end + body


@contextmanager
def with_tasks(server: Live) -> Iterator[None]:
    """Answer all requests with tasks in the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server.server._guard, "begin", None)
        yield


async def test_the_answer_is_the_same(server: Live) -> None:
    """Successes and errors, their headers and their bytes."""
    ann = await server.person("Ann")
    text = TEXT % ann.id
    long = b"&x%b=1" % (b"y" * 40_000)  # its name is in the answer
    requests = {
        "a message": request(ann, text),
        "HTTP/1.0": request(ann, text, version=b"1.0"),
        "an empty body": request(ann, b""),
        "a wrong key": request(ann, text, key="x" * 32),
        "no key": request(ann, text, key="none"),
        "no key, a page": request(ann, text, b"Sec-Fetch-Mode: cors", key="none"),
        "an unknown parameter": request(ann, text + b"&unknown=1"),
        "a compressed answer": request(ann, text + b"&x" + b"y" * 2000, b"Accept-Encoding: gzip"),
        "a long compressed answer": request(ann, text + long, b"Accept-Encoding: gzip"),
        "bad UTF-8": request(ann, text + b"%ff"),
        "JSON": request(ann, b"{}", form=b"Content-Type: application/json\r\n"),
        "a compressed request": request(ann, text, b"Content-Encoding: gzip"),
        "another host": request(ann, text, host=b"evil.example"),
        "another site": request(ann, text, b"Origin: https://evil.example", key="none"),
        "another organization": request(ann, text, b"Organization-Generation: other"),
        "an unknown endpoint": request(ann, text, path=b"nonsense"),
        "another method": request(ann, text, path=b"server_settings"),
        "a key of its own": request(ann, text, b"Idempotency-Key: one"),
        "that key again, and another text": request(ann, text + b"!", b"Idempotency-Key: one"),
        "a form of many": request(ann, text + b"&a=1" * 300),
    }
    requests["chunks"] = request(
        ann, b"%x\r\n%b\r\n0\r\n\r\n" % (len(text), text), b"Transfer-Encoding: chunked"
    )
    for name, asked in requests.items():
        at_once = masked(await exchanged(server, asked))
        with with_tasks(server):
            assert masked(await exchanged(server, asked)) == at_once, name
        assert at_once.startswith(b"HTTP/1.1 "), name


async def test_a_bug_is_logged_and_answered(
    server: Live, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With its traceback, and without the text of the request."""
    ann = await server.person("Ann")

    def broken(_db: Database) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("server_lite.actions.messages.widget_of", broken)
    answers = [masked(await exchanged(server, request(ann, TEXT % ann.id)))]
    with with_tasks(server):
        answers.append(masked(await exchanged(server, request(ann, TEXT % ann.id))))
    assert answers[0] == answers[1]
    assert answers[0].startswith(b"HTTP/1.1 500 ")
    bugs = [record for record in caplog.records if record.exc_info]
    assert [record.getMessage() for record in bugs] == [
        "POST '/api/v1/messages' failed: ZeroDivisionError"
    ] * 2


async def test_a_bug_that_ends_a_commit_leaves_nobody_waiting(
    server: Live, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """All whose changes were in it are told, nothing is stored, and the next change is."""
    ann = await server.person("Ann")

    def broken(_db: object, _newest: int, *, count: int) -> None:  # as it is called
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("server_lite.store.unread_messages.copy_some", broken)
        asked = [exchanged(server, request(ann, TEXT % ann.id)) for _ in range(3)]
        for answer in await asyncio.gather(*asked):
            assert answer.startswith(b"HTTP/1.1 500 ")
    assert [record.exc_info is not None for record in caplog.records] == [True] * 3
    assert (await exchanged(server, request(ann, TEXT % ann.id))).startswith(b"HTTP/1.1 200 ")
    newest = await ann.get("messages", anchor="newest", num_before=9, num_after=0)
    assert len(newest["messages"]) == 1


async def test_an_answer_that_cannot_be_sent_ends_its_connection(
    server: Live, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A client that hears nothing would wait without end; the change of another is answered."""
    ann = await server.person("Ann")
    answer = Cycle.answer

    def sometimes(cycle: Cycle, *rest: Any) -> None:
        assert (b"accept-language", b"en") not in cycle.scope["headers"]
        answer(cycle, *rest)

    monkeypatch.setattr(Cycle, "answer", sometimes)
    odd = exchanged(server, request(ann, TEXT % ann.id, b"Accept-Language: en", last=False))
    usual = exchanged(server, request(ann, TEXT % ann.id))
    answers = await asyncio.gather(odd, usual)
    assert answers[0] == b""
    assert answers[1].startswith(b"HTTP/1.1 200 ")
    assert [record.getMessage() for record in caplog.records if record.exc_info] == [
        "POST '/api/v1/messages' could not be answered"
    ]


async def test_requests_ahead_are_answered_in_order(server: Live) -> None:
    """Sent in one piece, or byte by byte; what waits behind another is answered after it."""
    ann = await server.person("Ann")
    asked = [request(ann, TEXT % ann.id + b"%d" % number, last=number == 4) for number in range(5)]
    asked[2] = request(ann, b"type=nonsense", last=False)
    asked[3] = request(ann, b"", path=b"users/me", last=False).replace(b"POST", b"GET")
    whole = b"".join(asked)
    expected = [b"200", b"200", b"400", b"200", b"200"]
    for parts in ([whole], [whole[at : at + 7] for at in range(0, len(whole), 7)], asked):
        answer = await exchanged(server, *parts)
        assert re.findall(rb"HTTP/1.1 (\d+) ", answer) == expected
        ids = [int(each) for each in re.findall(rb'"id":(\d+)', answer)]
        assert ids == sorted(ids)
        assert len(ids) == 3
    newest = await ann.get("messages", anchor="newest", num_before=100, num_after=0)
    texts = [each["content"] for each in newest["messages"]]
    assert texts[-9:] == [f"<p>hi{number}</p>" for number in (0, 1, 4)] * 3


async def test_a_body_that_is_waited_for(server: Live) -> None:
    """Asked for with 100-continue, it comes later."""
    ann = await server.person("Ann")
    head, _, body = request(ann, TEXT % ann.id, b"Expect: 100-continue").partition(b"\r\n\r\n")
    at = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    writer.write(head + b"\r\n\r\n")
    assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
    writer.write(body)
    assert (await reader.read()).startswith(b"HTTP/1.1 200 OK\r\n")
    writer.close()


async def test_a_client_that_left_is_not_answered_and_its_change_is_made(server: Live) -> None:
    """Its connection ended before the commit; others of the same commit are answered."""
    ann = await server.person("Ann")
    database: Database = server.app.database
    at = urlsplit(server.url)
    database._scheduled = True  # hold changes back
    _, gone = await asyncio.open_connection(at.hostname, at.port)
    gone.write(request(ann, TEXT % ann.id + b"-gone", last=False))
    other = asyncio.create_task(exchanged(server, request(ann, TEXT % ann.id + b"-here")))
    await until(lambda: len(database._pending) == 2)
    gone.transport.abort()
    await until(lambda: len(server.server.server_state.connections) == 1)
    database._flush()
    assert (await other).startswith(b"HTTP/1.1 200 OK\r\n")
    newest = await ann.get("messages", anchor="newest", num_before=2, num_after=0)
    assert {each["content"] for each in newest["messages"]} == {"<p>hi-gone</p>", "<p>hi-here</p>"}


def poll(user: Person, queue: dict[str, Any], *, last: bool = True, **more: str) -> bytes:
    """A request for the events of a queue."""
    asked = {"queue_id": queue["queue_id"], "last_event_id": str(queue["last_event_id"]), **more}
    path = b"events?" + urlencode(asked).encode()
    return request(user, b"", path=path, form=b"", last=last).replace(b"POST", b"GET")


async def test_a_poll_is_answered_the_same(server: Live) -> None:
    """With events, without, with a queue that is gone, and with wrong parameters."""
    ann = await server.person("Ann")
    empty, full = await ann.post("register"), await ann.post("register")
    gone = {**full, "queue_id": "0" * 32}
    assert (await exchanged(server, request(ann, TEXT % ann.id))).startswith(b"HTTP/1.1 200 ")
    await ann.events(empty)
    empty["last_event_id"] = server.app.database.log.head
    asked = {
        "events": poll(ann, full),
        "events in a compressed answer": poll(ann, full).replace(
            b"\r\n\r\n", b"\r\nAccept-Encoding: gzip\r\n\r\n"
        ),
        "no events": poll(ann, empty, dont_block="true"),
        "no queue": poll(ann, gone),
        "an event of the future": poll(ann, {**full, "last_event_id": 10**12}),
        "a wrong parameter": poll(ann, full, dont_block="yes"),
        "no key": poll(ann, full).replace(b"Authorization", b"X-Nothing"),
    }
    for name, one in asked.items():
        at_once = masked(await exchanged(server, one))
        with with_tasks(server):
            assert masked(await exchanged(server, one)) == at_once, name
        assert at_once.startswith(b"HTTP/1.1 "), name


async def test_what_waits_behind_a_poll_is_answered_after_it(server: Live) -> None:
    """Both in one piece: the poll waits for the message of another, then the change behind it is made."""
    ann, bob = await server.person("Ann"), await server.person("Bob")
    queue = await ann.post("register", event_types=["message"])
    both = poll(ann, queue, last=False) + request(ann, TEXT % ann.id + b"-behind")
    answers = asyncio.create_task(exchanged(server, both))
    await until(lambda: server.app.queues.waiting == 1)
    await bob.post("messages", type="direct", to=[ann.id], content="for Ann")
    first, second = re.findall(rb'{"result":"success".*?}(?=HTTP|$)', await answers)
    assert b"for Ann" in first
    assert b"-behind" not in first
    assert re.search(rb'"id":\d+', second)


async def test_a_poll_whose_client_leaves_waits_no_more(server: Live) -> None:
    """It takes no events along: the next poll has them."""
    ann = await server.person("Ann")
    queue = await ann.post("register", event_types=["message"])
    at = urlsplit(server.url)
    _, gone = await asyncio.open_connection(at.hostname, at.port)
    gone.write(poll(ann, queue))
    await until(lambda: server.app.queues.waiting == 1)
    gone.transport.abort()
    await until(lambda: server.app.queues.waiting == 0)
    await exchanged(server, request(ann, TEXT % ann.id))
    assert b'"content":"hi"' in await exchanged(server, poll(ann, queue))


async def test_many_polls_ahead_are_answered_in_order(server: Live) -> None:
    """Each is answered by the one that follows; none within the answer to another."""
    ann = await server.person("Ann")
    queue = await ann.post("register", event_types=["message"])
    ahead = [poll(ann, queue, last=False, dont_block="true") for _ in range(60)]
    answer = await exchanged(server, b"".join([*ahead, poll(ann, queue, dont_block="true")]))
    assert answer.count(b"HTTP/1.1 200 OK\r\n") == 61


async def test_limits_count_these_too(tmp_path: Path) -> None:
    """Of requests in a minute, with what is left of them."""
    async with live(tmp_path, limits=replace(UNLIMITED, requests_per_minute=2)) as server:
        ann = await server.person("Ann")
        answers = [await exchanged(server, request(ann, TEXT % ann.id)) for _ in range(3)]
    left = [re.findall(rb"x-ratelimit-remaining: (\d+)", answer) for answer in answers]
    assert left == [[b"1"], [b"0"], [b"0"]]
    assert answers[2].startswith(b"HTTP/1.1 429 ")
    assert b"retry-after: " in answers[2]


@pytest.mark.parametrize(
    "passed_on", [{}, {"behind_proxy": True}, {"ssh_secret": "shared"}], ids=["", "proxy", "SSH"]
)
async def test_a_change_needs_no_task_and_no_timer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, passed_on: dict[str, Any]
) -> None:
    """Of all that is sent, most; a task that waits for a body and for a commit cost as much as the rest of HTTP."""
    settings = Settings(db=tmp_path / "x.db", limits=UNLIMITED, **passed_on)
    async with running(settings, signals=False) as (server, url):
        here = Live(server, url, settings)
        try:
            await _send_without_task(here, monkeypatch)
        finally:
            await here.close()


async def _send_without_task(server: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = await server.person("Ann")
    at = urlsplit(server.url)
    reader, writer = await asyncio.open_connection(at.hostname, at.port)
    loop = asyncio.get_running_loop()
    tasks: list[str] = []
    create_task = loop.create_task

    def creating(work: Any, **options: Any) -> Any:
        tasks.append(work.__qualname__)
        return create_task(work, **options)

    for number in range(2):
        if number:
            monkeypatch.setattr(loop, "create_task", creating)
        writer.write(request(ann, TEXT % ann.id, last=False))
        assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200 OK\r\n")
    monkeypatch.undo()
    writer.close()
    assert "RequestResponseCycle.run_asgi" not in tasks
