"""The ecosystem's own Python package, unmodified, against this server: scripts and bots work as they are.

The package blocks, so it runs in a thread beside the server's loop.
"""

import asyncio
import io
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import pytest
import requests
import zulip

from server_lite.store.users import Role
from tests.live import Live, Person, live

T = TypeVar("T")


@contextmanager
def client_of(folder: Path, person: Person, url: str) -> Iterator[zulip.Client]:
    """The package's client, set up by a file as people download it."""
    file = folder / f"zuliprc-{person.id}"
    file.write_text(f"[api]\nemail={person.email}\nkey={person.key}\nsite={url}\n")
    client = zulip.Client(config_file=str(file))
    try:
        yield client
    finally:
        assert client.session is not None
        client.session.close()


async def run(folder: Path, person: Person, url: str, script: Callable[[zulip.Client], T]) -> T:
    """What a script of this person does; it must be done soon."""

    def run_script() -> T:
        with client_of(folder, person, url) as client:
            return script(client)

    async with asyncio.timeout(10):
        return await asyncio.to_thread(run_script)


def done(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer, which is a success."""
    assert answer["result"] == "success", answer
    return answer


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


async def bot_of(server: Live, owner: Person) -> Person:
    """A bot with the key that its owner is shown."""
    made = await owner.post("bots", full_name="Echo", short_name="echo")
    listed = (await owner.get("bots"))["bots"]
    bot = next(one for one in listed if one["user_id"] == made["user_id"])
    client = server.client(auth=(bot["username"], bot["api_key"]))
    return Person(bot["user_id"], bot["username"], bot["api_key"], client)


async def test_a_script_talks_in_a_channel(tmp_path: Path) -> None:
    """My script makes a channel, sends, edits, reacts to and finds a message as on any server."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")

        def script(client: zulip.Client) -> dict[str, Any]:
            done(client.add_subscriptions([{"name": "tea", "description": "Hot"}]))
            place = {"type": "stream", "to": "tea", "topic": "biscuits"}
            sent = done(client.send_message({**place, "content": "digestves"}))
            edited = {"message_id": sent["id"], "content": "digestives"}
            done(client.update_message(edited))
            done(client.add_reaction({"message_id": sent["id"], "emoji_name": "octopus"}))
            done(
                client.update_message_flags(
                    {"messages": [sent["id"]], "op": "add", "flag": "starred"}
                )
            )
            page = done(
                client.get_messages(
                    {
                        "anchor": "newest",
                        "num_before": 5,
                        "num_after": 0,
                        "narrow": [{"operator": "stream", "operand": "tea"}],
                        "apply_markdown": False,
                    }
                )
            )
            topics = done(client.get_stream_topics(client.get_stream_id("tea")["stream_id"]))
            assert [one["name"] for one in topics["topics"]] == ["biscuits"]
            assert (
                client.get_message_history(sent["id"])["message_history"][0]["content"]
                == "digestves"
            )
            done(client.get_profile())
            return page

        page = await run(tmp_path, ann, server.url, script)
        (message,) = page["messages"]
        assert message["content"] == "digestives"
        assert [one["emoji_name"] for one in message["reactions"]] == ["octopus"]
        assert "starred" in message["flags"]


