"""What scripts ask by path: everything that has no command of its own, and the ways of older clients."""

import json
from typing import Any

from tests.e2e.endpoints import uses
from tests.e2e.shell import Shell


@uses(
    "GET /realm/presence",
    "GET /streams",
    "GET /users/me/subscriptions",
    "POST /users/me/subscriptions/{stream_id}",
)
async def test_a_script_takes_whole_lists(shell: Shell) -> None:
    """Who is there, all channels, and those one is in; and it gives one a color."""
    await shell.ben.post("users/me/presence", status="active", new_user_input=True)
    assert (await shell.asks("realm/presence"))["presences"]
    assert "design" in {each["name"] for each in (await shell.asks("streams"))["streams"]}
    path = f"users/me/subscriptions/{shell.tea.channel_id}"
    await shell.asks("POST", path, "property=color", 'value="#76ce90"')
    mine = (await shell.asks("users/me/subscriptions"))["subscriptions"]
    assert [each["color"] for each in mine if each["name"] == "design"] == ["#76ce90"]


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


@uses("GET /messages/matches_narrow", "POST /messages/{message_id}/typing")
async def test_a_bot_looks_and_changes(shell: Shell) -> None:
    """Whether a message is in a view, and that one is changing it."""
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
    for kind in ((), ("--apple", "org.x")):
        assert await shell.says("push", "abcd", *kind) == ""
        assert await shell.says("push", "abcd", "--remove", *kind) == ""
        assert "not exist" in await shell.refuses("push", "abcd", "--remove", *kind)
