"""What scripts ask by path: everything that has no command of its own, and the ways of older clients."""

import json
from typing import Any

from tests.e2e.endpoints import uses
from tests.e2e.shell import Shell


@uses(
    "GET /users",
    "GET /users/{user_id}",
    "GET /users/{email}",
    "GET /users/{user_id}/status",
    "GET /users/{user_id_or_email}/presence",
    "GET /users/{user_id}/subscriptions/{stream_id}",
    "GET /realm/presence",
)
async def test_a_script_looks_people_up(shell: Shell) -> None:
    """Who they are, whether they are there, what they say and where they are."""
    ben, channel_id = shell.ben, shell.tea.channel_id
    await ben.post("users/me/presence", status="active", new_user_input=True)
    await ben.post("users/me/status", status_text="at lunch")
    names = {each["full_name"] for each in (await shell.asks("users"))["members"]}
    assert {"Ann", "Ben"} <= names
    for who in (str(ben.id), ben.email):
        assert (await shell.asks(f"users/{who}"))["user"]["full_name"] == "Ben"
        assert "aggregated" in (await shell.asks(f"users/{who}/presence"))["presence"]
    assert (await shell.asks(f"users/{ben.id}/status"))["status"]["status_text"] == "at lunch"
    answer = await shell.asks(f"users/{ben.id}/subscriptions/{channel_id}")
    assert answer["is_subscribed"] is True
    assert (await shell.asks("realm/presence"))["presences"]


@uses(
    "GET /streams",
    "GET /streams/{stream_id}",
    "GET /get_stream_id",
    "GET /users/me/subscriptions",
    "POST /users/me/subscriptions/{stream_id}",
)
async def test_a_script_looks_channels_up(shell: Shell) -> None:
    """By name and by number, those one is in and all of them; and it gives one a colour."""
    channel_id = shell.tea.channel_id
    assert (await shell.asks("get_stream_id", "stream=design"))["stream_id"] == channel_id
    assert (await shell.asks(f"streams/{channel_id}"))["stream"]["name"] == "design"
    assert "design" in {each["name"] for each in (await shell.asks("streams"))["streams"]}
    path = f"users/me/subscriptions/{channel_id}"
    await shell.asks("POST", path, "property=color", 'value="#76ce90"')
    mine = (await shell.asks("users/me/subscriptions"))["subscriptions"]
    assert [each["color"] for each in mine if each["stream_id"] == channel_id] == ["#76ce90"]


@uses("GET /export/realm/consents")
async def test_a_script_of_an_administrator_asks_who_agrees_to_an_export(shell: Shell) -> None:
    """Everybody is named, with yes or no."""
    consents = (await shell.asks("export/realm/consents"))["export_consents"]
    assert {each["user_id"]: each["consented"] for each in consents}[shell.ben.id] is False


@uses("PATCH /users/{email}")
async def test_a_script_of_an_administrator_names_people_by_address(shell: Shell) -> None:
    """A list of addresses from elsewhere is enough to put names right."""
    await shell.asks("PATCH", f"users/{shell.ben.email}", "full_name=Ben Bitdiddle")
    assert (await shell.ben.get("users/me"))["full_name"] == "Ben Bitdiddle"


@uses("GET /user_groups", "GET /user_groups/{user_group_id}/members/{user_id}")
async def test_a_script_looks_groups_up(shell: Shell) -> None:
    """Whether somebody belongs to the administrators."""
    groups = (await shell.asks("user_groups", "include_deactivated_groups=true"))["user_groups"]
    owners = next(each["id"] for each in groups if each["name"] == "role:owners")
    answer = await shell.asks(f"user_groups/{owners}/members/{shell.ben.id}")
    assert answer["is_user_group_member"] is False


@uses(
    "GET /drafts",
    "GET /scheduled_messages",
    "GET /reminders",
    "GET /saved_snippets",
    "GET /navigation_views",
)
async def test_a_script_saves_what_one_keeps(shell: Shell) -> None:
    """Drafts, what waits, reminders, snippets and views: all of it can be taken along."""
    draft = {"type": "", "to": [], "topic": "", "content": "milk"}
    await shell.ann.post("drafts", drafts=[draft])
    kept = {
        name: (await shell.asks(name))[name]
        for name in (
            "drafts",
            "scheduled_messages",
            "reminders",
            "saved_snippets",
            "navigation_views",
        )
    }
    assert [each["content"] for each in kept["drafts"]] == ["milk"]
    assert kept["reminders"] == []


@uses("GET /messages/matches_narrow", "POST /messages/render", "POST /messages/{message_id}/typing")
async def test_a_bot_tries_words_out(shell: Shell) -> None:
    """What a text will look like, whether a message is in a view, and that one is changing it."""
    html = (await shell.asks("POST", "messages/render", "content=*now*"))["rendered"]
    assert html == "<p><em>now</em></p>"
    sent = await shell.ann.post("messages", type="stream", to="design", topic="tea", content="hot")
    narrow = json.dumps([{"operator": "search", "operand": "hot"}])
    answer = await shell.asks(
        "messages/matches_narrow", f"msg_ids=[{sent['id']}]", f"narrow={narrow}"
    )
    assert list(answer["messages"]) == [str(sent["id"])]
    await shell.asks("POST", f"messages/{sent['id']}/typing", "op=start")


@uses(
    "POST /mark_all_as_read",
    "POST /mark_stream_as_read",
    "POST /mark_topic_as_read",
    "PATCH /users/me/subscriptions/muted_topics",
    "PATCH /settings/notifications",
)
async def test_what_was_written_for_older_servers_goes_on(shell: Shell) -> None:
    """A script of years ago marks as read, mutes and sets as ever."""
    channel = f"stream_id={shell.tea.channel_id}"
    await shell.asks("POST", "mark_topic_as_read", channel, "topic_name=tea")
    assert await unread(shell) == []
    await shell.asks("POST", "mark_stream_as_read", channel)
    assert (await shell.asks("POST", "mark_all_as_read"))["complete"] is True
    muting = ("users/me/subscriptions/muted_topics", channel, "topic=tea", "op=add")
    await shell.asks("PATCH", *muting)
    await shell.asks("PATCH", "settings/notifications", "enable_sounds=false")
    state = await shell.ann.post("register", fetch_event_types=["user_topic", "user_settings"])
    assert [each["visibility_policy"] for each in state["user_topics"]] == [1]
    assert state["user_settings"]["enable_sounds"] is False


async def unread(shell: Shell) -> list[Any]:
    """The conversations with something unread, from the command line."""
    return [json.loads(line) for line in (await shell.says("unread", "--json")).splitlines()]


@uses(
    "POST /users/me/android_push_reg_id",
    "DELETE /users/me/android_push_reg_id",
    "POST /users/me/apns_device_token",
    "DELETE /users/me/apns_device_token",
)
async def test_a_lost_phone_is_taken_off(shell: Shell) -> None:
    """The token of a phone is given and taken back; one that is not there is told."""
    phones = {"users/me/android_push_reg_id": (), "users/me/apns_device_token": ("appid=org.x",)}
    for path, more in phones.items():
        await shell.asks("POST", path, "token=abcd", *more)
        await shell.asks("DELETE", path, "token=abcd")
        assert "not exist" in await shell.refuses("api", "DELETE", path, "token=abcd")
