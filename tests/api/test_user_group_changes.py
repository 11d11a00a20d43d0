"""User groups over the wire: made, filled, changed, closed, by those who may."""

from pathlib import Path
from typing import Any

from server_lite.store.user_groups import SystemGroup
from server_lite.store.users import Role
from tests.live import Person, live

CLOSED = {"include_deactivated_groups": True}


async def made(person: Person, name: str, *members: Person, **more: Any) -> int:
    """A group of these people; returns its id."""
    answer = await person.post(
        "user_groups/create",
        name=name,
        description="d",
        members=[member.id for member in members],
        **more,
    )
    group_id: int = answer["group_id"]
    return group_id


async def listed(person: Person, **capabilities: bool) -> dict[int, dict[str, Any]]:
    """Groups of the organization's own making as a new client of this person sees them."""
    state = await person.post(
        "register", fetch_event_types=["realm_user_groups"], client_capabilities=capabilities
    )
    return {
        group["id"]: group for group in state["realm_user_groups"] if not group["is_system_group"]
    }


def applied(groups: dict[int, dict[str, Any]], events: list[dict[str, Any]]) -> None:
    """Bring a client's groups up to date."""
    for event in events:
        if event["op"] == "add":
            groups[event["group"]["id"]] = event["group"]
            continue
        if event["op"] == "remove":
            del groups[event["group_id"]]
            continue
        group = groups[event["group_id"]]
        if event["op"] == "update":
            group |= event["data"]
        else:
            what, _, kind = event["op"].partition("_")
            field = "members" if kind == "members" else "direct_subgroup_ids"
            ids = event["user_ids" if kind == "members" else "direct_subgroup_ids"]
            old = set(group[field])
            group[field] = sorted(old | set(ids) if what == "add" else old - set(ids))


async def test_who_hears_the_events_knows_the_groups(tmp_path: Path) -> None:
    """A client that was there all along shows the same groups as one that just started."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        old = await bob.post("register", event_types=["user_group"])
        new = await bob.post("register", event_types=["user_group"], client_capabilities=CLOSED)
        seen_old, seen_new = await listed(bob), await listed(bob, **CLOSED)
        team = await made(ann, "team", ann)
        inner = await made(ann, "inner", bob, can_join_group=team)
        await ann.post(f"user_groups/{team}/members", add=[bob.id], add_subgroups=[inner])
        await ann.post(f"user_groups/{team}/members", delete=[ann.id], delete_subgroups=[inner])
        await ann.patch(f"user_groups/{team}", name="squad", description="new")
        await ann.patch(
            f"user_groups/{inner}", can_join_group={"new": int(SystemGroup.NOBODY), "old": team}
        )
        await ann.post(f"user_groups/{team}/deactivate")
        await ann.patch(f"user_groups/{team}", name="gone")
        applied(seen_old, await bob.events(old))
        applied(seen_new, await bob.events(new))
        assert seen_old == await listed(bob)
        assert list(seen_old) == [inner]
        assert seen_new == await listed(bob, **CLOSED)
        assert (seen_new[team]["name"], seen_new[team]["deactivated"]) == ("gone", True)
        await ann.patch(f"user_groups/{team}", deactivated=False)
        applied(seen_old, await bob.events(old))
        applied(seen_new, await bob.events(new))
        assert seen_old == seen_new == await listed(bob)
        assert seen_old[team]["members"] == [bob.id]


async def test_people_and_groups_come_and_go_in_one_call(tmp_path: Path) -> None:
    """All of a change to a group is made, or nothing of it."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        inner = await made(ann, "inner", bob)
        team = await made(ann, "team", ann)
        path = f"user_groups/{team}/members"
        refused = await ann.post(path, add=[bob.id], delete=[ann.id], add_subgroups=[99])
        assert refused["msg"] == "Invalid user group ID: 99"
        assert (await ann.get(path))["members"] == [ann.id]
        done = await ann.post(path, delete=[ann.id], add_subgroups=[inner])
        assert done["result"] == "success"
        assert (await ann.get(path))["members"] == [bob.id]
        assert (await ann.get(path, direct_member_only=True))["members"] == []
        inside = await ann.get(f"{path}/{bob.id}")
        assert inside["is_user_group_member"] is True
        direct = await ann.get(f"{path}/{bob.id}", direct_member_only=True)
        assert direct["is_user_group_member"] is False
        outer = await made(ann, "outer", subgroups=[team])
        below = await ann.get(f"user_groups/{outer}/subgroups")
        assert below["subgroups"] == [inner, team]
        below = await ann.get(f"user_groups/{outer}/subgroups", direct_subgroup_only=True)
        assert below["subgroups"] == [team]


