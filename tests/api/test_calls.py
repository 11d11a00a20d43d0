"""Video calls over the wire, with a provider of our own on a loopback socket."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import httpx
import orjson

from server_lite.config import CallProvider, Settings
from server_lite.ids import UserId
from server_lite.server import running
from server_lite.store import video_call_tokens
from server_lite.store.database import Tx
from server_lite.store.sealing import opened, seal
from server_lite.store.users import Role
from server_lite.video_calls import oauth_state
from server_lite.video_calls.oauth_state import State
from tests.listening import listening
from tests.live import CHEAP, UNLIMITED, Live, Person, live


@dataclass(slots=True)
class Provider:
    """A provider of calls: answers by path, and remembers what it was asked."""

    url: str = ""
    answers: dict[str, tuple[int, dict[str, Any]]] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str], str]] = field(default_factory=list)
    """(path, form, authorization)"""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = dict(line.lower().split(": ", 1) for line in head[1:] if ": " in line)
        body = await reader.readexactly(int(headers.get("content-length", "0")))
        path = head[0].split()[1]
        self.asked.append((path, dict(parse_qsl(body.decode())), headers.get("authorization", "")))
        status, answer = self.answers[path]
        data = orjson.dumps(answer)
        place = b"Location: https:elsewhere\r\n" if status == 302 else b""
        head_lines = b"HTTP/1.1 %d X\r\n%bContent-Length: %d\r\n\r\n" % (status, place, len(data))
        writer.write(head_lines + data)
        await writer.drain()


@asynccontextmanager
async def provided(folder: Path) -> AsyncIterator[tuple[Live, Provider]]:
    """A chat server that is set up for a provider, and the provider."""
    provider = Provider()
    async with listening(provider.serve) as place:
        provider.url = f"http://{place}"
        provider.answers = {
            "/token": (200, {"access_token": "A1", "refresh_token": "R1", "expires_in": 3600}),
            "/meetings": (200, {"join_url": "https://calls.example/1"}),
        }
        settings = Settings(
            db=folder / "chinwag.db",
            passwords=CHEAP,
            limits=UNLIMITED,
            call_provider=webex_of(provider),
        )
        async with running(settings, signals=False) as (server, url):
            here = Live(server, url, settings)
            try:
                yield here, provider
            finally:
                await here.close()


def webex_of(provider: Provider) -> CallProvider:
    """How the chat server reaches it."""
    return CallProvider(
        name="webex",
        client_id="chat",
        client_secret="s3cret",
        authorize_url=f"{provider.url}/authorize?x=1",
        token_url=f"{provider.url}/token",
        create_url=f"{provider.url}/meetings",
        scope="meetings",
    )


async def connect(person: Person) -> httpx.Response:
    """Let the server use the provider in this person's name, as a browser does."""
    refused = await person.post("calls/webex/create")
    assert refused["code"] == "INVALID_WEBEX_ACCESS_TOKEN"
    asked = parse_qs(urlsplit(refused["authorize_url"]).query)
    assert (asked["x"], asked["client_id"], asked["scope"]) == (["1"], ["chat"], ["meetings"])
    back, given = asked["redirect_uri"][0], {"code": "C<1>", "state": asked["state"][0]}
    async with httpx.AsyncClient(trust_env=False) as http:
        shown = await http.get(back, params=given)
        assert person.email in shown.text
        assert "C&lt;1&gt;" in shown.text
        return await http.post(back, data=given)


