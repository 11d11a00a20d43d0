"""Outgoing webhooks: a program of the test's own is called on loopback, and its answers are posted."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import orjson
import pytest

from server_lite.actions import outgoing_webhooks as actions
from server_lite.config import Timing
from server_lite.store.users import NOTIFICATION_BOT
from server_lite.workers.webhook_client import CallFailed, call
from tests.listening import listening
from tests.live import Live, Person, live, until

QUICK = Timing(due=0.01, webhook_retries=(0.0, 0.0))
LOCAL = ("127.0.0.1:*",)
Answer = tuple[int, bytes]


@dataclass
class Program:
    """What was asked, and what is answered, one after the other; then nothing more."""

    answers: list[Answer]
    asked: list[tuple[str, bytes]] = field(default_factory=list)
    url: str = ""
    hold: asyncio.Event = field(default_factory=asyncio.Event)
    """Answers wait for it."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = dict(line.lower().split(": ", 1) for line in head.splitlines()[1:] if line)
        self.asked.append((head, await reader.readexactly(int(lines["content-length"]))))
        await self.hold.wait()
        status, body = self.answers.pop(0) if self.answers else (200, b"")
        more = "location: http://127.0.0.1:1/\r\n" if status == 302 else ""
        writer.write(f"HTTP/1.1 {status} X\r\ncontent-length: {len(body)}\r\n{more}\r\n".encode())
        writer.write(body)

    def payload(self, number: int) -> dict[str, Any]:
        """The JSON of a call."""
        value: dict[str, Any] = orjson.loads(self.asked[number][1])
        return value


@asynccontextmanager
async def program(*answers: Answer, held: bool = False) -> AsyncIterator[Program]:
    """A program that listens on a port of the system's choice."""
    here = Program(list(answers))
    if not held:
        here.hold.set()
    async with listening(here.serve) as place:
        here.url = f"http://{place}/hook"
        yield here


def says(content: str) -> Answer:
    """An answer that is to be posted."""
    return 200, orjson.dumps({"content": content})


async def bot_of(owner: Person, url: str, **more: Any) -> int:
    """An outgoing webhook."""
    made = await owner.post(
        "bots", full_name="Echo", short_name="echo", bot_type=3, payload_url=url, **more
    )
    number: int = made["user_id"]
    return number


async def said(person: Person, narrow: list[Any]) -> list[tuple[int, str]]:
    """Sender and text of what is in a narrow, oldest first."""
    answer = await person.get(
        "messages",
        anchor="newest",
        num_before=20,
        num_after=0,
        narrow=narrow,
        apply_markdown=False,
    )
    return [(one["sender_id"], one["content"]) for one in answer["messages"]]


def holds(person: Person, narrow: list[Any], sender: int, *texts: str) -> Callable[[], Any]:
    """Whether everything this sender said there is this."""

    async def look() -> bool:
        return [text for who, text in await said(person, narrow) if who == sender] == [*texts]

    return look


def idle(server: Live) -> bool:
    """Whether no call is waiting."""
    count: int = server.app.database.reader.value("SELECT count(*) FROM outgoing_call")
    return count == 0