async def test_a_script_looks_around(tmp_path: Path) -> None:
    """My script lists people, channels, groups, emoji, and sets what is mine."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")

        def script(client: zulip.Client) -> None:
            done(client.add_subscriptions([{"name": "tea"}], principals=[bob.email]))
            people = done(client.get_members())["members"]
            assert {ann.id, bob.id} <= {one["user_id"] for one in people}
            assert done(client.get_user_by_id(bob.id))["user"]["full_name"] == "Bob"
            assert "tea" in {one["name"] for one in done(client.get_streams())["streams"]}
            assert done(client.get_subscribers(stream="tea"))["subscribers"] == [bob.id]
            number = client.get_stream_id("tea")["stream_id"]
            assert done(client.get_subscription_status(bob.id, number))["is_subscribed"]
            group = {"name": "helpers", "description": "help", "members": [ann.id, bob.id]}
            done(client.create_user_group(group))
            assert "helpers" in {
                one["name"] for one in done(client.get_user_groups())["user_groups"]
            }
            done(client.update_presence({"status": "active", "ping_only": False}))
            assert done(client.get_realm_presence())["presences"]
            assert done(client.get_user_presence(ann.email))["presence"]
            done(client.add_alert_words(["kettle"]))
            assert done(client.get_alert_words())["alert_words"] == ["kettle"]
            done(client.render_message({"content": "**hot**"}))
            done(client.add_realm_filter("T-(?P<id>[0-9]+)", "https://example.com/{id}"))
            (linkifier,) = done(client.get_realm_linkifiers())["linkifiers"]
            done(client.remove_realm_filter(linkifier["id"]))
            done(client.update_stream({"stream_id": number, "description": "Hot"}))
            setting = {"stream_id": number, "property": "color", "value": "#123456"}
            done(client.add_subscriptions([{"name": "tea"}]))
            done(client.update_subscription_settings([setting]))
            done(client.mark_all_as_read())
            done(client.remove_subscriptions(["tea"], principals=[bob.email]))
            done(client.delete_stream(number))
            done(
                client.create_user(
                    {"email": "x@example.com", "password": "correct horse", "full_name": "X"}
                )
            )

        await run(tmp_path, ann, server.url, script)


async def test_a_file_comes_back_as_it_was(tmp_path: Path) -> None:
    """What my script uploads I can read back, byte for byte, and others only once I share it."""
    content = bytes(range(256)) * 500
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")

        def script(client: zulip.Client) -> requests.Response:
            file = io.BytesIO(content)
            file.name = "täglich.bin"
            uploaded = done(client.upload_file(file))
            path = uploaded["url"]
            way = done(client.call_endpoint(path.removeprefix("/"), method="GET"))["url"]
            assert requests.get(f"{server.url}{path}", timeout=5).status_code == 403
            link = {"type": "private", "to": [bob.id], "content": f"[file]({path})"}
            done(client.send_message(link))
            (listed,) = done(client.get_attachments())["attachments"]
            assert listed["size"] == len(content)
            return requests.get(f"{server.url}{way}", timeout=5)

        response = await run(tmp_path, ann, server.url, script)
        assert response.content == content


async def test_a_bot_answers_when_it_is_mentioned(tmp_path: Path) -> None:
    """A bot that listens with `call_on_each_event` answers whoever mentions it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bot = await bot_of(server, ann)
        await ann.post(
            "users/me/subscriptions", subscriptions=[{"name": "tea"}], principals=[ann.id, bot.id]
        )
        listening = asyncio.Event()
        loop = asyncio.get_running_loop()

        class Answered(Exception):
            """Ends the loop, which never ends by itself."""

        def answering(client: zulip.Client) -> None:
            register = client.register

            def registered(*args: Any, **options: Any) -> dict[str, Any]:
                answer = register(*args, **options)
                loop.call_soon_threadsafe(listening.set)
                return answer

            client.register = registered  # type: ignore[method-assign]  # only to know when it listens

            def answer(event: dict[str, Any]) -> None:
                message = event["message"]
                if "mentioned" in event["flags"]:
                    reply = {
                        "type": "stream",
                        "to": message["display_recipient"],
                        "topic": message["subject"],
                        "content": f"@**{message['sender_full_name']}** pong",
                    }
                    done(client.send_message(reply))
                    raise Answered

            with pytest.raises(Answered):
                client.call_on_each_event(answer, event_types=["message"])

        running = asyncio.create_task(run(tmp_path, bot, server.url, answering))
        await listening.wait()
        place = {"type": "stream", "to": "tea", "topic": "games"}
        await ann.post("messages", **place, content="who is there?")
        await ann.post("messages", **place, content="@**Echo** ping")
        await running
        page = await ann.get("messages", anchor="newest", num_before=1, num_after=0)
        last = page["messages"][-1]
        assert last["sender_id"] == bot.id
        assert last["subject"] == "games"
        assert "pong" in last["content"]


async def test_a_bot_remembers(tmp_path: Path) -> None:
    """What a bot stored is there when it is started again."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot = await bot_of(server, ann)
        await run(
            tmp_path,
            bot,
            server.url,
            lambda client: done(client.update_storage({"storage": {"score": "41"}})),
        )
        stored = await run(tmp_path, bot, server.url, lambda client: done(client.get_storage()))
        assert stored["storage"] == {"score": "41"}


class DroppingProxy:
    """Carries bytes to the server; once, it drops the connection instead of bringing the answer."""

    def __init__(self, url: str) -> None:
        self._to = url.removeprefix("http://").split(":")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.dropped = 0
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> "DroppingProxy":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in (self._listener, *self._open):
            with suppress(OSError):  # the other side was faster
                one.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                here, _ = self._listener.accept()
            except OSError:
                return
            with here, socket.create_connection((self._to[0], int(self._to[1]))) as there:
                self._open = [here]
                here.settimeout(5)
                there.settimeout(5)
                while request := _whole(here):
                    there.sendall(request)
                    answer = _whole(there)
                    if b"POST /api/v1/messages" in request and not self.dropped:
                        self.dropped += 1
                        break
                    here.sendall(answer)


def _whole(connection: socket.socket) -> bytes:
    """The next request or answer with its body; nothing when the other side is gone."""
    message = b""
    while b"\r\n\r\n" not in message:
        part = connection.recv(65536)
        if not part:
            return b""
        message += part
    head, _, body = message.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    missing = (int(length.group(1)) if length else 0) - len(body)
    while missing > 0:
        part = connection.recv(missing)
        message += part
        missing -= len(part)
    return message


async def test_a_message_sent_again_is_sent_once(tmp_path: Path) -> None:
    """When the connection drops before the answer, the package sends again: nobody reads it twice."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")

        with DroppingProxy(server.url) as proxy:

            def script(client: zulip.Client) -> dict[str, Any]:
                queue = done(client.register(["message"]))["queue_id"]
                message = {
                    "type": "private",
                    "to": [ann.id],
                    "content": "once",
                    "queue_id": queue,
                    "local_id": "7.01",
                }
                return done(client.send_message(message))

            sent = await run(tmp_path, ann, proxy.url, script)
            assert proxy.dropped == 1
        page = await ann.get("messages", anchor="newest", num_before=9, num_after=0)
        assert [one["id"] for one in page["messages"]] == [sent["id"]]
