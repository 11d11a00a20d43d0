"""Bots over the wire: made, looked after, handed over, closed; what they remember."""

import asyncio
import stat
from base64 import b64encode
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from server_lite.config import Timing
from server_lite.store.users import Role
from tests.live import Live, Person, live, until


async def made(server: Live, owner: Person, name: str = "Bot", **more: Any) -> Person:
    """A bot of this person, signed in with its key."""
    answer = await owner.post("bots", full_name=name, short_name=name.lower(), **more)
    assert answer["result"] == "success", answer
    email = f"{name.lower()}-bot@chinwag.local"
    key = answer["api_key"]
    return Person(answer["user_id"], email, key, server.client(auth=(email, key)))


def files_of(folder: Path) -> list[bytes]:
    """What is on disk."""
    return [file.read_bytes() for file in folder.iterdir()]


async def bots_seen(person: Person) -> dict[int, dict[str, Any]]:
    """The bots that a new client of this person is told of."""
    state = await person.post("register", fetch_event_types=["realm_bot"])
    return {bot["user_id"]: bot for bot in state["realm_bots"]}


def applied(bots: dict[int, dict[str, Any]], events: list[dict[str, Any]]) -> None:
    """Bring a client's bots up to date."""
    for event in events:
        bot = event["bot"]
        if event["op"] == "delete":
            del bots[bot["user_id"]]
        else:
            bots.setdefault(bot["user_id"], {}).update(bot)


async def test_a_bot_speaks_with_its_own_key(tmp_path: Path) -> None:
    """A new bot signs in at once; its key can be shown again, and is not in the database."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot = await made(server, ann, bot_type=1)
        me = await bot.get("users/me")
        assert (me["is_bot"], me["bot_owner_id"], me["bot_type"]) == (True, ann.id, 1)
        shown = await ann.get(f"bots/{bot.id}/api_key")
        assert shown["api_key"] == bot.key
        (listed,) = (await ann.get("bots"))["bots"]
        assert (listed["username"], listed["api_key"]) == (bot.email, bot.key)
        assert not [file for file in files_of(tmp_path) if bot.key.encode() in file]
        key_file = tmp_path / "chinwag.db.key"
        assert stat.S_IMODE(key_file.stat().st_mode) == 0o600


async def test_a_new_key_ends_the_old_one(tmp_path: Path) -> None:
    """After a bot's key was made anew, the old one signs nobody in."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot = await made(server, ann)
        fresh = (await ann.post(f"bots/{bot.id}/api_key/regenerate"))["api_key"]
        assert fresh != bot.key
        assert (await bot.get("users/me"))["code"] == "UNAUTHORIZED"
        new = Person(bot.id, bot.email, fresh, server.client(auth=(bot.email, fresh)))
        assert (await new.get("users/me"))["user_id"] == bot.id
        assert (await ann.get(f"bots/{bot.id}/api_key"))["api_key"] == fresh


async def test_with_another_key_file_keys_work_but_are_not_shown(tmp_path: Path) -> None:
    """A copy of the database without its key file still serves its bots."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot = await made(server, ann)
        (tmp_path / "chinwag.db.key").unlink()
        assert (await bot.get("users/me"))["user_id"] == bot.id
        refused = await ann.get(f"bots/{bot.id}/api_key")
        assert refused["msg"].startswith("This bot's key can no longer be shown")
        (listed,) = (await ann.get("bots"))["bots"]
        assert "api_key" not in listed
        (tmp_path / "chinwag.db.key").write_bytes(b"short")
        damaged = await ann.get("bots")
        assert (damaged["status"], damaged["code"]) == (503, "SERVICE_UNAVAILABLE")


async def test_who_looks_after_a_bot_hears_of_it(tmp_path: Path) -> None:
    """Owner and administrators see what becomes of a bot, also when it or they change hands."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        ann, bob = await server.person("Ann"), await server.person("Bob")
        people = (root, ann, bob)
        queues = [await one.post("register", event_types=["realm_bot"]) for one in people]
        seen = [await bots_seen(one) for one in people]
        await ann.post("channels/create", name="tea", subscribers=[ann.id])
        bot = await made(server, ann, default_sending_stream="tea")
        await ann.patch(f"bots/{bot.id}", default_all_public_streams=True)
        await ann.patch(f"bots/{bot.id}", bot_owner_id=bob.id)
        await bob.patch(f"bots/{bot.id}", default_sending_stream="")
        other = await made(server, bob, "Other", bot_type=3, payload_url="https://x.example/")
        await root.patch(f"users/{ann.id}", role=200)
        await root.patch(f"users/{ann.id}", role=400)
        for one, queue, bots in zip(people, queues, seen, strict=True):
            applied(bots, await one.events(queue))
            assert bots == await bots_seen(one), one.email
        assert [set(bots) for bots in seen] == [{bot.id, other.id}, set(), {bot.id, other.id}]
        assert seen[2][bot.id] == {
            "user_id": bot.id,
            "default_sending_stream": None,
            "default_events_register_stream": None,
            "default_all_public_streams": True,
            "services": [],
        }


