"""Reading without an account: what is open to the web, and nothing beside it."""

from pathlib import Path
from typing import Any

import pytest

from server_lite.store.users import Role
from tests.live import Live, Person, encoded, live

WEB: list[list[Any]] = [["channels", "web-public"]]


async def opened(server: Live) -> tuple[Person, int, dict[str, int]]:
    """An owner, a web-public channel, and a message in each kind of place."""
    root = await server.person("Root", role=Role.OWNER)
    await root.patch("realm", enable_spectator_access=True)
    sent = {}
    channel = 0
    for name, kind in (("open", {"is_web_public": True}), ("inside", {})):
        made = await root.post("channels/create", name=name, subscribers=[root.id], **kind)
        channel = channel or made["id"]
        answer = await root.post(
            "messages", type="stream", to=made["id"], topic=f"of {name}", content=f"tea {name}"
        )
        sent[name] = answer["id"]
    answer = await root.post("messages", type="direct", to=[root.id], content="tea alone")
    return root, channel, sent | {"direct": answer["id"]}


async def ask(server: Live, path: str, **parameters: Any) -> dict[str, Any]:
    """A GET of somebody who has not signed in."""
    response = await server.client().get(path, params=encoded(parameters))
    answer: dict[str, Any] = response.json()
    return {"status": response.status_code, **answer}


async def test_before_signing_in_one_is_told_whether_there_is_something_to_read(
    tmp_path: Path,
) -> None:
    """The first thing a client asks says whether it can offer to look around without an account."""
    async with live(tmp_path) as server:
        before = await ask(server, "server_settings")
        await opened(server)
        after = await ask(server, "server_settings")
    name = "realm_web_public_access_enabled"
    assert (before[name], after[name]) == (False, True)


async def test_a_stranger_reads_what_is_open_to_the_web(tmp_path: Path) -> None:
    """Without an account I read, search and look up web-public channels, and see nobody's address."""
    async with live(tmp_path) as server:
        root, channel, sent = await opened(server)
        newest = {"anchor": "newest", "num_before": 50, "num_after": 0}
        for narrow in (
            WEB,
            [*WEB, ["search", "tea"]],
            [*WEB, ["channel", channel], ["topic", "of open"]],
            [*WEB, ["sender", root.id]],
            [*WEB, ["with", sent["open"]]],
        ):
            answer = await ask(server, "messages", narrow=narrow, **newest)
            ids = [one["id"] for one in answer["messages"]]
            assert sent["open"] in ids, (narrow, answer)
            assert not {sent["inside"], sent["direct"]} & {*ids}
            assert root.email not in str(answer)
        by_id = await ask(server, f"messages/{sent['open']}")
        assert by_id["raw_content"] == "tea open"
        matching = await ask(
            server, "messages/matches_narrow", msg_ids=[*sent.values()], narrow=WEB
        )
        assert [*matching["messages"]] == [str(sent["open"])]
        topics = (await ask(server, f"users/me/{channel}/topics"))["topics"]
        assert [one["name"] for one in topics if one["max_id"] == sent["open"]] == ["of open"]
        streams = (await ask(server, "streams", include_web_public=True))["streams"]
        assert [one["name"] for one in streams] == ["open"]
        person = (await ask(server, f"users/{root.id}"))["user"]
        listed = (await ask(server, "users"))["members"]
        assert person in listed
        assert (person["full_name"], person["delivery_email"], person["timezone"]) == (
            "Root",
            None,
            "",
        )
        assert root.email not in str(listed)


@pytest.mark.parametrize(
    "narrow",
    [
        [],
        [["channels", "public"]],
        [{"operator": "channels", "operand": "web-public", "negated": True}],
        [*WEB, ["is", "dm"]],
        [*WEB, ["dm", [2]]],
        [*WEB, ["is", "starred"]],
    ],
)
async def test_a_stranger_asks_for_nothing_else(tmp_path: Path, narrow: list[Any]) -> None:
    """A narrow that is not of web-public channels, or is somebody's own, wants an account."""
    async with live(tmp_path) as server:
        _, _, sent = await opened(server)
        asked: dict[str, Any] = {"anchor": "newest", "num_before": 9, "num_after": 0}
        for more in (asked, {"message_ids": [*sent.values()]}):
            answer = await ask(server, "messages", narrow=narrow, **more)
            assert (answer["status"], answer["code"]) == (401, "UNAUTHORIZED")
        for message in (sent["inside"], sent["direct"], 999_999):
            hidden = await ask(server, f"messages/{message}")
            assert (hidden["status"], hidden["msg"]) == (400, "Invalid message(s)")


