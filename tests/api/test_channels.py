"""Channels over the wire: found, made, changed, archived."""

from pathlib import Path

import pytest

from server_lite.endpoints import channel_folders
from server_lite.store.users import Role
from tests.live import Person, live


async def test_a_channel_made_by_subscribing_is_told_to_all(tmp_path: Path) -> None:
    """Whoever makes a channel is in it, and everybody else hears of it at once."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        queue = await bob.post("register", event_types=["stream", "subscription"])
        answer = await ann.post(
            "users/me/subscriptions", subscriptions=[{"name": "tea", "description": "new\nline"}]
        )
        assert answer["subscribed"] == {str(ann.id): ["tea"]}
        made, joined = await bob.events(queue)
        assert (made["type"], made["op"], made["streams"][0]["name"]) == ("stream", "create", "tea")
        assert made["streams"][0]["description"] == "new line"
        assert (joined["op"], joined["user_ids"]) == ("peer_add", [ann.id])
        listed = await bob.get("streams")
        assert [one["name"] for one in listed["streams"]] == ["tea"]
        again = await ann.post("users/me/subscriptions", subscriptions=[{"name": "TEA"}])
        assert again["already_subscribed"] == {str(ann.id): ["tea"]}


async def test_a_private_channel_is_hidden(tmp_path: Path) -> None:
    """Who is not in a private channel cannot tell it from one that does not exist."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        made = await ann.post(
            "channels/create", name="secret", subscribers=[ann.id], invite_only=True
        )
        for path in (f"streams/{made['id']}", f"streams/{made['id']}/members"):
            hidden, absent = await bob.get(path), await bob.get(path.replace(str(made["id"]), "99"))
            assert hidden == absent
            assert hidden["msg"] == "Invalid channel ID"
        refused = await bob.post("users/me/subscriptions", subscriptions=[{"name": "secret"}])
        assert refused["msg"] == "Unable to access channel (secret)."
        partly = await bob.post(
            "users/me/subscriptions",
            subscriptions=[{"name": "secret"}, {"name": "open"}],
            authorization_errors_fatal=False,
        )
        assert partly["unauthorized"] == ["secret"]
        assert partly["subscribed"] == {str(bob.id): ["open"]}


async def test_a_change_beside_that_of_privacy_is_for_those_who_see_the_channel(
    tmp_path: Path,
) -> None:
    """Who gains the channel by the request knows its new name; who loses it does not."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        made = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        queue = await bob.post("register", event_types=["stream"])
        path = f"streams/{made['id']}"
        closed = {"new_name": "secret", "description": "plans", "is_private": True}
        assert (await ann.patch(path, **closed))["result"] == "success"
        assert [one["op"] for one in await bob.events(queue)] == ["delete"]
        opened = {"new_name": "open", "description": "for all", "is_private": False}
        assert (await ann.patch(path, **opened))["result"] == "success"
        created, *updates = await bob.events(queue)
        assert (created["op"], created["streams"][0]["name"]) == ("create", "secret")
        values = {one["property"]: one["value"] for one in updates if one["op"] == "update"}
        assert (values["name"], values["description"]) == ("open", "for all")


async def test_a_mute_is_told_under_both_names(tmp_path: Path) -> None:
    """Muting a channel reaches my other clients, the old ones too."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        made = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        queue = await ann.post("register", event_types=["subscription"])
        await ann.post(
            "users/me/subscriptions/properties",
            subscription_data=[
                {"stream_id": made["id"], "property": "in_home_view", "value": False}
            ],
        )
        events = await ann.events(queue)
        assert [(e["property"], e["value"]) for e in events] == [
            ("in_home_view", False),
            ("is_muted", True),
        ]