async def test_everybody_knows_whose_bot_it_is(tmp_path: Path) -> None:
    """A bot's account and its owner are told to all, its keys to nobody else."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        queue = await bob.post("register", event_types=["realm_user"])
        bot = await made(server, ann)
        await ann.patch(f"bots/{bot.id}", bot_owner_id=bob.id, full_name="Robot")
        added, renamed, moved = [event["person"] for event in await bob.events(queue)]
        assert (added["user_id"], added["bot_owner_id"]) == (bot.id, ann.id)
        assert renamed == {"user_id": bot.id, "full_name": "Robot"}
        assert moved == {"user_id": bot.id, "bot_owner_id": bob.id}
        refused = await ann.get(f"bots/{bot.id}/api_key")
        assert refused["msg"] == "Insufficient permission"


async def test_a_closed_bot_is_cut_off(tmp_path: Path) -> None:
    """Whoever closes a bot ends its key and its queues at once."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot = await made(server, ann)
        await bot.post("register")
        assert (await ann.delete(f"bots/{bot.id}"))["result"] == "success"
        assert (await bot.get("users/me"))["status"] == 401
        assert server.app.database.reader.value("SELECT count(*) FROM queue") == 0
        assert (await ann.get("bots"))["bots"] == []
        assert (await ann.get(f"bots/{bot.id}/api_key"))["msg"] == "No such bot"