async def test_a_stranger_is_told_of_nobodys_habits(tmp_path: Path) -> None:
    """The first state without an account: no presence, groups, profiles, addresses, hidden channels."""
    async with live(tmp_path) as server:
        root, channel, _ = await opened(server)
        await root.post("users/me/presence", status="active")
        await root.post("users/me/status", status_text="at the zq1z sea")
        await root.post("user_groups/create", name="zq2z", description="", members=[root.id])
        await root.post("realm/profile_fields", name="zq3z", field_type=1)
        await root.post("realm/domains", domain="zq4z.example", allow_subdomains=False)
        await root.post("channel_folders/create", name="zq5z", description="")
        await root.post("realm/filters", pattern="zq6z(?P<n>[0-9]+)", url_template="https://x/{n}")
        await root.patch("settings", timezone="Europe/Berlin")
        listed = (await root.get("streams"))["streams"]
        inside = next(one["stream_id"] for one in listed if one["name"] == "inside")
        await root.patch("realm", moderation_request_channel_id=inside)
        form = encoded({"client_capabilities": {"linkifier_url_template": True}})
        state = (await server.client().post("register", data=form)).json()
        assert state["result"] == "success"
        assert [one["stream_id"] for one in state["streams"]] == [channel]
        assert state["presences"] == state["user_status"] == {}
        assert not any(group["members"] for group in state["realm_user_groups"])
        assert state["realm_moderation_request_channel_id"] == -1
        for secret in (root.email, "zq", "Berlin"):
            assert secret not in str(state), secret


async def test_where_nothing_is_open_a_stranger_learns_nothing(tmp_path: Path) -> None:
    """Unless the owner opened the organization to the web, every door wants an account."""
    async with live(tmp_path) as server:
        root, channel, sent = await opened(server)
        file = {"file": ("a.txt", b"secret", "text/plain")}
        url = (await root.http.post("user_uploads", files=file)).json()["url"]
        await root.post("messages", type="stream", to=channel, topic="f", content=f"[a]({url})")
        assert (await server.client().get(f"{server.url}{url}")).text == "secret"
        await root.patch("realm", enable_spectator_access=False)
        for path in (
            f"messages?anchor=newest&num_before=9&num_after=0&narrow={encoded({'n': WEB})['n']}",
            f"messages/{sent['open']}",
            f"messages/matches_narrow?msg_ids=[{sent['open']}]&narrow={encoded({'n': WEB})['n']}",
            "users",
            f"users/{root.id}",
            "streams",
            f"streams/{channel}",
            f"users/me/{channel}/topics",
        ):
            answer = await server.client().get(path)
            assert (answer.status_code, answer.json()["code"]) == (401, "UNAUTHORIZED"), path
        assert (await server.client().post("register")).status_code == 401
        assert (await server.client().get(f"{server.url}{url}")).status_code == 403


async def test_a_stranger_sees_the_addresses_of_bots_alone(tmp_path: Path) -> None:
    """`delivery_email` of a bot is always real; nobody reads mail there. That of people is not told."""
    async with live(tmp_path) as server:
        root, _, _ = await opened(server)
        bot = (await root.post("bots", full_name="Robo", short_name="robo"))["user_id"]
        real = (await root.get(f"users/{bot}"))["user"]["delivery_email"]
        listed = (await ask(server, "users"))["members"]
        state = await server.client().post("register", data={"fetch_event_types": '["realm_user"]'})
        for members in (listed, state.json()["realm_users"]):
            told = {one["user_id"]: one["delivery_email"] for one in members}
            assert (told[bot], told[root.id]) == (real, None)