async def test_an_archived_channel_goes_and_comes_back(tmp_path: Path) -> None:
    """Clients that do not know archived channels see one vanish, and return with my color."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        made = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        old = await ann.post("register", event_types=["subscription", "stream"])
        new = await ann.post(
            "register",
            event_types=["subscription", "stream"],
            client_capabilities={"archived_channels": True},
        )
        await ann.delete(f"streams/{made['id']}")
        again = await ann.delete(f"streams/{made['id']}")
        assert again["msg"] == "Channel is already deactivated"
        await ann.patch(f"streams/{made['id']}", is_archived=False)
        assert [(e["type"], e["op"]) for e in await ann.events(old)] == [
            ("stream", "delete"),
            ("stream", "create"),
            ("subscription", "add"),
        ]
        assert [(e["property"], e["value"]) for e in await ann.events(new)] == [
            ("is_archived", True),
            ("is_archived", False),
        ]


async def test_who_is_added_is_told_by_whom(tmp_path: Path) -> None:
    """Somebody who finds themselves in a new channel has a message that says who did it."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        queue = await bob.post("register", event_types=["message"], apply_markdown=True)
        answer = await ann.post(
            "users/me/subscriptions",
            subscriptions=[{"name": "den"}],
            principals=[ann.id, bob.id],
            invite_only=True,
        )
        assert answer["new_subscription_messages_sent"] is True
        (event,) = await bob.events(queue)
        assert "Ann" in event["message"]["content"]
        assert ">#den</a>" in event["message"]["content"]


async def test_a_change_is_told_with_old_and_new(tmp_path: Path) -> None:
    """A new name and a new permission reach all, and a stale idea of the old one is refused."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        made = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        queue = await bob.post("register", event_types=["stream"])
        path = f"streams/{made['id']}"
        await ann.patch(path, new_name="coffee", can_send_message_group={"new": 2, "old": 6})
        assert [(e["name"], e["property"], e["value"]) for e in await bob.events(queue)][:2] == [
            ("tea", "name", "coffee"),
            ("tea", "can_send_message_group", 2),
        ]
        refused = await bob.post("messages", type="channel", to="coffee", topic="t", content="x")
        assert refused["msg"] == "You do not have permission to post in this channel."
        stale = await ann.patch(path, can_send_message_group={"new": 3, "old": 6})
        assert stale["code"] == "EXPECTATION_MISMATCH"
        nobody = await bob.patch(path, new_name="mine")
        assert nobody["code"] == "UNAUTHORIZED_PRINCIPAL"
        own = await ann.patch(path, new_name="COFFEE")
        assert own["result"] == "success"


async def test_topics_are_muted_in_both_ways(tmp_path: Path) -> None:
    """Muting again changes nothing; clients that know the newer list are not told the older one."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        made = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        both = await ann.post("register", event_types=["user_topic", "muted_topics"])
        old = await ann.post("register", event_types=["muted_topics"])
        assert "muted_topics" not in both
        muted = "users/me/subscriptions/muted_topics"
        for _ in range(2):
            await ann.patch(muted, stream="tea", topic="Noise", op="add")
        (first,) = [e["muted_topics"] for e in await ann.events(old)]
        assert [row[:2] for row in first] == [["tea", "Noise"]]
        await ann.post("user_topics", stream_id=made["id"], topic="noise", visibility_policy=3)
        await ann.patch(muted, stream_id=made["id"], topic="noise", op="remove")
        assert [e["visibility_policy"] for e in await ann.events(both)] == [1, 3]
        assert [e["muted_topics"] for e in await ann.events(old)][-1] == []
        two = await ann.patch(muted, stream="tea", stream_id=made["id"], topic="x", op="add")
        assert two["msg"] == "Please choose one: 'stream' or 'stream_id'."
        none = await ann.patch(muted, topic="x", op="add")
        assert none["msg"] == "Please supply 'stream'."
        long = await ann.post(
            "user_topics", stream_id=made["id"], topic="n" * 61, visibility_policy=1
        )
        assert long["msg"] == "topic is too long (limit: 60 characters)"