async def test_no_group_contains_itself(tmp_path: Path) -> None:
    """A circle of groups is refused, however long."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        one = await made(ann, "one")
        two = await made(ann, "two", subgroups=[one])
        three = await made(ann, "three", subgroups=[two])
        for group in (one, two, three):
            refused = await ann.post(f"user_groups/{one}/subgroups", add=[group])
            assert refused["msg"] == (
                f"User group {one} is already a subgroup of one of the passed subgroups."
            )


async def test_each_mistake_is_named(tmp_path: Path) -> None:
    """What cannot be done to a group is refused with the reason, and nothing changes."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        team = await made(ann, "team", ann)
        before = await listed(ann)
        members, subgroups = f"user_groups/{team}/members", f"user_groups/{team}/subgroups"
        new: dict[str, Any] = {"name": "x", "description": "", "members": []}
        for answer, reason in (
            (await ann.post(members), 'Nothing to do. Specify at least one of "add" or "delete".'),
            (await ann.post(subgroups), "Nothing to do."),
            (await ann.post(members, add=[ann.id]), f"User {ann.id} is already a member"),
            (await ann.post(members, delete=[bob.id]), f"There is no user '{bob.id}' in this"),
            (await ann.post(members, add=[999]), "Invalid user ID: 999"),
            (await ann.post(members, add=f"[{2**70}]"), "add holds a number that is too large"),
            (await ann.post(members, add=["x"]), "add[0] is not an integer"),
            (
                await ann.post(subgroups, delete=[7]),
                "User group 7 is not a subgroup of this group.",
            ),
            (await ann.post("user_groups/999/members", add=[bob.id]), "Invalid user group"),
            (await ann.post("user_groups/x/members", add=[bob.id]), "user_group_id is not an"),
            (await ann.post("user_groups/create", name="zz"), "Missing 'description' argument"),
            (await ann.post("user_groups/create", **new | {"name": " "}), "can't be empty"),
            (await ann.post("user_groups/create", **new | {"name": "a" * 101}), "cannot exceed"),
            (
                await ann.post("user_groups/create", **new | {"name": "role:x"}),
                "User group name cannot start with 'role:'.",
            ),
            (await ann.post("user_groups/create", **new | {"name": "a\nb"}), "Invalid characters"),
            (await ann.post("user_groups/create", **new | {"name": "TEAM"}), "already exists."),
            (await ann.post("user_groups/create", **new | {"description": "d" * 1025}), "too long"),
            (await ann.post("user_groups/create", **new, can_join_group=99), "Invalid user group"),
            (await ann.patch(f"user_groups/{team}"), "No new data supplied"),
            (
                await ann.patch(f"user_groups/{team}", can_join_group={"new": 6}),
                "'can_join_group' setting cannot be set to 'role:everyone' group.",
            ),
            (await ann.patch(f"user_groups/{team}", can_join_group=6), "is not a dict"),
            (
                await ann.patch(f"user_groups/{team}", can_join_group={"new": 5, "old": 1}),
                "'old' value does not match the expected value.",
            ),
            (await ann.patch(f"user_groups/{SystemGroup.OWNERS}", name="x"), "Insufficient"),
        ):
            assert reason in answer["msg"], reason
            assert answer["status"] == 400
        assert await listed(ann) == before


async def test_the_groups_settings_say_who_may(tmp_path: Path) -> None:
    """Joining, leaving, adding, removing and managing are each for those whom the group names."""
    async with live(tmp_path) as server:
        ann, bob, eve = [await server.person(name) for name in ("Ann", "Bob", "Eve")]
        team = await made(ann, "team", ann)
        path = f"user_groups/{team}/members"

        async def may(person: Person, **change: Any) -> bool:
            answer = await person.post(path, **change)
            assert answer.get("msg") in ("", "Insufficient permission")
            return bool(answer["result"] == "success")

        assert not await may(bob, add=[bob.id])
        await ann.patch(f"user_groups/{team}", can_join_group={"new": int(SystemGroup.MEMBERS)})
        assert await may(bob, add=[bob.id])
        assert not await may(bob, add=[eve.id])
        assert not await may(eve, add=[eve.id], add_subgroups=[int(SystemGroup.OWNERS)])
        assert not await may(bob, delete=[ann.id])
        assert await may(bob, delete=[bob.id])
        only_bob = {"direct_members": [bob.id], "direct_subgroups": []}
        await ann.patch(f"user_groups/{team}", can_add_members_group={"new": only_bob})
        assert await may(bob, add=[eve.id])
        assert not await may(bob, delete=[eve.id])
        await ann.patch(f"user_groups/{team}", can_remove_members_group={"new": only_bob})
        assert await may(bob, delete=[eve.id])
        assert (await bob.patch(f"user_groups/{team}", name="x"))["msg"] == (
            "Insufficient permission"
        )
        await ann.patch(f"user_groups/{team}", can_manage_group={"new": only_bob})
        assert (await bob.patch(f"user_groups/{team}", name="x"))["result"] == "success"
        assert (await ann.patch(f"user_groups/{team}", name="y"))["result"] == "error"


