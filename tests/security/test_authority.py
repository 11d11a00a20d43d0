"""Who may do what, tried by those who may not: keys, bots, invitations, and rights that ended meanwhile."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, get_type_hints

import jwt
import orjson
import pytest

from server_lite.actions.credentials import LONGEST_WAIT, claim
from server_lite.config import Limits, Settings
from server_lite.http.network import network_of
from server_lite.routes import TABLE
from server_lite.server import running
from server_lite.store.database import Database, Tx
from server_lite.store.users import Role, set_value
from tests.live import CHEAP, Live, Person, live, until

LONG_KEY = "k" * 40


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path) as running:
        yield running


async def bot_of(server: Live, keeper: Person, role: Role | None = None) -> tuple[Person, int]:
    """A bot of somebody, with a role that the API gives to none where one is named."""
    made = await keeper.post("bots", full_name="Robo", short_name=f"robo{keeper.id}")
    number, key = made["user_id"], made["api_key"]
    if role is not None:
        await server.app.database.write(lambda tx: set_value(tx, number, "role", role))
    email = f"robo{keeper.id}-bot@localhost"
    return Person(number, email, key, server.client(auth=(f"user{number}@x", key))), number


async def test_no_bot_becomes_an_owner(server: Live) -> None:
    """Owners are people: a bot's key lies in a file somewhere."""
    ann = await server.person("Ann", role=Role.OWNER)
    _, bot = await bot_of(server, ann)
    assert (await ann.patch(f"bots/{bot}", role=100))["msg"] == "Invalid role"


@pytest.mark.parametrize("verb", ["key", "new key", "rename", "close"])
async def test_a_bot_above_ones_own_role_is_out_of_reach(server: Live, verb: str) -> None:
    """An administrator does not become an owner by the key of an owner's old bot."""
    ann = await server.person("Ann", role=Role.OWNER)
    adam = await server.person("Adam", role=Role.ADMINISTRATOR)
    _, bot = await bot_of(server, ann, Role.OWNER)
    asked = {
        "key": adam.get(f"bots/{bot}/api_key"),
        "new key": adam.post(f"bots/{bot}/api_key/regenerate"),
        "rename": adam.patch(f"bots/{bot}", full_name="Mine"),
        "close": adam.delete(f"bots/{bot}"),
    }
    answer = await asked.pop(verb)
    for rest in asked.values():
        rest.close()
    assert answer["msg"] == "Insufficient permission"
    listed = (await adam.get("bots"))["bots"]
    assert not [each for each in listed if each["user_id"] == bot]


async def test_a_bot_is_not_the_owner_that_stays(server: Live) -> None:
    """The last person who is an owner cannot leave, whatever bots there are."""
    ann = await server.person("Ann", role=Role.OWNER)
    await bot_of(server, ann, Role.OWNER)
    answer = await ann.patch(f"users/{ann.id}", role=400)
    assert "only organization owner" in answer["msg"]


async def test_a_link_ends_with_the_right_to_make_links(server: Live) -> None:
    """Who is made a guest brings nobody in by the link of before."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben", role=Role.ADMINISTRATOR)
    link = (await ben.post("invites/multiuse"))["invite_link"]
    await ann.patch(f"users/{ben.id}", role=600)
    assert await come(server, link) != 200


async def test_a_link_opens_no_channel_that_its_maker_lost(server: Live) -> None:
    """Who was removed from a private channel lets nobody into it, themselves under another name least of all."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben", role=Role.ADMINISTRATOR)
    await ann.post(
        "users/me/subscriptions",
        subscriptions=[{"name": "den"}],
        principals=[ann.id, ben.id],
        invite_only=True,
    )
    den = (await ann.get("get_stream_id", stream="den"))["stream_id"]
    link = (await ben.post("invites/multiuse", stream_ids=[den]))["invite_link"]
    await ann.delete("users/me/subscriptions", subscriptions=["den"], principals=[ben.id])
    assert await come(server, link) == 200
    members = (await ann.get(f"streams/{den}/members"))["subscribers"]
    assert members == [ann.id]