async def test_incoming_webhooks_send_and_read_nothing(tmp_path: Path) -> None:
    """A key that lies in another service's settings can write, not read."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot = await made(server, ann, bot_type=2)
        sent = await bot.post("messages", type="direct", to=[ann.id], content="built")
        assert sent["result"] == "success"
        for answer in (await bot.get("messages", anchor="newest"), await bot.post("register")):
            assert answer["msg"] == "This API is not available to incoming webhook bots."
        file = {"file": ("a.txt", b"built", "text/plain")}
        url = (await ann.http.post("user_uploads", files=file)).json()["url"]
        await ann.post("messages", type="direct", to=[bot.id], content=f"[a]({url})")
        for reading in (bot.http, server.client()):
            asked = {} if reading is bot.http else {"api_key": bot.key}
            read = await reading.get(f"{server.url}{url}", params=asked)
            assert (read.status_code, b"built" in read.content) == (400, False)


TWINS = ("ANN", "Ann\u200b", "\u202eAnn", "Ａnn", "An\ufeffn", "Ann\u00a0")
"""Names that look like "Ann"."""
NEW: dict[str, Any] = {"full_name": "Bot", "short_name": "bot"}
BAD: list[tuple[dict[str, Any], str]] = [
    ({"full_name": " "}, "Name too short!"),
    ({"full_name": "a*b"}, "Invalid characters in name!"),
    *(({"full_name": twin}, "Name is already in use.") for twin in TWINS),
    ({"short_name": ""}, "Bad name or username"),
    ({"short_name": "a b"}, "Bad name or username"),
    ({"short_name": "a" * 51}, "Bad name or username"),
    ({"bot_type": 5}, "Invalid bot type"),
    ({"bot_type": 4, "service_name": "x"}, "Embedded bots are not enabled."),
    ({"bot_type": "x"}, "bot_type is not an integer"),
    ({"bot_type": 3}, "payload_url is not a URL"),
    ({"bot_type": 3, "payload_url": "file:///etc"}, "payload_url is not a URL"),
    ({"interface_type": 3}, "Invalid interface type"),
    ({"config_data": {"a": 1}}, "config_data.* is not a string"),
    ({"config_data": {"a": "b" * 10_001}}, "config_data is too long"),
    ({"default_sending_stream": "none"}, "Invalid channel name 'none'"),
]


async def test_what_cannot_be_a_bot_is_refused(tmp_path: Path) -> None:
    """Each mistake in a new bot is named, and no account is left behind."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        before = len((await ann.get("users"))["members"])
        for changed, reason in BAD:
            refused = await ann.post("bots", **NEW | changed)
            assert refused["status"] == 400, changed
            assert reason.split(".*")[-1] in refused["msg"], changed
        assert len((await ann.get("users"))["members"]) == before
        await ann.post("bots", **NEW)
        twice = await ann.post("bots", **NEW | {"full_name": "Other"})
        assert twice["msg"] == "Username already in use"
        other = await ann.post("bots", full_name="Other", short_name="other")
        path = f"bots/{other['user_id']}"
        taken = await ann.patch(path, short_name="bot")
        assert taken["msg"] == "Username already in use"
        same = await ann.patch(path, short_name="other", full_name="Better")
        assert (same["result"], same["full_name"]) == ("success", "Better")


async def test_only_its_people_touch_a_bot(tmp_path: Path) -> None:
    """Strangers, guests and bots make and change no bots; nobody gives away more than they have."""
    async with live(tmp_path) as server:
        ann, eve = await server.person("Ann"), await server.person("Eve")
        root = await server.person("Root", role=Role.ADMINISTRATOR)
        gus = await server.person("Gus", role=Role.GUEST)
        bot = await made(server, ann)
        path = f"bots/{bot.id}"
        for answer in (
            await eve.patch(path, full_name="x"),
            await eve.delete(path),
            await eve.get(f"{path}/api_key"),
            await eve.post(f"{path}/api_key/regenerate"),
            await gus.post("bots", **NEW | {"short_name": "g", "full_name": "G"}),
            await ann.patch(path, role=200),
        ):
            assert answer["msg"] == "Insufficient permission"
        refused = await bot.post("bots", full_name="Child", short_name="child")
        assert refused["msg"] == "This endpoint does not accept bot requests."
        for person_id in (ann.id, 1, 999):
            assert (await ann.patch(f"bots/{person_id}", full_name="x"))["msg"] == "No such bot"
        for owner, reason in (
            (999, "Failed to change owner, no such user"),
            (bot.id, "Failed to change owner, bots can't own other bots"),
            (gus.id, "Failed to change owner, guests can't own bots"),
        ):
            assert (await ann.patch(path, bot_owner_id=owner))["msg"] == reason
        assert (await root.patch(path, role=100))["msg"] == "Must be an organization owner"
        assert (await root.patch(path, role=50))["msg"] == "Invalid role"
        assert (await root.patch(path, role=300))["result"] == "success"
        assert (await bot.get("users/me"))["role"] == 300