async def test_a_word_at_the_beginning_calls_a_bot(tmp_path: Path) -> None:
    """`/deploy web` in a channel that the bot may read, and nowhere else; words in the text call nobody."""
    async with (
        program(says("done"), says("done")) as here,
        live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server,
    ):
        ann = await server.person("Ann")
        most = [f"/w{number}" for number in range(18)]
        words = {"trigger_words": ", ".join(["/deploy", "!Status", *most])}
        bot = await bot_of(ann, here.url, config_data=words)
        shown = (await ann.get("bots"))["bots"][0]["services"][0]["trigger_words"]
        assert shown == ["/deploy", "!status", *most]
        made = await ann.post("channels/create", name="ops", subscribers=[ann.id])
        shut = await ann.post(
            "channels/create", name="shut", subscribers=[ann.id], invite_only=True
        )
        place = {"type": "stream", "to": made["id"], "topic": "web"}
        for text in ("run /deploy", "/deployed", "`/deploy`", "/ deploy", "! status"):
            await ann.post("messages", **place, content=text)
        await ann.post("messages", **{**place, "to": shut["id"]}, content="/deploy web")
        assert idle(server)
        await ann.post("messages", **place, content="/Deploy web\nnow")
        narrow = [["channel", made["id"]], ["topic", "web"]]
        await until(holds(ann, narrow, bot, "done"))
        payload = here.payload(0)
        assert (payload["trigger"], payload["trigger_word"]) == ("trigger_word", "/Deploy")
        await ann.post("messages", **place, content="!STATUS @**Echo**")
        await until(holds(ann, narrow, bot, "done", "done"))
        assert (len(here.asked), here.payload(1)["trigger"]) == (2, "mention")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("deploy", "is / or !"),
        ("/", "is / or !"),
        ("/a/b", "is / or !"),
        ("/deploy /POLL", "'/poll' is a command"),
        ("/x " * 21, "at most 20"),
    ],
)
async def test_a_word_that_could_not_call_is_refused(tmp_path: Path, words: str, said: str) -> None:
    """When the bot is made."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        refused = await ann.post(
            "bots",
            full_name="Echo",
            short_name="echo",
            bot_type=3,
            payload_url="http://x.example",
            config_data={"trigger_words": words},
        )
        assert said in refused["msg"]


async def test_a_mentioned_bot_answers_in_the_topic(tmp_path: Path) -> None:
    """The program is told what I said to its bot, with its token, and answers where I said it."""
    async with (
        program(says("**42**")) as here,
        live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server,
    ):
        ann = await server.person("Ann")
        bot = await bot_of(ann, here.url)
        made = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        place = {"type": "stream", "to": made["id"], "topic": "sums"}
        await ann.post(
            "messages", **place, content="nothing to @_**Echo**, @**all** or `@**Echo**`"
        )
        sent = await ann.post("messages", **place, content="@**Echo** 6 * 7?")
        narrow = [["channel", made["id"]], ["topic", "sums"]]
        await until(holds(ann, narrow, bot, "**42**"))
        assert len(here.asked) == 1
        payload = here.payload(0)
        (token,) = [one["services"][0]["token"] for one in (await ann.get("bots"))["bots"]]
        assert (payload["token"], payload["trigger"]) == (token, "mention")
        assert (payload["data"], payload["bot_full_name"]) == ("@**Echo** 6 * 7?", "Echo")
        message = payload["message"]
        assert (message["id"], message["subject"], message["sender_id"]) == (
            sent["id"],
            "sums",
            ann.id,
        )


async def test_a_direct_message_is_answered_to_all_in_it(tmp_path: Path) -> None:
    """In a group the bot hears each message and answers the group; an empty answer is none."""
    async with (
        program((200, b'{"response_not_required": true}'), says("hi both")) as here,
        live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server,
    ):
        ann, bob = await server.person("Ann"), await server.person("Bob")
        bot = await bot_of(ann, here.url)
        for text in ("one", "two"):
            await ann.post("messages", type="direct", to=[bob.id, bot], content=text)
        narrow = [["dm", [ann.id, bot]]]
        await until(holds(bob, narrow, bot, "hi both"))
        assert [here.payload(number)["data"] for number in (0, 1)] == ["one", "two"]
        assert here.payload(0)["trigger"] == "direct_message"


async def test_a_program_for_slack_gets_a_form(tmp_path: Path) -> None:
    """A bot with the other interface is asked, and answers, as Slack's are."""
    async with (
        program((200, b'{"text": "pong"}')) as here,
        live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server,
    ):
        ann = await server.person("Ann")
        bot = await bot_of(ann, here.url, interface_type=2)
        await ann.post("messages", type="direct", to=[bot], content="ping & co")
        await until(holds(ann, [["dm", [bot]]], bot, "pong"))
        form = dict(parse_qsl(here.asked[0][1].decode()))
        assert (form["text"], form["user_id"], form["user_name"]) == (
            "ping & co",
            f"U{ann.id}",
            "Ann",
        )


async def test_a_program_that_is_down_is_called_again(tmp_path: Path) -> None:
    """A few failures are nobody's business: the answer comes once the program is back."""
    async with (
        program((503, b""), (500, b"oops"), says("late")) as here,
        live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server,
    ):
        ann = await server.person("Ann")
        bot = await bot_of(ann, here.url)
        await ann.post("messages", type="direct", to=[bot], content="hello")
        await until(holds(ann, [["dm", [bot]]], bot, "late"))
        assert len(here.asked) == 3
        assert not await said(ann, [["dm", [NOTIFICATION_BOT]]])