async def test_a_person_connects_the_provider_once(tmp_path: Path) -> None:
    """After agreeing in the browser, every click on a call makes a meeting in one's own name."""
    async with provided(tmp_path) as (server, provider):
        ann, bob = await server.person("Ann"), await server.person("Bob")
        queue = await ann.post("register", event_types=["video_calls", "has_webex_token"])
        assert (queue["has_webex_token"], queue["has_zoom_token"]) == (False, False)
        assert "is connected" in (await connect(ann)).text
        (event,) = await ann.events(queue)
        assert (event["type"], event["value"]) == ("has_webex_token", True)
        state = await ann.post("register", fetch_event_types=["video_calls"])
        assert state["has_webex_token"] is True
        call = await ann.post("calls/webex/create")
        assert call["url"] == "https://calls.example/1"
        exchange, meeting = provider.asked
        assert exchange[1]["code"] == "C<1>"
        assert exchange[1]["redirect_uri"].endswith("/calls/webex/complete")
        assert exchange[2].startswith("basic ")
        assert meeting[2] == "bearer a1"
        assert (await bob.post("calls/webex/create"))["code"] == "INVALID_WEBEX_ACCESS_TOKEN"
        assert not [data for data in files_of(tmp_path) if b'"A1"' in data or b"s3cret" in data]


def files_of(folder: Path) -> list[bytes]:
    """What is on disk."""
    return [path.read_bytes() for path in folder.iterdir()]


async def test_an_expired_token_is_made_fresh(tmp_path: Path) -> None:
    """A token that ended is exchanged for another without asking the person again."""
    async with provided(tmp_path) as (server, provider):
        ann = await server.person("Ann")
        provider.answers["/token"] = (
            200,
            {"access_token": "A1", "refresh_token": "R1", "expires_in": 5},
        )
        await connect(ann)
        provider.answers["/token"] = (200, {"access_token": "A2", "expires_in": 3600})
        assert (await ann.post("calls/webex/create"))["result"] == "success"
        assert (await ann.post("calls/webex/create"))["result"] == "success"
        _, refreshed, first, second = provider.asked
        assert refreshed[1] == {"grant_type": "refresh_token", "refresh_token": "R1"}
        assert (first[2], second[2]) == ("bearer a2", "bearer a2")


async def test_a_token_that_the_provider_refuses_is_forgotten(tmp_path: Path) -> None:
    """Who took the permission back at the provider is asked again, and all clients know."""
    async with provided(tmp_path) as (server, provider):
        ann = await server.person("Ann")
        await connect(ann)
        queue = await ann.post("register", event_types=["has_webex_token"])
        provider.answers["/meetings"] = (401, {})
        refused = await ann.post("calls/webex/create")
        assert refused["code"] == "INVALID_WEBEX_ACCESS_TOKEN"
        (event,) = await ann.events(queue)
        assert event["value"] is False


async def test_a_provider_that_fails_is_an_error_with_a_reason(tmp_path: Path) -> None:
    """Nonsense and refusals from the provider reach the person as a sentence, not as a failure."""
    async with provided(tmp_path) as (server, provider):
        ann = await server.person("Ann")
        provider.answers["/token"] = (400, {})
        assert (await connect(ann)).json()["msg"] == "Webex refused the connection."
        provider.answers["/token"] = (200, {"access_token": 1})
        assert (await connect(ann)).json()["msg"] == "The call provider returned no token."
        provider.answers["/token"] = (200, {"access_token": "A1"})
        await connect(ann)
        for answer, reason in (
            ((500, {}), "The call provider refused the request."),
            ((301, {}), "The call provider refused the request."),
            ((302, {}), "The call provider's answer cannot be read."),
            ((200, {"join_url": "javascript:x"}), "The call provider returned no URL"),
            ((200, {"x": "y" * 2**20}), "The call provider's answer is too long."),
        ):
            provider.answers["/meetings"] = answer
            refused = await ann.post("calls/webex/create")
            assert (refused["status"], reason in refused["msg"]) == (400, True), refused


