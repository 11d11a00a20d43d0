"""Settings of the organization over the wire: who changes them, what is refused, who is told."""

from pathlib import Path
from typing import Any

import pytest

from server_lite.store.users import Role
from tests.api.test_users import mine
from tests.live import live


async def test_changes_are_told_to_all_and_kept(tmp_path: Path) -> None:
    """Whoever listens ends at what register says, older names of a setting included."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        gus = await server.person("Gus", role=Role.GUEST)
        state = await gus.post("register", fetch_event_types=["realm"])
        await ann.patch(
            "realm",
            name=" Golden ",
            message_content_edit_limit_seconds="unlimited",
            topics_policy="disable_empty_topic",
            can_create_public_channel_group={"new": 2, "old": 5},
            can_invite_users_group={
                "new": {"direct_members": [ann.id], "direct_subgroups": [2]},
            },
        )
        ((told),) = mine(await gus.events(state), "realm")
        changed = {f"realm_{name}": value for name, value in told["data"].items()}
        assert changed["realm_mandatory_topics"] is True
        fresh = await gus.post("register", fetch_event_types=["realm"])
        stays = {"queue_id", "last_event_id"}
        expected = {name: v for name, v in (state | changed).items() if name not in stays}
        assert {name: v for name, v in fresh.items() if name not in stays} == expected
        assert fresh["realm_name"] == "Golden"
        assert fresh["realm_message_content_edit_limit_seconds"] is None


async def test_the_address_of_calls_is_taken_bare_and_as_json(tmp_path: Path) -> None:
    """Clients of full servers put it into quotation marks; `default` is the server's own choice."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        for sent, kept in (
            ("https://a.example", "https://a.example"),
            ('"https://b.example"', "https://b.example"),
            ('"default"', None),
        ):
            answer = await ann.patch("realm", jitsi_server_url=sent)
            assert answer["result"] == "success", answer
            state = await ann.post("register", fetch_event_types=["realm"])
            assert state["realm_jitsi_server_url"] == kept
            assert state["jitsi_server_url"] == (kept or "")  # the older name is text, never null


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": "  "}, "Invalid name"),
        ({"name": "x" * 41}, "Invalid name"),
        ({"digest_weekday": 9}, "Invalid digest_weekday"),
        ({"waiting_period_threshold": -1}, "Invalid waiting_period_threshold"),
        ({"new_stream_announcements_stream_id": 99}, "Invalid channel ID"),
        ({"can_create_groups": {"new": 999}}, "Invalid user group ID: 999"),
        (
            {"can_create_groups": {"new": 2**63}},
            "can_create_groups holds a number that is too large",
        ),
        (
            {"can_create_groups": {"new": 6}},
            "'can_create_groups' setting cannot be set to 'role:everyone' group.",
        ),
        (
            {"can_create_groups": {"new": 2, "old": 3}},
            "'old' value does not match the expected value.",
        ),
        (
            {"can_create_groups": {"new": {"direct_members": [99], "direct_subgroups": []}}},
            "Invalid user ID: 99",
        ),
    ],
)
async def test_a_bad_value_changes_nothing(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    """One bad value among good ones is named, and none of them is taken."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        queue = await ann.post("register")
        answer = await ann.patch("realm", description="new", **change)
        assert (answer["msg"], answer["status"]) == (message, 400)
        assert await ann.events(queue) == []


async def test_some_settings_are_the_owners_alone(tmp_path: Path) -> None:
    """Administrators change much, owners all, members nothing."""
    async with live(tmp_path) as server:
        await server.person("Ann", role=Role.OWNER)
        adam = await server.person("Adam", role=Role.ADMINISTRATOR)
        bob = await server.person("Bob")
        assert (await adam.patch("realm", description="x"))["result"] == "success"
        for answer in (
            await adam.patch("realm", invite_required=False),
            await bob.patch("realm", description="y"),
        ):
            assert answer["code"] == "UNAUTHORIZED_PRINCIPAL"
        state = await bob.post("register", fetch_event_types=["realm"])
        assert (state["realm_description"], state["realm_invite_required"]) == ("x", True)
