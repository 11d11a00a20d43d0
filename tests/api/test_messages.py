"""Messages over the wire: sent to channels and people, found again, told to whom they concern."""

from pathlib import Path
from typing import Any

import pytest

from server_lite.store.users import Role
from tests.live import Live, Person, live


async def two(server: Live, channel: str = "general", **options: Any) -> tuple[Person, Person]:
    """Ann and Bob, both in one channel."""
    ann = await server.person("Ann")
    bob = await server.person("Bob")
    await ann.post(
        "channels/create",
        name=channel,
        subscribers=[ann.id, bob.id],
        send_new_subscription_messages=False,
        **options,
    )
    return ann, bob


async def say(person: Person, content: str = "hello", topic: str = "tea", **more: Any) -> int:
    """A message to #general; its id."""
    answer = await person.post(
        "messages", **{"type": "stream", "to": "general", "topic": topic, "content": content} | more
    )
    message_id: int = answer["id"]
    return message_id


async def history(person: Person, **asked: Any) -> list[dict[str, Any]]:
    """What a fetch shows, newest twenty unless asked otherwise."""
    window = {"anchor": "newest", "num_before": 20, "num_after": 0} | asked
    messages: list[dict[str, Any]] = (await person.get("messages", **window))["messages"]
    return messages


async def test_a_message_arrives_as_it_was_written(tmp_path: Path) -> None:
    """Who reads Markdown gets Markdown, who reads HTML gets HTML, and both the same message."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        plain = await bob.post("register", event_types=["message"])
        html = await bob.post("register", event_types=["message"], apply_markdown=True)
        sent = await say(ann, "**hi**", topic="Tea")
        (raw,), (rendered,) = await bob.events(plain), await bob.events(html)
        assert raw["message"]["content"] == "**hi**"
        assert rendered["message"]["content"] == "<p><strong>hi</strong></p>"
        assert raw["flags"] == []
        (fetched,) = await history(bob)
        assert fetched.pop("flags") == []
        assert fetched == rendered["message"]
        assert fetched["id"] == sent


@pytest.mark.parametrize("form", ["name", "id", "json name", "list", "list of ids"])
async def test_a_channel_is_named_in_any_way(tmp_path: Path, form: str) -> None:
    """Old bots and new clients address a channel in their own way, and both arrive."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        to = {
            "name": "general",
            "id": "1",
            "json name": '"general"',
            "list": '["general"]',
            "list of ids": "[1]",
        }[form]
        sent = await ann.post("messages", type="channel", to=to, subject="tea", content="x")
        assert sent["result"] == "success"


@pytest.mark.parametrize("form", ["{email}", "{id}", "[{id}]", '["{email}"]', "{email}, {email}"])
async def test_people_are_named_in_any_way(tmp_path: Path, form: str) -> None:
    """A direct message reaches its reader, by id or address, bare or as a list."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        to = form.format(id=bob.id, email=bob.email)
        sent = await ann.post("messages", type="private", to=to, content="psst")
        assert [one["id"] for one in await history(bob, narrow=[["is", "dm"]])] == [sent["id"]]


async def test_notes_to_oneself_and_groups_are_conversations(tmp_path: Path) -> None:
    """A note to myself is mine alone; a group of three is another conversation than two."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        eve = await server.person("Eve")
        note = (await ann.post("messages", type="direct", to=[ann.id], content="milk"))["id"]
        pair = (await ann.post("messages", type="direct", to=[bob.id], content="2"))["id"]
        group = (await ann.post("messages", type="direct", to=[bob.id, eve.id], content="3"))["id"]

        async def seen(person: Person, *with_ids: int) -> list[int]:
            messages = await history(person, narrow=[{"operator": "dm", "operand": list(with_ids)}])
            return [one["id"] for one in messages]

        assert await seen(ann, ann.id) == [note]
        assert await seen(ann, bob.id) == await seen(bob, ann.id) == [pair]
        assert await seen(eve, ann.id, bob.id) == [group]
        assert [one["id"] for one in await history(eve)] == [group]
        assert [
            one["id"] for one in await history(ann, narrow=[["dm-including", str(bob.id)]])
        ] == [pair, group]
        state = await ann.post("register", fetch_event_types=["recent_private_conversations"])
        assert state["recent_private_conversations"] == [
            {"max_message_id": group, "user_ids": [bob.id, eve.id]},
            {"max_message_id": pair, "user_ids": [bob.id]},
            {"max_message_id": note, "user_ids": []},
        ]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"to": "nowhere"}, "Channel 'nowhere' does not exist"),
    ({"to": "99999"}, "Channel with ID '99999' does not exist"),
    ({"to": None}, "Missing channel"),
    ({"to": '["a", "b"]'}, "Expected exactly one channel"),
    ({"topic": None}, "Missing topic"),
    ({"topic": "a\nb"}, "Invalid character in topic, at position 2!"),
    ({"content": ""}, "Message must not be empty"),
    ({"content": " \n "}, "Message must not be empty"),
    ({"content": "a\0b"}, "Message must not contain null bytes"),
    ({"content": None}, "Missing 'content' argument"),
    ({"type": "bogus"}, "Invalid type"),
    ({"type": "direct", "to": "[]"}, "Message must have recipients"),
    ({"type": "direct", "to": "[99999]"}, "Invalid user ID 99999"),
    ({"type": "direct", "to": f"[{2**70}]"}, "Invalid data type for recipients"),
    ({"type": "direct", "to": "nobody@x.y"}, "Invalid email 'nobody@x.y'"),
    (
        {"type": "direct", "to": '[1, "a@b.c"]'},
        "Recipient lists may contain emails or user IDs, but not both.",
    ),
    ({"type": "direct", "to": "[null]"}, "Invalid data type for recipients"),
    ({"local_id": "1"}, "local_id needs queue_id"),
]