async def test_guests_only_leave(tmp_path: Path) -> None:
    """A guest makes no groups and lets nobody in, but may go."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        gus = await server.person("Gus", role=Role.GUEST)
        refused = await gus.post("user_groups/create", name="x", description="", members=[])
        assert refused["msg"] == "Insufficient permission"
        named = {"direct_members": [gus.id], "direct_subgroups": []}
        team = await made(ann, "team", gus, can_manage_group=named, can_add_members_group=named)
        refused = await gus.post(f"user_groups/{team}/members", add=[ann.id])
        assert refused["msg"] == "Insufficient permission"
        left = await gus.post(f"user_groups/{team}/members", delete=[gus.id])
        assert left["result"] == "success"


async def test_a_group_in_use_stays(tmp_path: Path) -> None:
    """Closing a group that something names is refused with a list of what does."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        bob = await server.person("Bob")
        team = await made(bob, "team", bob, can_mention_group=6)
        outer = await made(ann, "outer", subgroups=[team])
        other = await made(ann, "other", can_join_group=team)
        hidden = await ann.post(
            "channels/create",
            name="hidden",
            subscribers=[ann.id],
            invite_only=True,
            can_add_subscribers_group={"direct_members": [ann.id], "direct_subgroups": [team]},
        )
        refused = await ann.post(f"user_groups/{team}/deactivate")
        assert refused["code"] == "CANNOT_DEACTIVATE_GROUP_IN_USE"
        channel = {"type": "channel", "settings": ["can_add_subscribers_group"]}
        assert refused["objections"] == [
            {"type": "subgroup", "supergroup_ids": [outer]},
            channel | {"channel_id": hidden["id"]},
            {"type": "user_group", "group_id": other, "settings": ["can_join_group"]},
        ]
        await _use_nowhere(ann, team, outer, other)
        await ann.delete(f"streams/{hidden['id']}")
        closed = await bob.post(f"user_groups/{team}/deactivate")
        assert closed["result"] == "success"
        again = await bob.post(f"user_groups/{team}/deactivate")
        assert again["msg"] == "User group is already deactivated."
        refused = await bob.post(f"user_groups/{team}/members", add=[ann.id])
        assert refused["msg"] == "User group is deactivated."
        refused = await ann.post(f"user_groups/{outer}/subgroups", add=[team])
        assert refused["msg"] == f"Invalid user group ID: {team}"


async def _use_nowhere(ann: Person, team: int, outer: int, other: int) -> None:
    await ann.post(f"user_groups/{outer}/subgroups", delete=[team])
    nobody = int(SystemGroup.NOBODY)
    await ann.patch(f"user_groups/{other}", can_join_group={"new": nobody})


async def test_a_group_opens_a_private_channel(tmp_path: Path) -> None:
    """Who is taken into a group learns of the private channels that the group may join."""
    async with live(tmp_path) as server:
        ann, bob = await server.person("Ann"), await server.person("Bob")
        team = await made(ann, "team", ann)
        outer = await made(ann, "outer", subgroups=[team])
        secret = await ann.post(
            "channels/create",
            name="secret",
            subscribers=[ann.id],
            invite_only=True,
            can_subscribe_group=outer,
        )
        queue = await bob.post("register", event_types=["stream"])
        await ann.post(f"user_groups/{team}/members", add=[bob.id])
        (event,) = await bob.events(queue)
        assert (event["op"], event["streams"][0]["stream_id"]) == ("create", secret["id"])
        await ann.post(f"user_groups/{team}/members", delete=[bob.id])
        (event,) = await bob.events(queue)
        assert (event["op"], event["stream_ids"]) == ("delete", [secret["id"]])
