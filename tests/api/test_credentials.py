"""Signing in over the wire: passwords, keys, guessing, and names that are not this server's."""

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from argon2 import PasswordHasher

from server_lite.actions import credentials
from server_lite.actions.organization import NewOrganization, set_up_organization
from server_lite.config import Limits, PasswordCost, Settings
from server_lite.server import running
from server_lite.store.users import Role
from tests.live import CHEAP, UNLIMITED, Live, live, until


async def with_password(server: Live) -> None:
    """An account bo@x.org with the password `long enough`."""
    ann = await server.person("Ann", role=Role.OWNER)
    await ann.post("users", email="bo@x.org", password="long enough", full_name="Bo")


async def attempt(server: Live, username: str, password: str) -> tuple[int, str]:
    """Status and code of one sign-in."""
    form = {"username": username, "password": password}
    response = await server.client().post("fetch_api_key", data=form)
    return response.status_code, response.json().get("code", "")


async def test_guessing_ends_after_five(tmp_path: Path) -> None:
    """Many guesses at once count as many; the right password does not help afterwards."""
    async with live(tmp_path, limits=Limits()) as server:
        await with_password(server)
        guesses = await asyncio.gather(
            *(attempt(server, "Bo@X.org", f"guess number {n}") for n in range(8))
        )
        assert sorted(status for status, _ in guesses) == [401] * 5 + [429] * 3
        assert await attempt(server, "bo@x.org", "long enough") == (429, "RATE_LIMIT_HIT")
        assert await attempt(server, "eve@x.org", "long enough") == (401, "AUTHENTICATION_FAILED")


async def test_the_right_password_forgives_earlier_mistakes(tmp_path: Path) -> None:
    """Four typing errors and a sign-in leave the account as it was."""
    async with live(tmp_path, limits=Limits()) as server:
        await with_password(server)
        for _ in range(2):
            for _ in range(4):
                assert (await attempt(server, "bo@x.org", "mistyped it"))[0] == 401
            assert (await attempt(server, "bo@x.org", "long enough"))[0] == 200


async def test_unknown_and_wrong_are_told_alike(tmp_path: Path) -> None:
    """Nobody learns from a refusal who has an account."""
    async with live(tmp_path) as server:
        await with_password(server)
        wrong = await attempt(server, "bo@x.org", "not the password")
        assert wrong == await attempt(server, "nobody@x.org", "not the password")
        assert wrong == (401, "AUTHENTICATION_FAILED")


async def test_a_regenerated_key_is_the_only_one(tmp_path: Path) -> None:
    """After a new key every other one is worthless."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        fresh = (await ann.post("users/me/api_key/regenerate"))["api_key"]
        assert (await ann.get("users/me"))["code"] == "UNAUTHORIZED"
        again = server.client(auth=(ann.email, fresh))
        assert (await again.get("users/me")).json()["user_id"] == ann.id


async def test_callers_that_are_known_take_little_memory(tmp_path: Path) -> None:
    """A header of any length can be valid, since `user8@` with any domain is accepted; long ones are not cached."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        assert (await ann.get("users/me"))["user_id"] == ann.id
        known = len(server.app._callers._known)
        for number in range(3):
            address = f"user{ann.id}@{'x' * 2000}{number}.example"
            answer = await server.client(auth=(address, ann.key)).get("users/me")
            assert answer.json()["user_id"] == ann.id
        assert len(server.app._callers._known) == known == 1


async def test_an_open_poll_ends_with_its_key(tmp_path: Path) -> None:
    """Who regenerates a key because it leaked is not read along by the poll that was open with it."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        queue = await ann.post("register", event_types=["message"])
        asked = {"queue_id": queue["queue_id"], "last_event_id": -1}
        leaked = server.client(auth=(ann.email, ann.key))
        poll = asyncio.create_task(leaked.get("events", params=asked))
        await until(lambda: server.app.queues.waiting == 1)
        await ann.post("users/me/api_key/regenerate")
        async with asyncio.timeout(5):
            answer = await poll
        await bob.post("messages", type="direct", to=[ann.id], content="secret")
        assert answer.status_code != 200 or answer.json()["events"] == []
        assert (await leaked.get("events", params=asked)).status_code == 401


async def test_another_sites_name_is_refused(tmp_path: Path) -> None:
    """A web page that points its own domain at this machine gets nothing."""
    async with live(tmp_path) as server:
        http = server.client()
        port = server.url.rpartition(":")[2]
        refused = ("evil.example", f"evil.example:{port}", "localhost.evil.example", "192.168.1.7")
        for name in refused:
            answer = await http.get("server_settings", headers={"Host": name})
            assert (answer.status_code, answer.json()["code"]) == (421, "MISDIRECTED_REQUEST")
        for name in ("localhost", f"LOCALHOST:{port}", f"[::1]:{port}", "127.0.0.1"):
            answer = await http.get("server_settings", headers={"Host": name})
            assert answer.status_code == 200


async def test_the_first_sign_in_is_when_somebody_joined(tmp_path: Path) -> None:
    """An account that was made for somebody begins on the day they first come."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        made = await ann.post("users", email="bo@x.org", password="long enough", full_name="Bo")
        path = f"users/{made['user_id']}"
        before = (await ann.get(path))["user"]["date_joined"]
        queue = await ann.post("register", event_types=["realm_user"])
        await attempt(server, "bo@x.org", "long enough")
        after = (await ann.get(path))["user"]["date_joined"]
        assert after > before
        (told,) = await ann.events(queue)
        assert told["person"] == {"user_id": made["user_id"], "date_joined": after}