@pytest.mark.parametrize(
    ("answers", "calls", "why"),
    [
        ([(500, b"")] * 5, 3, "its program answered with HTTP status 500."),
        ([(404, b"")], 1, "its program answered with HTTP status 404."),
        ([(302, b"")], 1, "its program answered with HTTP status 302."),
        ([(200, b"<html>")], 1, "its program's response is not JSON."),
        ([(200, b"[1]")], 1, "its program's response is not a JSON object."),
        ([(200, b'{"content": 7}')], 1, "its program's response contains no text."),
        ([(200, b'"' + b"x" * 300_000 + b'"')], 1, "its answer is too long."),
        (
            [(200, b'{"content": "x", "widget_content": "{"}')],
            1,
            "its answer was refused: ",
        ),
    ],
)
async def test_the_owner_hears_of_what_failed(
    tmp_path: Path, answers: list[Answer], calls: int, why: str
) -> None:
    """A program that fails for good is not called for ever; its owner is told why, once."""
    async with (
        program(*answers) as here,
        live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server,
    ):
        ann, bob = await server.person("Ann"), await server.person("Bob")
        bot = await bot_of(ann, here.url)
        await bob.post("messages", type="direct", to=[bot], content="hello")
        await until(lambda: idle(server))
        ((_, text),) = await said(ann, [["dm", [NOTIFICATION_BOT]]])
        assert text.startswith(f"Your bot @_**Echo|{bot}** could not answer a message: {why}")
        assert len(here.asked) == calls
        assert "hello" not in text


async def test_calls_survive_the_end_of_the_server(tmp_path: Path) -> None:
    """What I said while the server was going down is answered by the next one."""
    async with program(says("lost"), says("found"), held=True) as here:
        async with live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server:
            ann = await server.person("Ann")
            bot = await bot_of(ann, here.url)
            await ann.post("messages", type="direct", to=[bot], content="hello")
            await until(lambda: len(here.asked) == 1)
        here.hold.set()
        async with live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server:
            again = Person(ann.id, ann.email, ann.key, server.client(auth=(ann.email, ann.key)))
            assert not idle(server)
            await server.app.database.write(
                lambda tx: tx.run("UPDATE outgoing_call SET due = 0")  # the minute is over
            )
            await until(holds(again, [["dm", [bot]]], bot, "found"))


async def test_nothing_is_called_unless_the_owner_says_so(tmp_path: Path) -> None:
    """Without hosts that may be called nothing is noted; what waited before is forgotten."""
    async with program(says("no")) as here:
        async with live(tmp_path, timing=QUICK) as server:
            ann = await server.person("Ann")
            bot = await bot_of(ann, here.url)
            await ann.post("messages", type="direct", to=[bot], content="hello")
            assert idle(server)
            await server.app.database.write(lambda tx: actions.switch(tx, is_on=True))
            await ann.post("messages", type="direct", to=[bot], content="hello")
            assert not idle(server)
        async with live(tmp_path, timing=QUICK) as server:
            assert idle(server)
        assert not here.asked


async def test_bots_do_not_set_each_other_off(tmp_path: Path) -> None:
    """A bot that is mentioned by a bot stays silent, and one that cannot read a channel hears nothing."""
    async with (
        program() as here,
        live(tmp_path, timing=QUICK, webhook_hosts=LOCAL) as server,
    ):
        ann = await server.person("Ann")
        bot = await bot_of(ann, here.url)
        other = await ann.post("bots", full_name="Other", short_name="other")
        auth = ("other-bot@chinwag.local", other["api_key"])
        speaker = Person(other["user_id"], *auth, server.client(auth=auth))
        await speaker.post("messages", type="direct", to=[bot], content="hello")
        shut = await ann.post(
            "channels/create", name="shut", subscribers=[ann.id], invite_only=True
        )
        await ann.post(
            "messages", type="stream", to=shut["id"], topic="t", content="@**Echo** secret"
        )
        assert idle(server)


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("http://127.0.0.1:1/", ("*",)),
        ("http://[::1]:1/", ("*",)),
        ("http://localhost:1/", ("*",)),
        ("http://169.254.169.254/latest", ("*",)),
        ("http://10.0.0.1/", ("*", "example.com")),
        ("http://example.com.evil.example/", ("example.com",)),
        ("http://example.com@127.0.0.1:1/", ("example.com",)),
        ("http://127.0.0.1:99999/", ("127.0.0.1",)),
    ],
)
async def test_a_bot_does_not_reach_into_the_network(url: str, hosts: tuple[str, ...]) -> None:
    """Who makes a bot cannot have the server read what only the server reaches."""
    with pytest.raises(CallFailed) as refused:
        await call(url, hosts, json={})
    assert refused.value.is_final


async def test_a_compressed_answer_is_not_unpacked() -> None:
    """Two kilobytes that stand for gigabytes are refused as they are."""
    bomb = gzip.compress(gzip.compress(b"\0" * 10_000_000))

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert b"accept-encoding: identity" in head
        writer.write(
            b"HTTP/1.1 200 X\r\ncontent-encoding: gzip, gzip\r\ncontent-length: %d\r\n\r\n%s"
            % (len(bomb), bomb)
        )

    async with listening(serve) as place:
        with pytest.raises(CallFailed, match="compressed"):
            await call(f"http://{place}/", LOCAL, json={})
