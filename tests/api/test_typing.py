"""Typing over the wire: who is told that somebody writes, and who asked not to be."""

from pathlib import Path

import pytest

from tests.api.test_messages import say, two
from tests.api.test_users import mine
from tests.live import live

CAPABLE = {"stream_typing_notifications": True}


async def test_writing_to_somebody_is_told_to_both(tmp_path: Path) -> None:
    """The other one sees it, and so do the writer's own other clients; nobody else."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        eve = await server.person("Eve")
        queues = [await person.post("register") for person in (ann, bob, eve)]
        await ann.post("typing", op="start", to=[bob.id])
        told = [
            mine(await person.events(queue), "typing")
            for person, queue in zip((ann, bob, eve), queues, strict=True)
        ]
        start = {
            "op": "start",
            "message_type": "direct",
            "sender": {"user_id": ann.id, "email": "ann@example.com"},
            "recipients": [
                {"user_id": ann.id, "email": "ann@example.com"},
                {"user_id": bob.id, "email": "bob@example.com"},
            ],
        }
        assert told == [[start], [start], []]


async def test_writing_in_a_topic_is_told_to_clients_that_can_show_it(tmp_path: Path) -> None:
    """Old clients, and people who do not care, are left alone."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        new = await bob.post("register", client_capabilities=CAPABLE)
        old = await bob.post("register")
        await ann.post("typing", op="stop", type="stream", stream_id=1, topic="Tea")
        (told,) = mine(await bob.events(new), "typing")
        assert (told["op"], told["stream_id"], told["topic"]) == ("stop", 1, "Tea")
        assert mine(await bob.events(old), "typing") == []
        await bob.patch("settings", receives_typing_notifications=False)
        await ann.post("typing", op="start", type="channel", stream_id=1, topic="Tea")
        assert mine(await bob.events(new), "typing") == []


async def test_editing_is_told_with_its_message(tmp_path: Path) -> None:
    """While somebody edits a message of theirs, its readers can know; others cannot pretend."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        message = await say(ann, "tae", topic="Tea")
        queue = await bob.post("register", client_capabilities=CAPABLE)
        await ann.post(f"messages/{message}/typing", op="start")
        (told,) = mine(await bob.events(queue), "typing_edit_message")
        assert told == {
            "op": "start",
            "sender_id": ann.id,
            "message_id": message,
            "recipient": {"type": "channel", "channel_id": 1, "topic": "Tea"},
        }
        refused = await bob.post(f"messages/{message}/typing", op="start")
        assert refused["msg"] == "You don't have permission to edit this message"


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ({"to": [2]}, "Missing 'op' argument"),
        ({"op": "maybe", "to": [2]}, "Invalid op"),
        ({"op": "start"}, "Missing 'to' argument"),
        ({"op": "start", "to": []}, "Empty 'to' list"),
        ({"op": "start", "to": [999]}, "Invalid user ID 999"),
        ({"op": "start", "type": "stream", "topic": "x"}, "Missing channel ID"),
        ({"op": "start", "type": "stream", "stream_id": 1}, "Missing topic"),
        ({"op": "start", "type": "stream", "stream_id": 99, "topic": "x"}, "Invalid channel ID"),
    ],
)
async def test_what_is_wrong_is_named(
    tmp_path: Path, form: dict[str, object], message: str
) -> None:
    """Each missing or impossible part has its own words."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        answer = await ann.post("typing", **form)
        assert (answer["msg"], answer["status"]) == (message, 400)


async def test_who_does_not_tell_is_not_told_of(tmp_path: Path) -> None:
    """Somebody who switched it off sends nothing even when a client tries."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        await ann.patch("settings", send_private_typing_notifications=False)
        queue = await bob.post("register")
        answer = await ann.post("typing", op="start", to=[bob.id])
        assert answer["msg"] == "User has disabled typing notifications for direct messages"
        assert mine(await bob.events(queue), "typing") == []
