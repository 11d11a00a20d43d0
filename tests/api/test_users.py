"""People over the wire: who is listed with what, and what happens when accounts change."""

from pathlib import Path
from typing import Any

import pytest

from server_lite.actions import user_visibility
from server_lite.store.users import Role
from tests.call_counter import statements
from tests.live import Person, live


def mine(events: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    """Events of one type, without their ids."""
    return [
        {name: value for name, value in event.items() if name not in ("id", "type")}
        for event in events
        if event["type"] == kind
    ]


async def names(person: Person) -> list[str]:
    """Names in GET /users."""
    return [member["full_name"] for member in (await person.get("users"))["members"]]


async def test_a_new_account_is_told_and_listed_alike(tmp_path: Path) -> None:
    """Whoever was connected when somebody joined knows the same of them as who comes later."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        queue = await ann.post("register")
        answer = await ann.post("users", email="bo@x.org", password="long enough", full_name="Bo")
        told = mine(await ann.events(queue), "realm_user")
        fresh = await ann.post("register", fetch_event_types=["realm_user", "realm_user_groups"])
        (bo,) = [user for user in fresh["realm_users"] if user["user_id"] == answer["user_id"]]
        assert told == [{"op": "add", "person": bo}]
        members = {group["name"]: group["members"] for group in fresh["realm_user_groups"]}
        assert members["role:members"] == members["role:fullmembers"] == [bo["user_id"]]
        assert members["role:owners"] == [ann.id]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"email": "no address"}, "Enter a valid email address."),
        ({"email": "bo@example"}, "Enter a valid email address."),
        ({"email": "ANN@example.com"}, "Email is already in use."),
        ({"full_name": "  "}, "Name too short!"),
        ({"full_name": "x" * 101}, "Name too long!"),
        ({"full_name": "a*b"}, "Invalid characters in name!"),
        ({"full_name": "Bo|12"}, "Invalid format!"),
        ({"password": "short"}, "The password is too short: at least 8 characters, please."),
    ],
)
async def test_a_bad_account_is_refused_with_the_reason(
    tmp_path: Path, change: dict[str, str], message: str
) -> None:
    """A mistake is named, and no account is made."""
    async with live(tmp_path, dev=False) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        form = {"email": "bo@x.org", "password": "long enough", "full_name": "Bo"} | change
        answer = await ann.post("users", **form)
        assert (answer["msg"], answer["status"]) == (message, 400)
        assert await names(ann) == ["Ann"]


async def test_only_administrators_change_accounts(tmp_path: Path) -> None:
    """A member cannot make, promote or close anybody, and an administrator no owner."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        adam = await server.person("Adam", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        refused = [
            await bob.post("users", email="x@y.z", password="long enough", full_name="X"),
            await bob.patch(f"users/{bob.id}", role=100),
            await bob.delete(f"users/{adam.id}"),
            await bob.post(f"users/{adam.id}/reactivate"),
            await adam.patch(f"users/{ann.id}", role=400),
            await adam.patch(f"users/{bob.id}", role=100),
            await adam.delete(f"users/{ann.id}"),
            await ann.delete(f"users/{ann.id}"),
            await ann.patch(f"users/{ann.id}", role=400),
        ]
        assert [answer["result"] for answer in refused] == ["error"] * len(refused)
        members = (await ann.get("users"))["members"]
        assert [member["role"] for member in members] == [100, 200, 400]
        assert all(member["is_active"] for member in members)


async def test_a_role_moves_somebody_between_groups(tmp_path: Path) -> None:
    """A promotion is told as a role and as a change of groups."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        queue = await ann.post("register", event_types=["realm_user", "user_group"])
        await ann.patch(f"users/{bob.id}", role=200, full_name="Robert")
        events = await ann.events(queue)
        assert mine(events, "realm_user") == [
            {"op": "update", "person": {"user_id": bob.id, "full_name": "Robert"}},
            {"op": "update", "person": {"user_id": bob.id, "role": 200}},
        ]
        moves = [(event["op"], event["group_id"]) for event in mine(events, "user_group")]
        assert moves == [("remove_members", 5), ("remove_members", 4), ("add_members", 2)]


async def test_a_closed_account_is_cut_off_and_can_come_back(tmp_path: Path) -> None:
    """Keys and queues of a closed account end at once; let in again, its keys work as before."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        await bob.post("register")
        queue = await ann.post("register")
        await ann.delete(f"users/{bob.id}")
        refused = await bob.get("users/me")
        assert (refused["code"], refused["msg"]) == ("UNAUTHORIZED", "Account is deactivated")
        assert (await ann.delete(f"users/{bob.id}"))["msg"] == "User is deactivated"
        told = mine(await ann.events(queue), "realm_user")
        assert told == [{"op": "update", "person": {"user_id": bob.id, "is_active": False}}]
        state = await ann.post("register", fetch_event_types=["realm_user"])
        assert [user["user_id"] for user in state["realm_non_active_users"]] == [bob.id]
        await ann.post(f"users/{bob.id}/reactivate")
        assert (await ann.get(f"users/{bob.id}"))["user"]["is_active"]
        assert (await bob.get("users/me"))["user_id"] == bob.id
        again = await ann.post(f"users/{bob.id}/reactivate")
        assert again["msg"] == "User is already active"


