"""Channels over the wire: found, made, changed, archived."""

from pathlib import Path

from server_lite.store.users import Role
from tests.live import live


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
    """Clients that do not know archived channels see one vanish, and return with my colour."""
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