async def test_a_closed_bot_can_come_back(tmp_path: Path) -> None:
    """Administrators open it again with a new key, and look after it where its owner is gone."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann", role=Role.OWNER), await server.person("Bob")
        bot = await made(server, bob)
        await ann.delete(f"users/{bob.id}")
        assert not (await ann.get(f"users/{bot.id}"))["user"]["is_active"]
        taken = await server.person("Bot")
        assert (await ann.post(f"users/{bot.id}/reactivate"))["msg"] == "Name is already in use."
        await ann.delete(f"users/{taken.id}")
        assert (await ann.post(f"users/{bot.id}/reactivate"))["result"] == "success"
        back = (await ann.get(f"users/{bot.id}"))["user"]
        assert (back["is_active"], back["bot_owner_id"]) == (True, ann.id)
        assert (await bot.get("users/me"))["user_id"] == bot.id
        assert "api_key" in await ann.post(f"bots/{bot.id}/api_key/regenerate")


async def test_a_bot_remembers_for_itself(tmp_path: Path) -> None:
    """What a bot stores is there at its next run, and no other bot's."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot, other = await made(server, ann), await made(server, ann, "Other")
        await bot.put("bot_storage", storage={"a": "1", "b": "2"})
        await bot.put("bot_storage", storage={"b": "3"})
        assert (await bot.get("bot_storage"))["storage"] == {"a": "1", "b": "3"}
        assert (await bot.get("bot_storage", keys=["b"]))["storage"] == {"b": "3"}
        assert (await other.get("bot_storage"))["storage"] == {}
        assert (await bot.get("bot_storage", keys=["z"]))["msg"] == "Key does not exist."
        assert (await bot.delete("bot_storage", keys=["a", "z"]))["msg"] == "Key does not exist."
        await bot.delete("bot_storage", keys=["a"])
        assert (await bot.get("bot_storage"))["storage"] == {"b": "3"}
        await bot.delete("bot_storage")
        assert (await bot.get("bot_storage"))["storage"] == {}
        for verb in ("GET", "PUT", "DELETE"):
            refused = await ann.ask(verb, "bot_storage", storage={"a": "1"})
            assert (refused["status"], refused["code"]) == (403, "PERMISSION_DENIED")
            assert refused["msg"] == "Must be a bot user"


async def test_large_memories_come_two_at_once(tmp_path: Path) -> None:
    """A third large body waits unread until another's turn ends; small ones and other requests go on."""
    async with live(tmp_path, timing=Timing(large_body=2.0)) as server:
        ann = await server.person("Ann")
        bot = await made(server, ann)
        clock = asyncio.get_running_loop().time

        async def dawdle(who: Person = bot, said: bytes = b"REQUEST_TIMEOUT") -> float:
            """When the server is through with a request that begins and never goes on."""
            key = b64encode(f"{who.email}:{who.key}".encode()).decode()
            head = (
                "PUT /api/v1/bot_storage HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                f"Authorization: Basic {key}\r\nContent-Length: 5000000\r\n\r\n"
            )
            reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(server.url).port)
            writer.write(head.encode())
            assert said in await reader.read()
            writer.close()
            return clock()

        dawdling = [asyncio.create_task(dawdle()) for _ in range(3)]
        await until(server.app._large_bodies.locked)
        assert (await bot.put("bot_storage", storage={"a": "1"}))["result"] == "success"
        refused = await dawdle(
            ann, b"Must be a bot user"
        )  # a person has no turn, and waits for none
        ends = sorted(await asyncio.gather(*dawdling))
        assert refused < ends[0]
        assert ends[2] - ends[0] > 1.5  # its time began when the first one's had ended


async def test_a_bot_remembers_ten_million_characters(tmp_path: Path) -> None:
    """Beyond the limit the bot is told by how much, and keeps what it had."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bot = await made(server, ann)
        full = await bot.put("bot_storage", storage={"k": "x" * 9_999_999})
        assert full["result"] == "success"
        refused = await bot.put("bot_storage", storage={"é": "yz"})
        assert refused["msg"] == (
            "Request exceeds storage limit by 3 characters. The limit is 10000000 characters."
        )
        replaced = await bot.put("bot_storage", storage={"k": "x"})
        assert replaced["result"] == "success"
        for storage, reason in (
            ('{"k": 1}', "is not a string"),
            ('{"k": null}', "is not a string"),
            ("[]", "is not a dict"),
            ("{", "is not valid JSON"),
            ('{"k": "\\u0000"}', "must not contain null bytes"),
        ):
            assert reason in (await bot.put("bot_storage", storage=storage))["msg"]
        assert (await bot.get("bot_storage"))["storage"] == {"k": "x"}