async def test_the_last_owner_cannot_leave(tmp_path: Path) -> None:
    """An organization never loses its only owner."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        answer = await ann.delete("users/me")
        assert (answer["code"], answer["entity"]) == (
            "CANNOT_DEACTIVATE_LAST_USER",
            "organization owner",
        )
        assert (await bob.delete("users/me"))["result"] == "success"


async def test_a_hidden_address_is_seen_by_whom_it_is_for(tmp_path: Path) -> None:
    """Who may not see an address finds the person by a made-up one, and not by the real one."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        eve = await server.person("Eve")
        queue = await eve.post("register")
        await bob.patch("settings", email_address_visibility=3)
        made_up = f"user{bob.id}@chinwag.local"
        told = [event["person"] for event in mine(await eve.events(queue), "realm_user")]
        assert told == [
            {"user_id": bob.id, "new_email": made_up},
            {"user_id": bob.id, "delivery_email": None},
        ]
        for viewer, address in ((ann, "bob@example.com"), (eve, None), (bob, "bob@example.com")):
            user = (await viewer.get(f"users/{bob.id}"))["user"]
            assert (user["email"], user["delivery_email"]) == (made_up, address)
        assert (await eve.get("users/bob@example.com"))["msg"] == "No such user"
        assert (await eve.get(f"users/{made_up}"))["user"]["user_id"] == bob.id
        for address in (f"{bob.id}@chinwag.local", f"user0{bob.id}@chinwag.local", str(bob.id) * 2):
            assert (await eve.get(f"users/{address}"))["msg"] == "No such user", address
            sent = await eve.post("messages", type="direct", to=[address], content="Hello")
            assert sent["msg"] == f"Invalid email '{address}'"
        assert (await eve.post("messages", type="direct", to=[made_up], content="Hello"))["id"]
        assert (await ann.get("users/bob@example.com"))["user"]["user_id"] == bob.id