async def test_what_cannot_be_sent_is_refused_by_name(tmp_path: Path) -> None:
    """A mistake is named, and nothing is stored."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        for change, message in REFUSED:
            form = {"type": "stream", "to": "general", "topic": "tea", "content": "x"} | change
            answer = await ann.post(
                "messages", **{name: value for name, value in form.items() if value is not None}
            )
            assert (answer.get("msg"), answer.get("status")) == (message, 400), change
        assert await history(ann) == []


async def test_too_long_is_cut_with_a_mark(tmp_path: Path) -> None:
    """Bots that write too much are heard all the same, and the cut is visible."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        await say(ann, "x" * 10_001, topic="t" * 61)
        (message,) = await history(ann, apply_markdown=False)
        assert message["content"] == "x" * 9_980 + "\n[message truncated]"
        assert message["subject"] == "t" * 57 + "..."


async def test_the_empty_topic_has_a_name_for_old_clients(tmp_path: Path) -> None:
    """Written under either of its names, shown as the client can show it."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        queue = await bob.post("register", event_types=["message"])
        new = await bob.post(
            "register",
            event_types=["message"],
            client_capabilities={"empty_topic_name": True},
        )
        for topic in ("", "(no topic)", "general chat"):
            await say(ann, topic=topic)
        assert {e["message"]["subject"] for e in await bob.events(queue)} == {"general chat"}
        assert {e["message"]["subject"] for e in await bob.events(new)} == {""}
        assert {one["subject"] for one in await history(bob)} == {"general chat"}
        named = await history(bob, allow_empty_topic_name=True, narrow=[["topic", ""]])
        assert [one["subject"] for one in named] == ["", "", ""]


async def test_a_resend_of_the_same_client_is_one_message(tmp_path: Path) -> None:
    """A client that never saw the answer sends again: still one message, and its echo says which."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        queue = await ann.post("register", event_types=["message"])
        echo = {"queue_id": queue["queue_id"], "local_id": "7.01"}
        first = await say(ann, "once", **echo)
        assert await say(ann, "once", **echo) == first
        other = await say(ann, "twice", **echo)
        assert other != first
        events = await ann.events(queue)
        assert [e.get("local_message_id") for e in events] == ["7.01", "7.01"]
        assert await say(bob, "twice", **echo) != other  # another's queue is no key of mine