async def come(server: Live, link: str) -> int:
    """The status of coming by a link."""
    form = {"full_name": "Eve", "email": "eve@example.com", "password": "long enough 12"}
    return (
        await server.client().post(f"{server.url}/join/{link.rpartition('/')[2]}", data=form)
    ).status_code


@pytest.mark.parametrize("streams", [False, True], ids=["poll", "stream"])
@pytest.mark.parametrize("whose", ["person", "bot"])
async def test_an_open_poll_ends_with_its_key(server: Live, whose: str, streams: bool) -> None:
    """Who stole a key hears nothing more from the moment at which it is made anew."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben")
    bot, number = await bot_of(server, ann)
    victim = ann if whose == "person" else bot
    queue = await victim.post("register", event_types=["message"])
    asked = {"queue_id": queue["queue_id"], "last_event_id": -1, "event_stream": streams}
    poll = asyncio.ensure_future(victim.http.get("events", params=asked))
    await until(lambda: server.app.queues.waiting == 1)
    if whose == "person":
        await ann.post("users/me/api_key/regenerate")
    else:
        await ann.post(f"bots/{number}/api_key/regenerate")
    await ben.post("messages", type="direct", to=[victim.id], content="secret")
    heard = await poll
    lines = heard.text.splitlines()
    assert (heard.status_code, [orjson.loads(line)["events"] for line in lines]) == (200, [[]])
    refused = await victim.get("events", queue_id=queue["queue_id"], last_event_id=-1)
    assert refused["status"] == 401


async def test_who_was_closed_meanwhile_says_nothing(server: Live) -> None:
    """A request whose body comes late acts as who asks is then, not as they were."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben")
    gate = asyncio.Event()

    async def body() -> AsyncIterator[bytes]:
        yield f"type=direct&to=[{ann.id}]".encode()
        await gate.wait()
        yield b"&content=late"

    form = {"content-type": "application/x-www-form-urlencoded"}
    late = asyncio.ensure_future(ben.http.post("messages", content=body(), headers=form))
    await ann.delete(f"users/{ben.id}")
    gate.set()
    assert (await late).status_code == 401


async def test_a_revoked_key_is_dead_in_the_transaction_that_revokes_it(server: Live) -> None:
    """Changes that wait together share one: who asked behind the revocation comes too late."""
    ann = await server.person("Ann", role=Role.OWNER)
    database = server.app.database
    database._scheduled = True  # hold changes back
    asked = []
    for path, form in (
        ("messages", {"type": "direct", "to": f"[{ann.id}]", "content": "before"}),
        ("users/me/api_key/regenerate", {}),
        ("messages", {"type": "direct", "to": f"[{ann.id}]", "content": "behind"}),
    ):
        asked.append(asyncio.ensure_future(ann.post(path, **form)))
        await until(lambda: len(database._pending) == len(asked))
    database._flush()
    answers = [(await each)["result"] for each in asked]
    assert answers == ["success", "success", "error"]
    assert (await asked[-1])["status"] == 401


async def test_a_token_is_used_once_however_it_is_spelt(tmp_path: Path) -> None:
    """The same signature written in another way is the same token."""

    settings = Settings(
        db=tmp_path / "x.db", passwords=CHEAP, jwt_key=LONG_KEY, jwt_audience="here"
    )
    async with running(settings, signals=False) as (server, url):
        here = Live(server, url, settings)
        ann = await here.person("Ann")
        now = int(server.app.database.clock())
        claims = {"email": ann.email, "aud": "here", "iat": now, "exp": now + 600}
        token = jwt.encode(claims, LONG_KEY, algorithm="HS256")
        http = here.client()
        first = await http.post("jwt/fetch_api_key", data={"token": token})
        again = [
            (await http.post("jwt/fetch_api_key", data={"token": token + more})).status_code
            for more in ("", "=", "==")
        ]
        await here.close()
    assert first.status_code == 200
    assert 200 not in again


