"""Flags and reactions over the wire: read, starred, counted, told to one's other clients."""

from pathlib import Path
from typing import Any

from tests.api.test_messages import history, say, two
from tests.live import Person, live


async def unread(person: Person) -> dict[str, Any]:
    """What register says is unread."""
    state = await person.post("register", fetch_event_types=["message", "update_message_flags"])
    unread_messages: dict[str, Any] = state["unread_msgs"]
    return unread_messages


async def test_what_is_unread_is_listed_by_place(tmp_path: Path) -> None:
    """A client that starts knows what waits where, and counts what is not muted."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        eve = await server.person("Eve")
        tea = await say(ann, "@**Bob**", topic="Tea")
        noise = await say(ann, "@**all**", topic="noise")
        pair = (await ann.post("messages", type="direct", to=[bob.id], content="2"))["id"]
        group = (await ann.post("messages", type="direct", to=[bob.id, eve.id], content="3"))["id"]
        await bob.post("user_topics", stream_id=1, topic="noise", visibility_policy=1)
        assert await unread(bob) == {
            "count": 3,
            "pms": [{"other_user_id": ann.id, "sender_id": ann.id, "unread_message_ids": [pair]}],
            "huddles": [
                {
                    "user_ids_string": f"{ann.id},{bob.id},{eve.id}",
                    "unread_message_ids": [group],
                }
            ],
            "streams": [
                {"stream_id": 1, "topic": "Tea", "unread_message_ids": [tea]},
                {"stream_id": 1, "topic": "noise", "unread_message_ids": [noise]},
            ],
            "mentions": [tea],
            "old_unreads_missing": False,
        }


async def test_reading_is_told_to_my_other_clients(tmp_path: Path) -> None:
    """What I read on the laptop is read on the phone; unread again comes with its place."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        first, second = await say(ann), await say(ann)
        queue = await bob.post("register", event_types=["update_message_flags"])
        await bob.post("messages/flags", messages=[first, 999], op="add", flag="read")
        await bob.post("messages/flags", messages=[first, second], op="add", flag="read")
        await bob.post("messages/flags", messages=[first], op="add", flag="read")
        await bob.post("messages/flags", messages=[second], op="remove", flag="read")
        once, rest, back = await bob.events(queue)
        assert (once["messages"], rest["messages"]) == ([first], [second])
        assert back["message_details"] == {
            str(second): {
                "type": "stream",
                "stream_id": 1,
                "topic": "tea",
                "unmuted_stream_msg": True,
            }
        }
        assert [one["id"] for one in await history(bob, narrow=[["is", "unread"]])] == [second]


async def test_a_channel_i_left_stays_read(tmp_path: Path) -> None:
    """Messages of a channel that I am not in cannot become unread, and I am told which."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann)
        await bob.delete("users/me/subscriptions", subscriptions=["general"])
        await bob.post("messages/flags", messages=[sent], op="add", flag="read")
        answer = await bob.post("messages/flags", messages=[sent], op="remove", flag="read")
        assert answer["ignored_because_not_subscribed_channels"] == [1]
        assert (await unread(bob))["count"] == 0


async def test_flags_that_are_not_mine_to_set_are_refused(tmp_path: Path) -> None:
    """A mistake is named; nobody makes themselves mentioned."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann)
        secret = (await ann.post("messages", type="direct", to=[ann.id], content="x"))["id"]
        for form, why in (
            ({"op": "add", "flag": "mentioned"}, "Flag not editable: 'mentioned'"),
            ({"op": "add", "flag": "nice"}, "Invalid flag: 'nice'"),
            ({"op": "toggle", "flag": "read"}, "Invalid message flag operation: 'toggle'"),
            ({"op": "add", "flag": "starred", "messages": [secret]}, "Invalid message(s)"),
        ):
            assert (await bob.post("messages/flags", **{"messages": [sent]} | form))["msg"] == why


