"""Messages go where they belong, after the person was told what that will do."""

from pathlib import Path

from textual.widgets import Input, Static

from tests.e2e.client import playing
from tests.e2e.team import KETTLE, asked, contents, team
from tests.live import Live, until
from tui.narrow import TopicNarrow


async def test_a_message_is_moved_with_those_after_it(server: Live, tmp_path: Path) -> None:
    """`m` says how many messages go where, and they do."""
    ann, ben, tea = await team(server)
    for text in ("where are the cups?", "found them"):
        await ben.post("messages", type="stream", to="design", topic="tea", content=text)
    async with playing(server, ann, tmp_path, size=(80, 24)) as a:
        await a.go(tea)
        await until(lambda: len(a.rows) == 3)
        a.screen.messages.select(a.rows[1].message_id)
        a.screen.messages.focus()
        await a.press("m")
        await asked(a)
        dialog = a.app.screen
        words = dialog.query_one(".words", Static)
        assert "another topic" in str(words.content), "nothing would happen yet"
        dialog.query_one("#topic", Input).value = "cups"
        dialog.query_one("#reach").focus()
        await a.press("down", "space")
        assert str(words.content) == (
            "This message and the 1 after it go to #design › cups. That is a new topic."
        )
        dialog.query_one("#topic", Input).focus()
        await a.press("enter")
        await until(lambda: a.texts == [KETTLE])
        assert (await contents(ann, tea.channel_id, "cups"))[:2] == [
            "where are the cups?",
            "found them",
        ]


async def test_a_move_that_is_refused_leaves_everything_as_it_was(
    server: Live, tmp_path: Path
) -> None:
    """Who may not move messages is told so, and sees the message where it is."""
    ann, ben, tea = await team(server)
    nobody = await ann.get("user_groups", include_deactivated_groups=False)
    group = next(g["id"] for g in nobody["user_groups"] if g["name"] == "role:nobody")
    answer = await ann.patch("realm", can_move_messages_between_topics_group={"new": group})
    assert answer["result"] == "success", answer
    async with playing(server, ben, tmp_path) as b:
        await b.go(tea)
        await b.press("k", "m")
        await asked(b)
        b.app.screen.query_one("#topic", Input).value = "cups"
        await b.press("enter")
        await until(lambda: any("permission" in n.message for n in b.app._notifications))
        await until(lambda: b.texts == [KETTLE])


async def test_a_topic_is_resolved_and_opened_again_by_the_same_key(
    server: Live, tmp_path: Path
) -> None:
    """`t` marks the topic as done for everybody, `t` again takes that back."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("k", "t")
        await until(lambda: a.texts == [])
        assert (await contents(ann, tea.channel_id, "✔ tea"))[0] == KETTLE
        await a.go(TopicNarrow(tea.channel_id, "✔ tea"))
        await a.press("home", "t")
        await until(lambda: a.texts == [])
        assert (await contents(ann, tea.channel_id, "tea"))[0] == KETTLE
