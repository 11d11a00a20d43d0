"""Rules around messages: groups, alert words, muted people, limits of time and of permission."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import settings as settings_of_hypothesis
from hypothesis import strategies as st

from server_lite.actions.mentions import _stands_alone
from server_lite.store import settings
from server_lite.store.alert_words import RUN
from server_lite.store.user_groups import SystemGroup
from server_lite.store.users import Role
from tests.api.test_messages import history, say, two
from tests.live import Live, live


async def decide(server: Live, **choices: Any) -> None:
    """What the organization decided."""

    def run(tx: Any) -> None:
        for name, value in choices.items():
            settings.store(tx, name, value)

    await server.app.database.write(run)


async def age(server: Live, message_id: int, seconds: int) -> None:
    """Make a message older."""
    sql = "UPDATE message SET timestamp = timestamp - ? WHERE id = ?"
    await server.app.database.write(lambda tx: tx.run(sql, seconds, message_id))


async def test_a_group_is_mentioned_by_who_may(tmp_path: Path) -> None:
    """A group's members are called; who may not call them is told so."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        owner = await server.person("Olga", role=Role.OWNER)
        made = await owner.post(
            "user_groups/create", name="night", description="", members=[bob.id]
        )
        sent = await say(ann, "@*night* wake up")
        flags = {one["id"]: one["flags"] for one in await history(bob)}
        assert flags[sent] == ["mentioned"]
        await owner.patch(f"user_groups/{made['group_id']}", can_mention_group={"new": 8})
        refused = await ann.post(
            "messages", type="stream", to="general", topic="t", content="@*night*"
        )
        assert refused["msg"] == "You are not allowed to mention user group 'night'."
        assert "id" in await ann.post(
            "messages", type="stream", to="general", topic="t", content="@_*night*"
        )


async def test_alert_words_stand_alone(tmp_path: Path) -> None:
    """My word marks a message where it is a word, whatever its case."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        await bob.post("users/me/alert_words", alert_words=["Tea", "c++"])
        for words in ("TEA!", "I like c++.", "teapot", "steam tea steam"):
            await say(ann, words)
        messages = await history(bob, narrow=[["is", "alerted"]], apply_markdown=False)
        assert [one["content"] for one in messages] == ["TEA!", "I like c++.", "steam tea steam"]


@settings_of_hypothesis(max_examples=60, deadline=None)
@given(
    st.lists(st.text("aB_é.+ 1ß", min_size=1, max_size=6), min_size=1, max_size=5),
    st.text("aB_é.+ 1ß\n", max_size=30),
)
def test_words_that_are_looked_up_are_those_that_stand_there(words: list[str], text: str) -> None:
    """Nobody's word is compared with a text that has not its first letters: what is found is the same."""
    runs = {"", *RUN.findall(text.casefold())}
    for word in map(str.casefold, words):
        run = "".join(RUN.findall(word)[:1])
        assert run in runs or not _stands_alone(word, text.casefold())


async def test_a_muted_person_brings_nothing_unread(tmp_path: Path) -> None:
    """What somebody I muted writes is there, and read."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        await bob.post(f"users/me/muted_users/{ann.id}")
        await say(ann)
        assert [one["flags"] for one in await history(bob)] == [["read"]]


async def test_a_topic_that_i_begin_is_followed(tmp_path: Path) -> None:
    """The answer says so, and so does the event; a reply in it changes nothing more."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        queue = await ann.post("register", event_types=["user_topic"])
        form = {"type": "stream", "to": "general", "topic": "tea"}
        begun = await ann.post("messages", content="x", **form)
        assert begun["automatic_new_visibility_policy"] == 3
        reply = await bob.post("messages", content="y", **form)
        assert "automatic_new_visibility_policy" not in reply
        (event,) = await ann.events(queue)
        assert (event["topic_name"], event["visibility_policy"]) == ("tea", 3)
        followed = await history(ann, narrow=[["is", "followed"]])
        assert len(followed) == 2