async def test_mentions_reach_those_they_name(tmp_path: Path) -> None:
    """A mention is marked for the person, a wildcard for all, silence and quotes for nobody."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        named = await say(ann, "@**Bob** look")
        everyone = await say(ann, "@**all** look")
        silent = await say(ann, "@_**Bob** was here\n> @**Bob**")
        topic = await say(bob, "@**topic** who?")
        flags = {one["id"]: one["flags"] for one in await history(bob)}
        assert flags[named] == ["mentioned"]
        assert flags[everyone] == ["stream_wildcard_mentioned", "wildcard_mentioned"]
        assert flags[silent] == []
        assert flags[topic] == ["topic_wildcard_mentioned", "wildcard_mentioned"]
        mentioned = await history(bob, narrow=[["is", "mentioned"]])
        assert [one["id"] for one in mentioned] == [named, everyone, topic]


async def test_a_poll_begins_with_its_options(tmp_path: Path) -> None:
    """`/poll` is a poll for everybody who reads it, and votes reach them."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        poll = await say(ann, "/poll Lunch?\nPizza\n- Salad")
        queue = await ann.post("register", event_types=["submessage"])
        (message,) = await history(bob)
        assert message["submessages"][0]["content"] == (
            '{"widget_type":"poll","extra_data":{"question":"Lunch?","options":["Pizza","Salad"]}}'
        )
        vote = '{"type":"vote","key":"canned,0","vote":1}'
        form = {"message_id": poll, "msg_type": "widget"}
        assert (await bob.post("submessage", **form, content=vote))["result"] == "success"
        (event,) = await ann.events(queue)
        assert (event["sender_id"], event["content"]) == (bob.id, vote)
        for bad in ("{", "[]", '{"type":"dance"}', '{"type":"vote","key":1,"vote":1}'):
            assert (await bob.post("submessage", **form, content=bad))["status"] == 400
        rename = '{"type":"question","question":"Dinner?"}'
        assert (await bob.post("submessage", **form, content=rename))["status"] == 400


async def test_paging_tells_where_the_ends_are(tmp_path: Path) -> None:
    """Reading up and down, a client knows when there is nothing more."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        ids = [await say(ann, str(n)) for n in range(6)]

        async def page(**asked: Any) -> tuple[list[int], bool, bool, bool]:
            answer = await bob.get("messages", **asked)
            return (
                [one["id"] for one in answer["messages"]],
                answer["found_oldest"],
                answer["found_anchor"],
                answer["found_newest"],
            )

        assert await page(anchor=ids[2], num_before=1, num_after=1) == (
            ids[1:4],
            False,
            True,
            False,
        )
        assert await page(anchor=ids[2], num_before=2, num_after=0, include_anchor=False) == (
            ids[:2],
            True,
            False,
            False,
        )
        assert await page(anchor="10000000000000000", num_before=6, num_after=0) == (
            ids,
            True,
            False,
            True,
        )
        assert await page(anchor="oldest", num_before=0, num_after=2) == (
            ids[:2],
            True,
            False,
            False,
        )
        await bob.post("messages/flags", messages=ids[:3], op="add", flag="read")
        assert (await page(anchor="first_unread", num_before=0, num_after=0))[0] == [ids[3]]
        assert (
            await page(anchor="newest", num_before=0, num_after=0, use_first_unread_anchor=True)
        )[0] == [ids[3]]
        assert (await page(anchor="date", anchor_date="2000-01-01", num_before=0, num_after=0))[
            0
        ] == [ids[0]]
        for bad in ({"anchor": "soon"}, {"anchor": "newest", "num_after": 5001}, {"num_before": 1}):
            answer = await bob.get("messages", **{"num_before": 0, "num_after": 0} | bad)
            assert answer["status"] == 400


async def test_old_history_can_be_read_but_is_not_ones_own(tmp_path: Path) -> None:
    """Who joins later can read back in the channel; their combined feed begins where they came."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        before = await say(ann, "before")
        eve = await server.person("Eve")
        await eve.post("users/me/subscriptions", subscriptions=[{"name": "general"}])
        after = await say(ann, "after")
        assert [one["id"] for one in await history(eve)] == [after]
        whole = await history(eve, narrow=[["channel", "general"]])
        assert [(one["id"], one["flags"]) for one in whole] == [
            (before, ["historical", "read"]),
            (after, []),
        ]
        await eve.post("messages/flags", messages=[before], op="add", flag="starred")
        assert [one["id"] for one in await history(eve)] == [before, after]


