"""Signing in over the wire: passwords, keys, guessing, and names that are not this server's."""

import asyncio
from pathlib import Path

from server_lite.config import Limits
from server_lite.store.users import Role
from tests.live import Live, live


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


async def test_another_sites_name_is_refused(tmp_path: Path) -> None:
    """A web page that points its own domain at this machine gets nothing."""
    async with live(tmp_path) as server:
        http = server.client()
        port = server.url.rpartition(":")[2]
        for name in ("evil.example", f"evil.example:{port}", "localhost.evil.example"):
            answer = await http.get("server_settings", headers={"Host": name})
            assert (answer.status_code, answer.json()["code"]) == (421, "MISDIRECTED_REQUEST")
        for name in ("localhost", f"LOCALHOST:{port}", f"[::1]:{port}", "192.168.1.7"):
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