def test_no_answer_with_a_secret_is_kept() -> None:
    """Answers of writes are kept for a day for resends; those with a key in them must not be writes."""
    kept = [
        f"{verb} {route.pattern}"
        for route in TABLE.routes
        for verb, contract in route.contracts.items()
        if contract.mode == "write" and {"api_key", "token", "secret"} & _fields(contract.answer)
    ]
    assert kept == []


def _fields(answer: Any) -> set[str]:
    try:
        return set(get_type_hints(answer))
    except TypeError:
        return set()


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_addresses_of_one_customer_are_one(address: str, network: str) -> None:
    """Somebody's 2^64 addresses are no 2^64 allowances."""
    assert network_of(address) == network


async def test_spraying_names_ends(tmp_path: Path) -> None:
    """One address tries no more than so many passwords, whatever the names."""
    async with live(tmp_path, limits=Limits(failed_logins_per_address=3)) as server:
        http = server.client()
        codes = [
            (
                await http.post(
                    "fetch_api_key", data={"username": f"{n}@x.org", "password": "guess it"}
                )
            ).status_code
            for n in range(5)
        ]
    assert codes == [401, 401, 401, 429, 429]


@pytest.mark.parametrize(
    ("trusted", "secret", "from_", "codes"),
    [
        ({"behind_proxy": True}, "", "2001:db8:1:2::{}", [401, 401, 401, 429, 429]),
        ({"behind_proxy": True}, "", "2001:db8:1:{}::1", [401, 401, 401, 401, 401]),
        ({"behind_proxy": True}, "", "192.0.2.{}", [401, 401, 401, 401, 401]),
        ({"ssh_secret": "shared"}, "shared", "192.0.2.{}", [401, 401, 401, 401, 401]),
        ({"ssh_secret": "shared"}, "guessed", "192.0.2.{}", [401, 401, 401, 429, 429]),
        ({"ssh_secret": "shared"}, "", "192.0.2.{}", [401, 401, 401, 429, 429]),
        ({}, "", "192.0.2.{}", [401, 401, 401, 429, 429]),
    ],
    ids=[
        "one network",
        "many networks",
        "many addresses",
        "SSH",
        "another",
        "no secret",
        "made up",
    ],
)
async def test_a_network_guesses_as_one(
    tmp_path: Path, trusted: dict[str, Any], secret: str, from_: str, codes: list[int]
) -> None:
    """New addresses of one /64 are no new guesses, nor are addresses that only a header names."""
    settings = Settings(
        db=tmp_path / "x.db",
        passwords=CHEAP,
        limits=Limits(failed_logins_per_address=3),
        **trusted,
    )
    async with running(settings, signals=False) as (server, url):
        here = Live(server, url, settings)
        seen = [
            (
                await here.client().post(
                    "fetch_api_key",
                    data={"username": f"{number}@x.org", "password": "guess it"},
                    headers={"X-Forwarded-For": from_.format(number), "X-Chinwag-SSH": secret},
                )
            ).status_code
            for number in range(5)
        ]
        await here.close()
    assert seen == codes


def test_guessing_one_account_from_everywhere_slows_down(tmp_path: Path) -> None:
    """Each further guess at one name waits longer, and nobody is locked out of their account by others."""
    database = Database(tmp_path / "x.db")
    limits = Limits(failed_logins_per_name=3)

    def waits(tx: Tx, name: str, first: int) -> list[float]:
        return [claim(tx, f"192.0.2.{first + n}", name, limits) for n in range(6)]

    assert database.write_now(lambda tx: waits(tx, "ann@x.org", 0)) == [0, 0, 0, 0.5, 1.0, 1.5]
    assert database.write_now(lambda tx: waits(tx, "ben@x.org", 0)) == [0, 0, 0, 0.5, 1.0, 1.5]
    many = database.write_now(lambda tx: [waits(tx, "ann@x.org", 10 * n) for n in range(1, 20)])
    assert many[-1] == [LONGEST_WAIT] * 6
    database.close()