JWT_KEY = "a key of at least thirty-two bytes"


def signed(claims: dict[str, Any], key: str = JWT_KEY, algorithm: str = "HS256") -> str:
    """A token as the trusted program makes it, or somebody who would like to be it."""
    return jwt.encode(claims, key, algorithm=algorithm)


async def test_a_trusted_program_signs_people_in(tmp_path: Path) -> None:
    """A good token gives a key that works, and the person's profile when asked for."""
    settings = Settings(db=tmp_path / "team.db", jwt_key=JWT_KEY, limits=UNLIMITED)
    new = NewOrganization(name="T", owner_email="o@x.org", owner_name="Olive", password=None)
    async with running(settings, signals=False) as (server, url):
        await server.app.database.write(lambda tx: set_up_organization(tx, new))
        async with httpx.AsyncClient(base_url=f"{url}/api/v1/") as http:
            form = {"token": signed({"email": "O@x.org"}), "include_profile": "true"}
            answer = (await http.post("jwt/fetch_api_key", data=form)).json()
            assert answer["user"]["full_name"] == "Olive"
            assert "profile_data" not in answer["user"]
            auth = (answer["email"], answer["api_key"])
            assert (await http.get("users/me", auth=auth)).json()["is_owner"]
            for token in (
                signed({"email": "o@x.org"}, "another key of thirty-two bytes."),
                signed({"email": "o@x.org"}, "", "none"),
                signed({"email": "o@x.org", "exp": time.time() - 60}),
                signed({"sub": "o@x.org"}),
                signed({"email": 7}),
                signed({"email": "nobody@x.org"}),
                "not.a.token",
            ):
                refused = await http.post("jwt/fetch_api_key", data={"token": token})
                assert (refused.status_code, refused.json()["code"]) == (
                    401,
                    "AUTHENTICATION_FAILED",
                )


async def test_a_token_for_this_server_signs_in_once(tmp_path: Path) -> None:
    """Where the owner names the server, a token of another, a stale one and a stolen one fail."""
    settings = Settings(
        db=tmp_path / "team.db", jwt_key=JWT_KEY, jwt_audience="team", limits=UNLIMITED
    )
    new = NewOrganization(name="T", owner_email="o@x.org", owner_name="Olive", password=None)
    now = int(time.time())
    good = {"email": "o@x.org", "aud": "team", "iat": now, "exp": now + 60}

    async with running(settings, signals=False) as (server, url):
        await server.app.database.write(lambda tx: set_up_organization(tx, new))
        async with httpx.AsyncClient(base_url=f"{url}/api/v1/") as http:

            async def sign_in(claims: dict[str, Any]) -> str:
                form = {"token": signed(claims)}
                answer: dict[str, Any] = (await http.post("jwt/fetch_api_key", data=form)).json()
                return str(answer["msg"] if answer["result"] == "error" else answer["email"])

            assert await sign_in(good) == "o@x.org"
            assert await sign_in(good) == "This JSON web token was used already"
            assert await sign_in({**good, "jti": "2"}) == "o@x.org"
            assert await sign_in({**good, "aud": "other"}) == "Bad JSON web token"
            assert await sign_in({**good, "iat": now + 90}) == "Bad JSON web token"
            assert await sign_in({**good, "exp": now - 90}) == "Bad JSON web token"
            for name in ("aud", "iat", "exp", "email"):
                claims = {key: value for key, value in good.items() if key != name}
                said = f"No {name} specified in JSON web token claims"
                assert await sign_in(claims) == said
            long = {**good, "exp": now + 4000}
            assert await sign_in(long) == "The JSON web token is good for too long"


@pytest.mark.parametrize("path", ["jwt/fetch_api_key", "dev_fetch_api_key", "dev_list_users"])
async def test_ways_in_that_were_not_opened_are_shut(tmp_path: Path, path: str) -> None:
    """Without a key of the trusted program, or --dev, those endpoints give nothing to anybody."""
    async with live(tmp_path, dev=False) as server:
        await server.person("Ann", role=Role.OWNER)
        form = {"token": signed({"email": "ann@example.com"}), "username": "ann@example.com"}
        verb = "GET" if path == "dev_list_users" else "POST"
        answer = await server.client().request(verb, path, data=form)
        assert answer.status_code == 400
        assert "api_key" not in answer.json()


async def test_a_development_server_lists_who_can_sign_in(tmp_path: Path) -> None:
    """The sign-in page of a development server offers everybody, administrators first."""
    async with live(tmp_path) as server:
        await server.person("Ann", role=Role.OWNER)
        await server.person("Bob")
        listed = (await server.client().get("dev_list_users")).json()
        assert [one["email"] for one in listed["direct_admins"]] == ["ann@example.com"]
        assert [one["email"] for one in listed["direct_users"]] == ["bob@example.com"]


@pytest.mark.parametrize("hashed", [None, "of another kind"])
async def test_passwords_are_hashed_in_threads_alone(
    monkeypatch: pytest.MonkeyPatch, hashed: str | None
) -> None:
    """Also the one that stands for those of unknown names: it takes as long, and would stop all others."""
    threads = []
    hasher = credentials._hasher(CHEAP)

    def note(_cost: PasswordCost) -> PasswordHasher:
        threads.append(threading.current_thread())
        return hasher

    credentials._nobody.cache_clear()
    monkeypatch.setattr(credentials, "_hasher", note)
    assert not await credentials.verify(CHEAP, hashed, "secret")
    assert threads
    assert threading.current_thread() not in threads