async def test_a_part_of_a_narrow_is_marked(tmp_path: Path) -> None:
    """Reading a topic to its end marks that topic, and tells whether more is left."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = [await say(ann, topic=topic) for topic in ("a", "b", "a", "a")]
        form = {"op": "add", "flag": "read", "narrow": [["topic", "a"]]}
        answer = await bob.post(
            "messages/flags/narrow", anchor="first_unread", num_before=0, num_after=1, **form
        )
        assert {name: answer[name] for name in list(answer)[2:]} == {
            "processed_count": 2,
            "updated_count": 2,
            "first_processed_id": ids[0],
            "last_processed_id": ids[2],
            "found_oldest": True,
            "found_newest": False,
        }
        none = await bob.post(
            "messages/flags/narrow", anchor="oldest", num_before=5, num_after=0, **form
        )
        assert (none["processed_count"], none["first_processed_id"]) == (0, None)
        assert (await unread(bob))["count"] == 2


async def test_much_is_read_at_once(tmp_path: Path) -> None:
    """A topic, a channel, everything: each is marked by one request."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        tea = await say(ann, topic="tea")
        coffee = await say(ann, topic="coffee")
        await ann.post("messages", type="direct", to=[bob.id], content="x")
        queue = await bob.post("register", event_types=["update_message_flags"])
        await bob.post("mark_topic_as_read", stream_id=1, topic_name="Tea")
        await bob.post("mark_stream_as_read", stream_id=1)
        await bob.post("mark_all_as_read")
        await bob.post("mark_all_as_read")
        assert [(e["messages"], e["all"]) for e in await bob.events(queue)] == [
            ([tea], False),
            ([coffee], False),
            ([], True),
        ]
        missing = await bob.post("mark_topic_as_read", stream_id=1, topic_name="no")
        assert missing["msg"] == "No such topic 'no'"


async def test_reactions_are_joined_and_taken_back(tmp_path: Path) -> None:
    """A reaction shows with its name, twice is refused, and taking it back tells everybody."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann)
        queue = await ann.post("register", event_types=["reaction"])
        path = f"messages/{sent}/reactions"
        await bob.post(path, emoji_name="thumbs_up")
        voted = {"emoji_name": "thumbs_up", "emoji_code": "1f44d", "reaction_type": "unicode_emoji"}
        await ann.post(path, **voted)
        again = await ann.post(path, emoji_name="+1")
        assert again["code"] == "REACTION_ALREADY_EXISTS"
        await ann.post(path, emoji_name="zulip", reaction_type="zulip_extra_emoji")
        await bob.delete(path, emoji_name="thumbs_up")
        missing = await bob.delete(path, emoji_code="1f44d")
        assert missing["code"] == "REACTION_DOES_NOT_EXIST"
        assert [(e["op"], e["user_id"], e["reaction_type"]) for e in await ann.events(queue)] == [
            ("add", bob.id, "unicode_emoji"),
            ("add", ann.id, "unicode_emoji"),
            ("add", ann.id, "service_extra_emoji"),
            ("remove", bob.id, "unicode_emoji"),
        ]
        (message,) = await history(bob, narrow=[["has", "reaction"]])
        assert [one["emoji_name"] for one in message["reactions"]] == ["thumbs_up", "zulip"]


async def test_emoji_that_there_are_not_are_refused(tmp_path: Path) -> None:
    """A wrong code, type or name is told apart."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        path = f"messages/{await say(ann)}/reactions"
        for form, why in (
            ({"emoji_name": "no_such"}, "Emoji 'no_such' does not exist"),
            ({"emoji_name": "smile", "reaction_type": "foo"}, "Invalid emoji type."),
            ({"emoji_name": "smile", "emoji_code": "zz"}, "Invalid emoji code"),
            ({"emoji_name": "smile", "emoji_code": "1f44d"}, "Invalid emoji name."),
            ({}, "Missing 'emoji_name' argument"),
        ):
            assert (await bob.post(path, **form))["msg"] == why