async def test_search_takes_whatever_is_typed(tmp_path: Path) -> None:
    """Signs, quotes and accents are no errors, and what was found is marked."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann, 'Le **café** & C++ isn\'t "closed" :)', topic="menu <1>")
        await say(ann, "nothing of that", topic="else")
        for words in ("cafe", "CAFÉ", "C++", "isn't", '"closed"', ":)", '"', "@x -", "menu café"):
            answer = await bob.get(
                "messages",
                anchor="newest",
                num_before=9,
                num_after=0,
                narrow=[["search", words]],
            )
            assert answer["result"] == "success", words
        (match,) = await history(bob, narrow=[["search", "caf menu"]])
        assert match["id"] == sent
        assert '<strong><span class="highlight">café</span></strong>' in match["match_content"]
        assert match["match_subject"] == '<span class="highlight">menu</span> &lt;1&gt;'
        assert await history(bob, narrow=[["search", '"closed café"']]) == []
        planned = await say(ann, "the hidden <plan> & 红茶", topic="plans")
        (match,) = await history(bob, narrow=[["search", '"hidden plan" 红茶']])
        assert match["match_content"] == (
            '<p>the <span class="highlight">hidden</span> &lt;<span class="highlight">plan</span>&gt;'
            ' &amp; <span class="highlight">红茶</span></p>'
        )
        (match,) = await history(bob, narrow=[["search", "the planning"]])
        assert match["id"] == planned
        assert match["match_subject"] == '<span class="highlight">plans</span>'


async def test_narrows_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    """An unknown operator, person or channel is named."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        for term, why in (
            (["dance", "x"], "unknown operator dance"),
            (["channel", "nowhere"], "unknown channel nowhere"),
            (["sender", "me"], "unknown user me"),
            (["dm", "no@x.y"], "unknown user in no@x.y"),
            (["is", "nice"], "unknown 'is' operand nice"),
            (["has", "fun"], "unknown 'has' operand fun"),
            (["with", 99], "invalid with operator"),
            (["topic"], "element is not a string pair"),
            ({"operator": "topic"}, "operator or operand is missing"),
        ):
            answer = await ann.get(
                "messages", anchor="newest", num_before=1, num_after=0, narrow=[term]
            )
            assert (answer["code"], answer["desc"]) == ("BAD_NARROW", why)


async def test_listening_to_all_public_channels(tmp_path: Path) -> None:
    """A bot hears public channels that it is not in, but no private one; a guest none."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        await ann.post("channels/create", name="secret", subscribers=[ann.id], invite_only=True)
        eve = await server.person("Eve")
        gus = await server.person("Gus", role=Role.GUEST)
        ears = await eve.post("register", event_types=["message"], all_public_streams=True)
        deaf = await eve.post("register", event_types=["message"])
        guest = await gus.post("register", event_types=["message"], all_public_streams=True)
        public = await say(ann)
        await say(ann, to="secret")
        assert [e["message"]["id"] for e in await eve.events(ears)] == [public]
        assert await eve.events(deaf) == await gus.events(guest) == []


async def test_a_queue_can_be_narrowed(tmp_path: Path) -> None:
    """A bot that asked for one topic hears that topic alone."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        queue = await bob.post(
            "register",
            event_types=["message"],
            narrow=[["channel", "general"], ["topic", "Tea"], ["sender", ann.email]],
        )
        mentions = await bob.post("register", event_types=["message"], narrow=[["is", "mentioned"]])
        tea = await say(ann, topic="tea")
        named = await say(ann, "@**Bob**", topic="coffee")
        await say(bob, topic="tea")
        assert [e["message"]["id"] for e in await bob.events(queue)] == [tea]
        assert [e["message"]["id"] for e in await bob.events(mentions)] == [named]


async def test_one_message_is_shown_to_its_readers_only(tmp_path: Path) -> None:
    """A message I may not read cannot be told from one that does not exist."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        eve = await server.person("Eve")
        secret = (await ann.post("messages", type="direct", to=[bob.id], content="*psst*"))["id"]
        assert (await bob.get(f"messages/{secret}"))["raw_content"] == "*psst*"
        assert await eve.get(f"messages/{secret}") == await eve.get("messages/99")
        rendered = await eve.post("messages/render", content="*psst*")
        assert rendered["rendered"] == "<p><em>psst</em></p>"
        matching = await bob.get(
            "messages/matches_narrow", msg_ids=[secret, 99], narrow=[["is", "dm"]]
        )
        assert matching["messages"] == {str(secret): {}}