async def test_time_runs_out(tmp_path: Path) -> None:
    """After the limit a message can no longer be changed, moved or deleted by its writer."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        moderator = await server.person("Max", role=Role.MODERATOR)
        await decide(server, message_content_delete_limit_seconds=600)
        old = await say(ann)
        new = await say(ann)
        await age(server, old, 8 * 24 * 3600)
        edited = await ann.patch(f"messages/{old}", content="x")
        assert edited["msg"] == "The time limit for editing this message has passed"
        deleted = await ann.delete(f"messages/{old}")
        assert deleted["msg"] == "The time limit for deleting this message has passed"
        moved = await ann.patch(f"messages/{old}", topic="x")
        assert moved["msg"] == "The time limit for editing this message's topic has passed."
        whole = await ann.patch(f"messages/{new}", topic="x", propagate_mode="change_all")
        assert whole["code"] == "MOVE_MESSAGES_TIME_LIMIT_EXCEEDED"
        assert whole["first_message_id_allowed_to_move"] == new
        assert (whole["total_messages_allowed_to_move"], whole["total_messages_in_topic"]) == (1, 2)
        await decide(server, can_resolve_topics_group=int(SystemGroup.MODERATORS))
        refused = await ann.patch(f"messages/{old}", topic="✔ tea", propagate_mode="change_all")
        assert refused["msg"] == "You don't have permission to resolve topics."
        await decide(server, can_resolve_topics_group=int(SystemGroup.EVERYONE))
        resolved = await ann.patch(f"messages/{old}", topic="✔ tea", propagate_mode="change_all")
        assert resolved["result"] == "success"
        mighty = await moderator.patch(f"messages/{old}", topic="x", propagate_mode="change_all")
        assert mighty["result"] == "success"


async def test_who_may_not_create_topics_writes_in_those_there_are(tmp_path: Path) -> None:
    """A channel for announcements: members answer, and begin nothing new, not by a move either."""
    async with live(tmp_path) as server:
        only: dict[str, Any] = {"can_create_topic_group": int(SystemGroup.MODERATORS)}
        _, bob = await two(server, **only)
        max_ = await server.person("Max", role=Role.MODERATOR)
        place = {"type": "stream", "to": "general"}
        refused = await bob.post("messages", **place, topic="new", content="x")
        why = "You do not have permission to create new topics in this channel."
        assert refused["msg"] == why
        await max_.post("users/me/subscriptions", subscriptions=[{"name": "general"}])
        await max_.post("messages", **place, topic="news", content="x")
        answer = await bob.post("messages", **place, topic="news", content="good")
        assert answer["result"] == "success"
        moved = await bob.patch(
            f"messages/{answer['id']}", topic="mine", propagate_mode="change_one"
        )
        assert moved["msg"] == why


async def test_a_channel_with_topics_does_not_become_one_without(tmp_path: Path) -> None:
    """No message is hidden in a topic that cannot be chosen any more."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        path = f"streams/{(await ann.get('get_stream_id', stream='general'))['stream_id']}"
        sent = await say(ann)
        refused = await ann.patch(path, topics_policy="empty_topic_only")
        why = "To enable this configuration, all messages must be in the empty topic."
        assert refused["msg"] == why
        await ann.patch(f"messages/{sent}", topic="")
        assert (await ann.patch(path, topics_policy="empty_topic_only"))["result"] == "success"
        refused = await ann.post("messages", type="stream", to="general", topic="x", content="x")
        assert refused["msg"] == "Only the general chat topic is allowed in this channel."


async def test_what_the_organization_forbids(tmp_path: Path) -> None:
    """Editing, direct messages and the empty topic can be switched off."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann)
        nobody = 8
        await decide(
            server,
            allow_message_editing=False,
            direct_message_permission_group=nobody,
            topics_policy="disable_empty_topic",
            message_edit_history_visibility_policy="none",
            enable_read_receipts=False,
        )
        for answer, why in (
            (
                await ann.patch(f"messages/{sent}", content="x"),
                "Your organization has turned off message editing",
            ),
            (
                await ann.post("messages", type="direct", to=[bob.id], content="x"),
                "This conversation doesn't include any users who can authorize it.",
            ),
            (
                await ann.post("messages", type="stream", to="general", topic="", content="x"),
                "Topics are required in this channel.",
            ),
            (
                await ann.get(f"messages/{sent}/history"),
                "Message edit history is disabled in this organization",
            ),
            (
                await ann.get(f"messages/{sent}/read_receipts"),
                "Read receipts are disabled in this organization.",
            ),
        ):
            assert answer["msg"] == why
        note = await ann.post("messages", type="direct", to=[ann.id], content="x")
        assert note["result"] == "success"


async def test_calling_everybody_is_a_permission_in_a_big_channel(tmp_path: Path) -> None:
    """Sixteen people are not called by just anybody."""
    async with live(tmp_path) as server:
        ann, _ = await two(server)
        people = [await server.person(f"P{n}") for n in range(14)]
        await ann.post(
            "users/me/subscriptions",
            subscriptions=[{"name": "general"}],
            principals=[person.id for person in people],
        )
        form = {"type": "stream", "to": "general", "topic": "t", "content": "@**all** hi"}
        assert (await ann.post("messages", **form))["code"] == "STREAM_WILDCARD_MENTION_NOT_ALLOWED"
        assert (await ann.post("messages", **form | {"content": "@_**all** hi"}))["result"] == (
            "success"
        )


async def test_reports_reach_the_moderators(tmp_path: Path) -> None:
    """A report lands in the channel that was chosen for it, with the words it is about."""
    async with live(tmp_path) as server:
        ann, bob = await two(server)
        sent = await say(ann, "rude words")
        refused = await bob.post(f"messages/{sent}/report", report_type="spam")
        assert refused["msg"].startswith("Moderation request channel must be specified")
        await decide(server, moderation_request_channel_id=1)
        await bob.post(f"messages/{sent}/report", report_type="spam", description="no")
        notice = (await history(ann))[-1]
        assert notice["sender_full_name"] == "Notification Bot"
        assert "rude words" in notice["content"]
        other = await bob.post(f"messages/{sent}/report", report_type="other")
        assert other["status"] == 400
