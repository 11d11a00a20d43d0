"""Editing, moving, deleting over the wire: what changes, for whom, and who may."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

from server_lite.store.users import Role
from tests.api.test_messages import history, say, two
from tests.live import Person, live


async def shown(person: Person, message_id: int) -> dict[str, Any]:
    """One message as the person sees it now."""
    message: dict[str, Any] = (await person.get(f"messages/{message_id}"))["message"]
    return message


@pytest.mark.parametrize("policy", ["moves", "none"])
async def test_what_was_said_before_is_not_told_where_history_is_hidden(
    tmp_path: Path, policy: str
) -> None:
    """Where the organization hides edits, my client is told of one without the words before it."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        root = await server.person("Root", role=Role.OWNER)
        await root.patch("realm", message_edit_history_visibility_policy=policy)
        sent = await say(ann, "helo")
        queue = await bob.post("register", event_types=["update_message"])
        await ann.patch(f"messages/{sent}", content="hello")
        (event,) = await bob.events(queue)
        assert (event["orig_content"], event["orig_rendered_content"]) == ("", "")
        assert event["content"] == "hello"


async def test_an_edit_reaches_readers_and_is_remembered(tmp_path: Path) -> None:
    """The new text arrives, the old one is in the history, and search finds only the new one."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann, "helo")
        queue = await bob.post("register", event_types=["update_message"])
        digest = hashlib.sha256(b"helo").hexdigest()
        await ann.patch(f"messages/{sent}", content="hello", prev_content_sha256=digest)
        (event,) = await bob.events(queue)
        assert (event["orig_content"], event["content"]) == ("helo", "hello")
        assert event["rendered_content"] == "<p>hello</p>"
        assert (event["message_ids"], event["flags"], event["user_id"]) == ([sent], [], ann.id)
        assert "subject" not in event
        message = await shown(bob, sent)
        assert message["edit_history"][0]["prev_content"] == "helo"
        assert message["last_edit_timestamp"] == event["edit_timestamp"]
        states = (await bob.get(f"messages/{sent}/history"))["message_history"]
        assert [state["content"] for state in states] == ["helo", "hello"]
        assert ">hello</span>" in states[1]["content_html_diff"]
        assert await history(bob, narrow=[["search", "helo"]]) == []
        stale = await ann.patch(f"messages/{sent}", content="x", prev_content_sha256=digest)
        assert stale["code"] == "EXPECTATION_MISMATCH"


async def test_an_edit_moves_mentions(tmp_path: Path) -> None:
    """Who is mentioned by an edit is told, and who no longer is as well."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann, "hello")
        queue = await bob.post("register", event_types=["update_message_flags"])
        await ann.patch(f"messages/{sent}", content="hello @**Bob**")
        assert (await shown(bob, sent))["flags"] == ["mentioned"]
        await ann.patch(f"messages/{sent}", content="hello @**Ann**")
        assert (await shown(bob, sent))["flags"] == []
        assert [(e["op"], e["flag"], e["messages"]) for e in await bob.events(queue)] == [
            ("add", "mentioned", [sent]),
            ("remove", "mentioned", [sent]),
        ]


async def test_only_ones_own_text_can_be_changed(tmp_path: Path) -> None:
    """Nobody puts words into my mouth, and an emptied message says so."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        owner = await server.person("Olga", role=Role.OWNER)
        sent = await say(ann)
        for other in (bob, owner):
            refused = await other.patch(f"messages/{sent}", content="hax")
            assert refused["msg"] == "You don't have permission to edit this message"
        assert (await ann.patch("messages/999", content="x"))["msg"] == "Invalid message(s)"
        await ann.patch(f"messages/{sent}", content="")
        assert (await shown(bob, sent))["content"] == "<p>(deleted)</p>"
        null = await ann.patch(f"messages/{sent}", content="null")
        assert null["result"] == "success"
        assert (await shown(bob, sent))["content"] == "<p>null</p>"


async def test_a_topic_is_renamed_with_all_its_messages(tmp_path: Path) -> None:
    """Resolving moves everything, says so in the topic, and is no move in the message's record."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = [await say(ann, str(n)) for n in range(3)]
        queue = await bob.post("register", event_types=["update_message", "message"])
        await bob.patch(f"messages/{ids[1]}", topic="✔ tea", propagate_mode="change_all")
        moved, notice = await bob.events(queue)
        assert (moved["orig_subject"], moved["subject"]) == ("tea", "✔ tea")
        assert (moved["message_ids"], moved["propagate_mode"]) == (ids, "change_all")
        assert "has marked this topic as resolved" in notice["message"]["content"]
        messages = await history(ann, narrow=[["is", "resolved"]])
        assert [one["id"] for one in messages] == [*ids, notice["message"]["id"]]
        assert "last_moved_timestamp" not in messages[0]
        assert messages[0]["edit_history"][0]["prev_topic"] == "tea"
        messages = await history(ann, narrow=[["search", "tea"]])
        assert len(messages) == 4


