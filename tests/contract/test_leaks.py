"""Ways by which people were told of what they may not see, each found by the oracle once."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.contract.in_memory_server import InMemoryServer, Person
from tests.contract.traced_server import Template, found_marked_town


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Template:
    """Founded once."""
    return found_marked_town(tmp_path_factory.mktemp("town") / "template.db")


@pytest.fixture
async def town(template: Template) -> AsyncIterator[InMemoryServer]:
    """People of all roles; the guests know only whom they share a place with."""
    town = template.town()
    members = template.groups["role:members"]
    changed = await town.people[0].patch("realm", can_access_all_users_group={"new": members})
    assert changed["status"] == 200, changed
    yield town
    town.close()


async def channel(maker: Person, name: str, *people: Person, **kind: Any) -> int:
    """A new channel with its maker and these people in it."""
    everybody = [maker.id, *(person.id for person in people)]
    made = await maker.post("channels/create", name=name, subscribers=everybody, **kind)
    number: int = made["id"]
    return number


async def say(person: Person, where: int, content: str) -> int:
    """A message to a channel."""
    sent = await person.post("messages", type="stream", to=where, topic="tea", content=content)
    number: int = sent["id"]
    return number


async def heard(person: Person, queue: dict[str, Any]) -> list[dict[str, Any]]:
    """What a queue tells."""
    answer = await person.get("events", **{key: queue[key] for key in QUEUE}, dont_block=True)
    events: list[dict[str, Any]] = answer["events"]
    return events


QUEUE = ("queue_id", "last_event_id")


async def test_a_guest_reads_a_stranger_without_a_name(town: InMemoryServer) -> None:
    """A guest who knows some people only reads what a stranger says, not who that is."""
    mary, adam, gina = town.people[3], town.people[4], town.people[5]
    where = await channel(mary, "zqopen", gina)
    queue = await gina.post("register", event_types=["message"])
    message_id = await say(adam, where, "hello")
    (event,) = await heard(gina, queue)
    fetched = (await gina.get(f"messages/{message_id}"))["message"]
    for message in (event["message"], fetched):
        assert message["sender_full_name"] == "Unknown user"
        assert adam.email not in str(message)
    assert (await mary.get(f"messages/{message_id}"))["message"]["sender_full_name"] == adam.name


async def test_a_guest_cannot_write_to_a_stranger(town: InMemoryServer) -> None:
    """Whom a guest does not know is to them as somebody who does not exist."""
    adam, gina = town.people[4], town.people[5]
    answers = [
        await gina.post("messages", type="direct", to=[number], content="who are you?")
        for number in (adam.id, 53000900)
    ]
    assert [answer["msg"] for answer in answers] == [
        f"Invalid user ID {adam.id}",
        "Invalid user ID 53000900",
    ]


async def test_a_message_brings_no_name_from_a_hidden_channel(town: InMemoryServer) -> None:
    """Who gets a message that was moved from a channel they cannot see is not told its name."""
    mary, adam, gina = town.people[3:6]
    hidden = await channel(mary, "zqhidden", adam, invite_only=True)
    seen = await channel(mary, "zqseen", adam, gina)
    message_id = await say(mary, hidden, "for all")
    queues = {one.id: await one.post("register") for one in (adam, gina)}
    await mary.patch(
        f"messages/{message_id}", stream_id=seen, send_notification_to_new_thread=False
    )
    told = {one.id: str(await heard(one, queues[one.id])) for one in (adam, gina)}
    assert f"'new_stream_id': {seen}" in told[gina.id]
    assert "zqhidden" not in told[gina.id]
    assert "zqhidden" in told[adam.id]


async def test_what_a_protected_history_hides_is_not_unread(town: InMemoryServer) -> None:
    """Messages that a change of the channel hides from me are gone from what I have not read."""
    mary, adam = town.people[3], town.people[4]
    where = await channel(mary, "zqopen")
    message_id = await say(mary, where, "before")
    await adam.post("users/me/subscriptions", subscriptions=[{"name": "zqopen"}])
    await adam.post("messages/flags", messages=[message_id], op="remove", flag="read")
    queue = await adam.post("register", event_types=["update_message_flags"])
    await mary.patch(f"streams/{where}", is_private=True, history_public_to_subscribers=False)
    assert (await adam.get(f"messages/{message_id}"))["status"] == 400
    (event,) = await heard(adam, queue)
    assert (event["op"], event["flag"], event["messages"]) == ("add", "read", [message_id])
    unread = (await adam.post("register"))["unread_msgs"]["streams"]
    assert where not in {one["stream_id"] for one in unread}


async def test_what_moved_to_where_i_am_not_is_not_unread(town: InMemoryServer) -> None:
    """A message moved to a channel that I am not in is read; that channel can be closed to me later."""
    mary, adam = town.people[3], town.people[4]
    where = await channel(mary, "zqhome", adam)
    elsewhere = await channel(mary, "zqelsewhere")
    message_id = await say(mary, where, "for all")
    queue = await adam.post("register", event_types=["update_message_flags"])
    await mary.patch(
        f"messages/{message_id}", stream_id=elsewhere, send_notification_to_new_thread=False
    )
    (event,) = await heard(adam, queue)
    assert (event["op"], event["flag"], event["messages"]) == ("add", "read", [message_id])
    await mary.patch(f"streams/{elsewhere}", is_private=True)
    assert (await adam.post("register"))["unread_msgs"]["streams"] == []


async def test_what_moved_out_of_reach_while_i_was_away_is_not_unread(town: InMemoryServer) -> None:
    """A message that moved to before I joined there, while my account was closed, would be unread for ever."""
    olga, mary, adam = town.people[0], town.people[3], town.people[4]
    where = await channel(mary, "zqhome", adam)
    message_id = await say(mary, where, "for all")
    there = await channel(mary, "zqprotected", adam, invite_only=True)
    assert (await olga.delete(f"users/{adam.id}"))["status"] == 200
    await mary.patch(f"messages/{message_id}", stream_id=there)
    assert (await olga.post(f"users/{adam.id}/reactivate"))["status"] == 200
    town.give_keys_back()
    assert (await adam.get(f"messages/{message_id}"))["status"] == 400
    unread = (await adam.post("register"))["unread_msgs"]["streams"]
    assert message_id not in [one for place in unread for one in place["unread_message_ids"]]


async def test_an_edit_is_not_told_to_those_who_left(town: InMemoryServer) -> None:
    """Who was mentioned in a private channel, and left it, is not told that the mention is gone."""
    mary, adam = town.people[3], town.people[4]
    where = await channel(mary, "zqclosed", adam, invite_only=True)
    message_id = await say(mary, where, f"@**{adam.name}** look")
    await adam.delete("users/me/subscriptions", subscriptions=["zqclosed"])
    queue = await adam.post("register", event_types=["update_message", "update_message_flags"])
    await mary.patch(f"messages/{message_id}", content="never mind")
    assert await heard(adam, queue) == []


async def test_who_is_writing_is_told_to_those_who_know_them(town: InMemoryServer) -> None:
    """A guest hears nothing of somebody they do not know, not even that they are writing."""
    mary, adam, gina = town.people[3:6]
    where = await channel(mary, "zqopen", gina)
    capable = {"stream_typing_notifications": True}
    asked = {"event_types": ["typing"], "client_capabilities": capable}
    queues = {one.id: await one.post("register", **asked) for one in (mary, gina)}
    for place in (
        {"type": "stream", "stream_id": where, "topic": "tea"},
        {"type": "direct", "to": [mary.id, gina.id]},
    ):
        started = await adam.post("typing", op="start", **place)
        assert started["status"] == 200, started
    assert len(await heard(mary, queues[mary.id])) == 2
    assert await heard(gina, queues[gina.id]) == []


async def test_my_files_do_not_count_hidden_messages(town: InMemoryServer) -> None:
    """The list of my files names only messages that I may still read."""
    mary, adam = town.people[3], town.people[4]
    where = await channel(mary, "zqhidden", adam, invite_only=True)
    uploaded = await adam.upload("user_uploads", "plan.png", b"a plan")
    message_id = await say(adam, where, f"[plan]({uploaded['url']})")
    (file,) = (await adam.get("attachments"))["attachments"]
    assert file["message_ids"] == [message_id]
    await mary.delete("users/me/subscriptions", subscriptions=["zqhidden"], principals=[adam.id])
    (file,) = (await adam.get("attachments"))["attachments"]
    assert file["message_ids"] == []
