"""Presence and statuses over the wire: who is here, in which form, and who is told when."""

from pathlib import Path

import pytest

from server_lite.cli.arguments import parser
from server_lite.store.users import Role
from tests.api.test_users import mine
from tests.live import live


async def test_only_coming_back_is_told_at_once(tmp_path: Path) -> None:
    """Others hear when somebody arrives, be it idle, and not every minute that they are still there."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        modern = await ann.post(
            "register",
            event_types=["presence"],
            client_capabilities={"simplified_presence_events": True},
        )
        legacy = await ann.post("register", event_types=["presence"])
        slim = await ann.post("register", event_types=["presence"], slim_presence=True)
        await bob.post("users/me/presence", status="idle", ping_only=True)
        await bob.post("users/me/presence", status="active", ping_only=True)
        await bob.post("users/me/presence", status="active", ping_only=True)
        for told in mine(await ann.events(modern), "presence"):
            assert list(told) == ["presences"]
            assert list(told["presences"]) == [str(bob.id)]
        (_, told) = mine(await ann.events(legacy), "presence")
        assert (told["user_id"], told["email"]) == (bob.id, "bob@example.com")
        (idle, told) = mine(await ann.events(slim), "presence")
        assert idle["presence"]["website"]["status"] == "idle"
        assert "email" not in told
        assert told["presence"]["website"]["status"] == "active"


async def test_asking_again_returns_only_what_is_new(tmp_path: Path) -> None:
    """A client that says what it has is spared the rest."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        await bob.post("users/me/presence", status="active", ping_only=True)
        first = await ann.post("users/me/presence", status="active", last_update_id=-1)
        assert sorted(first["presences"]) == [str(ann.id), str(bob.id)]
        last = first["presence_last_update_id"]
        again = await ann.post("users/me/presence", status="active", last_update_id=last)
        assert list(again["presences"]) == [str(ann.id)]
        assert again["presence_last_update_id"] > last


async def test_the_old_forms_are_by_address(tmp_path: Path) -> None:
    """Programs from before ids find people by address, in two equal entries."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        await bob.post("users/me/presence", status="active")
        everybody = (await ann.get("realm/presence"))["presences"]
        website = everybody["bob@example.com"]["website"]
        assert website | {"pushable": False} == website
        assert everybody["bob@example.com"]["aggregated"] == {
            name: value for name, value in website.items() if name != "pushable"
        }
        one = await ann.get("users/bob@example.com/presence")
        assert one["presence"]["aggregated"]["status"] == "active"
        assert (await ann.get(f"users/{ann.id}/presence"))["msg"] == (
            f"No presence data for {ann.id}"
        )


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"status": "busy"}, "Invalid status: busy"),
        ({}, "Missing 'status' argument"),
        (
            {"status": "idle", "history_limit_days": -1},
            "history_limit_days is not between 0 and 36500",
        ),
    ],
)
async def test_a_bad_report_is_refused(
    tmp_path: Path, form: dict[str, object], message: str
) -> None:
    """What is wrong with a report is named."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        answer = await ann.post("users/me/presence", **form)
        assert (answer["msg"], answer["status"]) == (message, 400)


async def test_a_status_is_said_told_and_taken_back(tmp_path: Path) -> None:
    """A few words and an emoji are told as they change, and gone when they are emptied."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        bob = await server.person("Bob")
        queue = await ann.post("register", event_types=["user_status"])
        await bob.post("users/me/status", status_text=" out for tea ", emoji_name="tea")
        said = {
            "status_text": "out for tea",
            "emoji_name": "tea",
            "emoji_code": "1f375",
            "reaction_type": "unicode_emoji",
        }
        assert (await ann.get(f"users/{bob.id}/status"))["status"] == said
        await bob.post("users/me/status", emoji_name="", status_text="")
        told = mine(await ann.events(queue), "user_status")
        assert told == [
            {"user_id": bob.id, **said},
            {"user_id": bob.id, **dict.fromkeys(said, ""), "reaction_type": "unicode_emoji"},
        ]
        assert (await ann.get(f"users/{bob.id}/status"))["status"] == {}


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({}, "Client did not pass any new values."),
        ({"status_text": "x" * 61}, "status_text is too long (limit: 60 characters)"),
        (
            {"emoji_code": "1f375"},
            "Client must pass emoji_name if they pass either emoji_code or reaction_type.",
        ),
        ({"emoji_name": "no_such"}, "Emoji 'no_such' does not exist"),
    ],
)
async def test_a_bad_status_is_refused(
    tmp_path: Path, form: dict[str, object], message: str
) -> None:
    """What is wrong with a status is named, and the old one stays."""
    async with live(tmp_path) as server:
        ann = await server.person("Ann")
        await ann.post("users/me/status", status_text="here")
        answer = await ann.post("users/me/status", **form)
        assert (answer["msg"], answer["status"]) == (message, 400)
        assert (await ann.get(f"users/{ann.id}/status"))["status"] == {"status_text": "here"}


@pytest.mark.parametrize("options", [[], ["--presence-for-everybody"]])
async def test_the_servers_owner_decides_whose_presence_a_guest_sees(
    tmp_path: Path, options: list[str]
) -> None:
    """A guest who knows nobody sees no presence but their own, or that of others without a name."""
    started = parser().parse_args(["serve", "--db", "x", *options])
    limited = not started.presence_for_everybody
    async with live(tmp_path, limits_presence=limited) as server:
        ann = await server.person("Ann", role=Role.OWNER)
        gus = await server.person("Gus", role=Role.GUEST)
        await ann.patch("realm", can_access_all_users_group={"new": 5})
        for one in (ann, gus):
            await one.post("users/me/presence", status="active")
        presences = (await gus.get("realm/presence"))["presences"]
        state = await gus.post("register", fetch_event_types=["presence"], slim_presence=True)
    hidden = f"user{ann.id}@chinwag.local"
    assert sorted(presences) == sorted({gus.email} | (set() if limited else {hidden}))
    assert (str(ann.id) in state["presences"]) == (not limited)
    assert ann.email not in str((presences, state))