async def test_a_restricted_guest_knows_whom_they_share_something_with(tmp_path: Path) -> None:
    """Guests of a discreet organization see the people of their channels, and nobody else."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        eve = await server.person("Eve")
        gus = await server.person("Gus", role=Role.GUEST)
        assert await names(gus) == ["Ann", "Bob", "Eve", "Gus"]
        await ann.patch("realm", can_access_all_users_group={"new": 5})
        await ann.post(
            "users/me/subscriptions",
            subscriptions=[{"name": "guests"}],
            principals=[bob.id, gus.id],
        )
        assert await names(gus) == ["Bob", "Gus"]
        assert (await gus.get(f"users/{eve.id}"))["msg"] == "No such user"
        assert await names(eve) == ["Ann", "Bob", "Eve", "Gus"]


async def test_a_restricted_guest_is_told_whom_they_get_to_know(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New clients and old ones learn it by events, or register again when they see very different people."""
    monkeypatch.setattr(user_visibility, "MANY", 2)
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        gus = await server.person("Gus", role=Role.GUEST)
        shapes = {"new": {"user_list_incomplete": True}, "old": {}}
        queues: dict[str, dict[str, Any]] = {}
        known: dict[str, dict[int, str]] = {}

        async def register(shape: str) -> None:
            capable = {"client_capabilities": shapes[shape], "event_types": ["realm_user"]}
            queues[shape] = await gus.post("register", **capable)
            known[shape] = {
                user["user_id"]: user["full_name"] for user in queues[shape]["realm_users"]
            }

        async def check(*expected: str, anew: bool = False) -> None:
            """What either client knows by its events, and by starting afresh."""
            for shape in shapes:
                queue = queues[shape]
                ask = {"queue_id": queue["queue_id"], "last_event_id": queue["last_event_id"]}
                answer = await gus.get("events", **ask, dont_block=True)
                assert (answer.get("code") == "BAD_EVENT_QUEUE_ID") == anew
                for event in answer.get("events", []):
                    queue["last_event_id"] = event["id"]
                    person = event["person"]
                    if event["op"] == "remove":
                        del known[shape][person["user_id"]]
                    elif event["op"] == "add":
                        known[shape][person["user_id"]] = person["full_name"]
                told = known[shape]
                if anew:
                    await register(shape)
                else:
                    fresh = await gus.post(
                        "register",
                        fetch_event_types=["realm_user"],
                        client_capabilities=shapes[shape],
                    )
                    assert told == {
                        user["user_id"]: user["full_name"] for user in fresh["realm_users"]
                    }
                names = [name for _, name in sorted(known[shape].items())]
                assert [name for name in names if name != "Unknown user"] == [*expected]

        for shape in shapes:
            await register(shape)
        await ann.patch("realm", can_access_all_users_group={"new": 5})
        await check("Gus", anew=True)
        await bob.post("messages", type="direct", to=[gus.id], content="hello")
        await check("Bob", "Gus")
        eve = await server.person("Eve")
        place = "users/me/subscriptions"
        few = {"subscriptions": [{"name": "guests"}], "principals": [ann.id, gus.id]}
        await ann.post(place, **few)
        await check("Ann", "Bob", "Gus")
        await gus.delete(place, subscriptions=["guests"])
        await check("Bob", "Gus")
        many = {"subscriptions": [{"name": "all"}], "principals": [ann.id, bob.id, eve.id]}
        await ann.post(place, **many)
        await check("Bob", "Gus")
        await ann.post(place, subscriptions=[{"name": "all"}], principals=[gus.id])
        await check("Ann", "Bob", "Gus", "Eve", anew=True)
        await ann.post(place, subscriptions=[{"name": "all"}], principals=[gus.id])
        await ann.delete(place, subscriptions=["all"], principals=[eve.id])
        await check("Ann", "Bob", "Gus")
        await gus.delete(place, subscriptions=["all"])
        await check("Bob", "Gus", anew=True)
        await ann.patch(f"users/{gus.id}", role=400)
        await check("Ann", "Bob", "Gus", "Eve", anew=True)


async def test_unique_names_look_unique(tmp_path: Path) -> None:
    """Nobody takes a name that only a program can tell from mine; my own I can write in another way."""
    async with live(tmp_path) as server:
        ann, zoe = await server.person("Ann", role=Role.OWNER), await server.person("Zoë")
        await ann.patch("realm", require_unique_names=True)
        for twin in ("zoë", "Zoe\u0308", "Zo\u200dë", "Ｚｏë"):
            answer = await ann.patch("settings", full_name=twin)
            assert answer["msg"] == "Unique names required in this organization."
        for name in ("Zoe\u0308", "Zoe"):
            assert (await zoe.patch("settings", full_name=name))["result"] == "success"


async def test_who_sees_the_channels_of_an_account_is_read_before_it_changes(
    tmp_path: Path,
) -> None:
    """In hundreds of channels that takes longer than others should wait; those who see them are told as before."""
    async with live(tmp_path) as server:
        root = await server.person("Root", role=Role.OWNER)
        ann, gus = await server.person("Ann"), await server.person("Gus", role=Role.GUEST)
        for number in range(3):
            await root.post(
                "users/me/subscriptions",
                subscriptions=[{"name": f"channel {number}"}],
                principals=[ann.id, *([gus.id] if number else [])],
            )
        queues = [await one.post("register", event_types=["subscription"]) for one in (root, gus)]
        writer = await server.app.database.write(lambda tx: tx.connection)
        for change in (root.delete(f"users/{ann.id}"), root.post(f"users/{ann.id}/reactivate")):
            with statements(writer) as sql:
                assert (await change)["result"] == "success"
            assert [one for one in sql if "JOIN subscription" in one] == []
        told = [
            [
                (one["op"], one["user_ids"], len(one["stream_ids"]))
                for one in await who.events(queue)
            ]
            for who, queue in zip((root, gus), queues, strict=True)
        ]
        assert told[1] == [("peer_remove", [ann.id], 2), ("peer_add", [ann.id], 2)]
        assert sum(count for op, _, count in told[0] if op == "peer_remove") == 3
        assert sum(count for op, _, count in told[0] if op == "peer_add") == 3