async def test_the_flags_of_a_move_are_those_of_the_message_that_was_requested(
    tmp_path: Path,
) -> None:
    """A full server sends no others: the rest of the messages keep what the client knows of them."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        first, second = [await say(ann, text, topic="tea") for text in ("1", "2")]
        for flag in ("read", "starred"):
            await bob.post("messages/flags", messages=[first], op="add", flag=flag)
        queue = await bob.post("register", event_types=["update_message"])
        for asked, topic in ((first, "cake"), (second, "milk")):
            form = {"topic": topic, "propagate_mode": "change_all"}
            await ann.patch(f"messages/{asked}", send_notification_to_new_thread=False, **form)
        events = await bob.events(queue)
        assert [one["message_ids"] for one in events] == [[first, second]] * 2
        assert [(one["message_id"], one["flags"]) for one in events] == [
            (first, ["read", "starred"]),
            (second, []),
        ]


async def test_later_messages_alone_can_be_moved(tmp_path: Path) -> None:
    """A conversation that drifted is split where it drifted, with a word in both places."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        ids = [await say(ann, str(n)) for n in range(3)]
        await ann.patch(
            f"messages/{ids[1]}",
            topic="coffee",
            propagate_mode="change_later",
            send_notification_to_old_thread=True,
        )
        coffee = await history(ann, narrow=[["topic", "coffee"]])
        tea = await history(ann, narrow=[["topic", "tea"]])
        assert [one["id"] for one in coffee][:2] == ids[1:]
        assert "2 messages were moved here from" in coffee[2]["content"]
        assert "2 messages were moved from this topic to" in tea[1]["content"]
        assert "last_moved_timestamp" in coffee[0]


async def test_a_move_out_of_sight_is_a_deletion(tmp_path: Path) -> None:
    """A message moved into a private channel is gone for who is not in it, and leaves no unread."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        secret = await ann.post(
            "channels/create", name="secret", subscribers=[ann.id], invite_only=True
        )
        sent = await say(ann, "@**Bob** hi")
        queue = await bob.post("register", event_types=["delete_message", "update_message"])
        mine = await ann.post("register", event_types=["delete_message", "update_message"])
        await ann.patch(f"messages/{sent}", stream_id=secret["id"])
        (gone,) = await bob.events(queue)
        assert (gone["type"], gone["message_id"]) == ("delete_message", sent)
        (moved,) = await ann.events(mine)
        assert (moved["stream_id"], moved["new_stream_id"]) == (1, secret["id"])
        assert (await bob.get(f"messages/{sent}"))["msg"] == "Invalid message(s)"
        state = await bob.post("register", fetch_event_types=["message", "update_message_flags"])
        assert state["unread_msgs"]["count"] == 0


async def test_edits_that_mean_nothing_are_refused(tmp_path: Path) -> None:
    """A mistake is named and changes nothing."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann)
        note = (await ann.post("messages", type="direct", to=[ann.id], content="x"))["id"]
        for message_id, form, why in (
            (sent, {"topic": "tea"}, "Nothing to change"),
            (sent, {}, "Nothing to change"),
            (sent, {"topic": "x", "propagate_mode": "bogus"}, "Invalid propagate_mode"),
            (
                sent,
                {"content": "x", "propagate_mode": "change_all"},
                "Invalid propagate_mode without topic edit",
            ),
            (
                sent,
                {"content": "x", "stream_id": 1},
                "Cannot change message content while changing channel",
            ),
            (sent, {"stream_id": 99}, "Channel with ID '99' does not exist"),
            (note, {"topic": "x"}, "Direct messages cannot have topics."),
            (note, {"stream_id": 1}, "Direct messages cannot be moved to channels."),
        ):
            assert (await ann.patch(f"messages/{message_id}", **form))["msg"] == why
        assert "edit_history" not in await shown(bob, sent)


async def test_a_deleted_message_is_gone_for_all(tmp_path: Path) -> None:
    """Old clients hear of each message, new ones of all at once; nothing is left to read."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        owner = await server.person("Olga", role=Role.OWNER)
        ids = [await say(ann, str(n)) for n in range(2)]
        await bob.post(f"messages/{ids[0]}/reactions", emoji_name="smile")
        assert (await bob.delete(f"messages/{ids[0]}"))["msg"] == (
            "You don't have permission to delete this message"
        )
        old = await bob.post("register", event_types=["delete_message"])
        new = await bob.post(
            "register",
            event_types=["delete_message"],
            client_capabilities={"bulk_message_deletion": True},
        )
        answer = await owner.post("streams/1/delete_topic", topic_name="TEA")
        assert answer["complete"] is True
        assert sorted(e["message_id"] for e in await bob.events(old)) == ids
        (event,) = await bob.events(new)
        assert (sorted(event["message_ids"]), event["topic"]) == (ids, "tea")
        assert await history(bob) == []
        again = await say(ann, "again")
        assert (await ann.delete(f"messages/{again}"))["result"] == "success"
        assert (await ann.delete(f"messages/{again}"))["msg"] == "Invalid message(s)"


async def test_read_receipts_name_who_lets_it_be_known(tmp_path: Path) -> None:
    """The writer sees who read it, not who keeps that to themselves."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann)
        assert (await ann.get(f"messages/{sent}/read_receipts"))["user_ids"] == []
        await bob.post("messages/flags", messages=[sent], op="add", flag="read")
        assert (await ann.get(f"messages/{sent}/read_receipts"))["user_ids"] == [bob.id]