async def test_nobody_is_connected_who_did_not_ask(tmp_path: Path) -> None:
    """A forged, foreign or old note from the provider connects nothing."""
    async with provided(tmp_path) as (server, provider), server.client() as http:
        ann = await server.person("Ann")
        page = f"{server.url}/calls/webex/complete"
        context = server.app.context

        def note(secret: str, **changed: Any) -> str:
            said: dict[str, Any] = {"user_id": ann.id, "provider": "webex", "redirect_uri": page}
            return oauth_state.sign(secret, State(**{**said, "until": 2e9, **changed}))

        for state in (
            "",
            "x",
            note("other"),
            note(context.secret, until=1.0),
            note(context.secret, provider="zoom"),
        ):
            refused = await http.post(page, data={"code": "C", "state": state})
            assert "no longer valid" in refused.json()["msg"]
        good = note(context.secret)
        denied = await http.get(page, params={"error": "access_denied", "state": good})
        assert denied.json()["msg"] == "Webex refused the connection."
        assert (await http.get(f"{server.url}/calls/zoom/complete")).status_code == 404
        assert provider.asked == []


async def test_a_jitsi_room_cannot_be_guessed(tmp_path: Path) -> None:
    """Where the organization has a Jitsi server each call is a room of its own; elsewhere it says so."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        refused = await root.post("calls/jitsi/create")
        assert refused["msg"].startswith("This organization has no Jitsi server")
        await root.patch("realm", jitsi_server_url="https://meet.example/")
        rooms = {(await root.post("calls/jitsi/create"))["url"] for _ in range(2)}
        assert len(rooms) == 2
        assert all(len(room.removeprefix("https://meet.example/")) == 32 for room in rooms)
        unknown = await root.post("calls/zoom/create")
        assert unknown["msg"] == "This video call provider is not configured on this server."


SEALED_EARLIER = bytes.fromhex(
    "8daca993f39e7d6c013acfa368d073867c26fa3c7030d3f15200d1c39dbad2a47bd8c757a903e646f2b594e1"
    "f3a20915c0c0d3cc7d838f3d3805385356d35139125eb655e606ed5e9743bc7548d66e2109d7e1043e257dfb"
    "b6ddd38b"
)
"""A token as commit 0c37d59 sealed it, with a key file of the bytes 0 to 31."""


async def test_tokens_of_an_earlier_version_are_sealed_anew(tmp_path: Path) -> None:
    """Whoever connected the provider before an upgrade need not do it again."""
    async with provided(tmp_path) as (server, provider):
        ann, bob = await server.person("Ann"), await server.person("Bob")
        (tmp_path / "chinwag.db.key").write_bytes(bytes(range(32)))
        database, maintenance = server.app.database, server.app.maintenance

        def keep(tx: Tx) -> None:
            video_call_tokens.store(tx, UserId(ann.id), "webex", SEALED_EARLIER)
            video_call_tokens.store(tx, UserId(bob.id), "webex", SEALED_EARLIER[:-1] + b"?")

        await database.write(keep)
        for _ in range(2):  # a start, and one more
            await database.write(maintenance.begin)
        assert (await ann.post("calls/webex/create"))["url"] == "https://calls.example/1"
        assert provider.asked[-1][2] == "bearer a0"
        (mine, others) = [text for *_, text in database.read(video_call_tokens.everything)]
        opening = (bytes(range(32)), mine, "call token")
        assert (opened(*opening) or b"").startswith(b'{"access":"A0"')
        assert others == SEALED_EARLIER[:-1] + b"?", "what another key sealed is left alone"
        (tmp_path / "chinwag.db.key").write_bytes(b"short")
        await database.write(maintenance.begin)


def test_what_is_sealed_is_opened_by_its_secret_alone() -> None:
    """A token that was changed, or sealed by another server, is not taken for one."""
    sealed = seal(b"s" * 32, b"token" * 20, "p")
    assert opened(b"s" * 32, sealed, "p") == b"token" * 20
    assert b"token" not in sealed
    assert seal(b"s" * 32, b"token" * 20, "p") != sealed
    changed = bytes([sealed[0] ^ 1]) + sealed[1:]
    for secret, text, purpose in (
        (b"t" * 32, sealed, "p"),
        (b"s" * 32, changed, "p"),
        (b"s" * 32, sealed, "q"),
        (b"s" * 32, sealed[:40], "p"),
        (b"s" * 32, b"", "p"),
    ):
        assert opened(secret, text, purpose) is None