async def test_folders_and_defaults_are_kept_by_administrators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An administrator sorts channels into folders and chooses where new people begin."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        made = await ann.post("channels/create", name="tea", subscribers=[ann.id])
        queue = await bob.post("register", event_types=["channel_folder", "default_streams"])
        first = (await ann.post("channel_folders/create", name="Drinks"))["channel_folder_id"]
        second = (await ann.post("channel_folders/create", name="Food"))["channel_folder_id"]
        assert "code" in await ann.post("channel_folders/create", name="FOOD")
        monkeypatch.setattr(channel_folders, "MAX_FOLDERS", 2)  # as many as `order` may list
        third = await ann.post("channel_folders/create", name="Third")
        assert third["msg"] == "There can be at most 2 channel folders."
        assert "code" in await bob.post("channel_folders/create", name="Mine")
        assert (await ann.patch("channel_folders", order=[first]))["msg"] == "Invalid order mapping"
        await ann.patch("channel_folders", order=[second, first])
        await ann.patch(f"streams/{made['id']}", folder_id=first)
        full = await ann.patch(f"channel_folders/{first}", is_archived=True)
        assert full["code"] == "BAD_REQUEST"
        await ann.patch(f"streams/{made['id']}", folder_id=None)
        await ann.patch(f"channel_folders/{first}", is_archived=True)
        await ann.post("default_streams", stream_id=made["id"])
        events = await bob.events(queue)
        assert [e.get("op") for e in events] == ["add", "add", "reorder", "update", None]
        assert events[-1]["default_streams"] == [made["id"]]
        listed = (await bob.get("channel_folders"))["channel_folders"]
        assert [folder["name"] for folder in listed] == ["Food"]


async def test_lists_hold_the_kinds_that_were_asked_for(tmp_path: Path) -> None:
    """A guest sees only where they are; a bot of mine sees also where I am."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.ADMINISTRATOR)
        gus = await server.person("Gus", role=Role.GUEST)
        await ann.post("channels/create", name="open", subscribers=[])
        await ann.post(
            "channels/create", name="den", subscribers=[ann.id, gus.id], invite_only=True
        )

        async def names(person: Person, **kinds: bool) -> list[str]:
            return [one["name"] for one in (await person.get("streams", **kinds))["streams"]]

        assert await names(gus) == ["den"]
        assert await names(gus, include_subscribed=False) == []
        assert await names(ann, include_public=False) == ["den"]
        assert await names(ann, include_subscribed=False) == ["open"]
        refused = await gus.get("streams", include_all_active=True)
        assert refused["msg"] == "User not authorized for this query"
        joined = await gus.post("users/me/subscriptions", subscriptions=[{"name": "open"}])
        assert joined["msg"] == "Unable to access channel (open)."
        mine = await gus.get("users/me/subscriptions", include_subscribers="true")
        assert mine["subscriptions"][0]["subscribers"] == [ann.id, gus.id]


async def test_what_the_organization_reserves_is_not_for_every_maker(tmp_path: Path) -> None:
    """Who makes a channel does not decide there who deletes messages, if moderators are to."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        made = await ann.post(
            "channels/create", name="tea", subscribers=[], can_delete_any_message_group=6
        )
        assert made["msg"] == "Insufficient permission"
        made = await ann.post("channels/create", name="tea", subscribers=[])
        path = f"streams/{made['id']}"
        refused = await ann.patch(path, can_delete_any_message_group={"new": 6})
        assert refused["msg"] == "Insufficient permission"
        assert (await ann.patch(path, topics_policy="disable_empty_topic"))["result"] == "success"


async def test_a_stranger_sees_no_channel(tmp_path: Path) -> None:
    """Where the organization is open to the web and no channel is, the first state has none."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        await ann.patch("realm", enable_spectator_access=True)
        await ann.post("channels/create", name="tea", subscribers=[ann.id])
        fetch = '["subscription", "stream", "default_streams", "drafts", "user_topic", "reminders"]'
        response = await server.client().post("register", data={"fetch_event_types": fetch})
        state = response.json()
        assert (state["result"], state["streams"], state["never_subscribed"]) == ("success", [], [])
