"""Messages go where they belong, after the person was told what that will do."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input, Static

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import KETTLE, asked, channel, contents, team, write
from tests.live import Live, until
from tui.api.routes import messages as routes
from tui.narrow import TopicNarrow
from tui.sync.machine import Sync
from tui.widgets.hint_line import HintLine


async def test_a_message_is_moved_with_those_after_it(server: Live, tmp_path: Path) -> None:
    """`m` says how many messages go where, and they do."""
    ann, ben, tea = await team(server)
    for text in ("where are the cups?", "found them"):
        await ben.post("messages", type="stream", to="design", topic="tea", content=text)
    async with playing(server, ann, tmp_path, size=(80, 24)) as a:
        await a.go(tea)
        await until(lambda: len(a.rows) == 3)
        a.screen.panes.messages.select(a.rows[1].message_id)
        a.screen.panes.messages.focus()
        await a.press("m")
        await asked(a)
        dialog = a.app.screen
        words = dialog.query_one(".description", Static)
        assert "new topic" in str(words.content), "nothing would happen yet"
        dialog.query_one("#topic", Input).value = "cups"
        dialog.query_one("#reach").focus()
        await a.press("down")
        await a.sees(
            lambda: dialog.query_one(HintLine).hints == [("Space", "Select"), ("Esc", "Close")]
        )
        await a.press("space")
        assert str(words.content) == (
            "This message and 1 later one move to #design › cups. This is a new topic."
        )
        dialog.query_one("#topic", Input).focus()
        await a.press("enter")
        cups = TopicNarrow(tea.channel_id, "cups")
        await until(lambda: a.screen.account.open_narrow.is_shown(cups))
        assert a.texts[:2] == ["where are the cups?", "found them"], "the cursor's message went"
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


async def test_a_topic_is_resolved_and_unresolved_by_the_same_key(
    server: Live, tmp_path: Path
) -> None:
    """`t` marks the topic as done for everybody, and the reader stays among its messages."""
    ann, _, tea = await team(server)
    done = TopicNarrow(tea.channel_id, "✔ tea")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("k", "t")
        await until(lambda: a.screen.account.open_narrow.is_shown(done) and a.texts[:1] == [KETTLE])
        assert (await contents(ann, tea.channel_id, "✔ tea"))[0] == KETTLE
        await a.press("home", "t")
        await until(lambda: a.screen.account.open_narrow.is_shown(tea) and a.texts[:1] == [KETTLE])
        assert (await contents(ann, tea.channel_id, "tea"))[0] == KETTLE
        await a.press("ctrl+z")
        await until(lambda: a.screen.account.open_narrow.is_shown(done))


async def test_who_reads_and_writes_in_a_topic_goes_where_others_move_it(
    server: Live, tmp_path: Path
) -> None:
    """Reader, cursor, sidebar, draft and the way back are in the new topic; the old one is gone."""
    ann, ben, tea = await team(server)
    mugs = TopicNarrow(tea.channel_id, "mugs")
    await ben.post("messages", type="stream", to="design", topic="other", content="else")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.go(TopicNarrow(tea.channel_id, "other"))
        await a.press("alt+left")
        await until(lambda: a.screen.account.open_narrow.is_shown(tea))
        message_id = a.rows[0].message_id
        await a.press("c")
        a.screen.panes.composer.insert("half a sent")
        await until(lambda: a.screen.panes.composer.has_focus)
        answer = await ben.patch(
            f"messages/{message_id}", topic="mugs", propagate_mode="change_all"
        )
        assert answer["result"] == "success", answer
        await until(lambda: a.screen.account.open_narrow.is_shown(mugs) and KETTLE in a.texts)
        assert a.screen.panes.composer.text == "half a sent"
        assert a.screen.account.composing.place == mugs
        await until(lambda: a.count("mugs") >= 0 and a.count("tea") == -1)
        await a.press("escape", "alt+right")
        await until(
            lambda: a.screen.account.open_narrow.narrow == TopicNarrow(tea.channel_id, "other")
        )
        await a.press("alt+left")
        await until(lambda: a.screen.account.open_narrow.is_shown(mugs))
        assert a.screen.panes.composer.text == "half a sent"
        a.screen.panes.composer.focus()
        await a.press("enter")
        await until(lambda: "half a sent" in a.texts)

        async def is_there() -> bool:
            return (await contents(ann, tea.channel_id, "mugs"))[-1] == "half a sent"

        await until(is_there)  # what is on screen may be on its way
        assert not await contents(ann, tea.channel_id, "tea"), "the conversation is not split"


async def test_a_message_that_was_on_its_way_says_that_it_stays_behind(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its request may have arrived, so it is not changed; the writer is in the new topic meanwhile."""
    ann, ben, tea = await team(server)
    mugs = TopicNarrow(tea.channel_id, "mugs")
    begun, is_moved, send = asyncio.Event(), asyncio.Event(), routes.send

    async def slowly(*arguments: Any, **options: Any) -> Any:
        begun.set()
        await is_moved.wait()
        return await send(*arguments, **options)

    monkeypatch.setattr(routes, "send", slowly)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        message_id = a.rows[0].message_id
        await write(a, "in a minute")
        await begun.wait()
        await ben.patch(f"messages/{message_id}", topic="mugs", propagate_mode="change_all")
        await until(lambda: a.screen.account.open_narrow.is_shown(mugs))
        is_moved.set()
        await until(
            lambda: any(
                "Sent to #design › tea · Alt+G" in each.message for each in a.app._notifications
            )
        )
        await a.press("escape", "alt+g")
        await until(lambda: a.screen.account.open_narrow.is_shown(tea) and "in a minute" in a.texts)


async def test_a_topic_that_is_put_among_another_takes_its_reader_there(
    server: Live, tmp_path: Path
) -> None:
    """Merged into a topic of another channel that has messages, it is read on there."""
    ann, ben, tea = await team(server)
    kitchen = await channel(ann, "kitchen", ann, ben)
    for number in range(3):
        await ben.post("messages", type="stream", to="kitchen", topic="cups", content=f"{number}")
    cups = TopicNarrow(kitchen, "cups")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        message_id = a.rows[0].message_id
        await ben.patch(
            f"messages/{message_id}",
            topic="cups",
            stream_id=kitchen,
            propagate_mode="change_all",
            send_notification_to_new_thread=False,
        )
        await until(
            lambda: (
                a.screen.account.open_narrow.is_shown(cups) and a.texts == [KETTLE, "0", "1", "2"]
            )
        )


async def test_one_message_that_is_moved_away_leaves_the_reader_alone(
    server: Live, tmp_path: Path
) -> None:
    """A stray message is put elsewhere, and one reads on. When the last one goes, it is not as if there had been none."""
    ann, ben, tea = await team(server)
    await ben.post("messages", type="stream", to="design", topic="tea", content="stray")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.messages.select(a.rows[1].message_id)
        await ben.patch(f"messages/{a.rows[1].message_id}", topic="cups")
        await until(lambda: a.texts == [KETTLE])
        assert a.screen.account.open_narrow.is_shown(tea)
        await ann.delete(f"messages/{a.rows[0].message_id}")
        await until(
            lambda: "These messages were deleted, or moved" in a.screen.panes.messages._empty
        )


async def test_a_topic_that_was_moved_while_the_client_was_away_is_found_again(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No event told of it: the queue was lost, as that of a laptop that slept for a week."""
    ann, ben, tea = await team(server)
    mugs = TopicNarrow(tea.channel_id, "mugs")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.load_text("half a sent")
        is_moved, register = asyncio.Event(), Sync._register

        async def later(sync: Sync) -> None:
            await is_moved.wait()
            await register(sync)

        monkeypatch.setattr(Sync, "_register", later)
        await ann.delete("events", queue_id=a.screen.account.session.sync.queue_id)
        await until(lambda: a.screen.account.session.sync.queue_id is None)
        await ben.patch(
            f"messages/{a.rows[0].message_id}", topic="mugs", propagate_mode="change_all"
        )
        is_moved.set()
        await until(lambda: a.screen.account.open_narrow.is_shown(mugs) and KETTLE in a.texts)
        assert (a.screen.panes.composer.text, a.screen.account.composing.place) == (
            "half a sent",
            mugs,
        )


async def _named(player: AppDriver, topic: str) -> None:
    """Wait until title and composer name the topic so."""
    panes = player.screen.panes
    await player.sees(lambda: f"› {topic}" in panes.title_bar.text)
    await player.sees(lambda: f"› {topic}" in str(panes.composer.placeholder))
    assert player.texts == [KETTLE]


async def test_a_topic_in_other_letters(server: Live, tmp_path: Path) -> None:
    """Title, composer and draft name it as it is written now, for those who have it open too; undone as well."""
    ann, ben, tea = await team(server)
    async with playing(server, ann, tmp_path) as a, playing(server, ben, tmp_path / "b") as b:
        await a.go(tea)
        await b.go(tea)
        await a.press("k", "m")
        await asked(a)
        a.app.screen.query_one("#topic", Input).value = "TEA"
        a.app.screen.query_one("#reach").focus()
        await a.press("down", "down", "space")
        a.app.screen.query_one("#topic", Input).focus()
        await a.press("enter")
        await _named(a, "TEA")
        await _named(b, "TEA")
        await a.press("ctrl+z")
        await _named(b, "tea")


async def test_a_name_that_is_too_long_is_cut_when_it_is_pasted(
    server: Live, tmp_path: Path
) -> None:
    """The field takes what fits, and says so: an empty field would mean the topic without a name."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("k", "m")
        await asked(a)
        field = a.app.screen.query_one("#topic", Input)
        field.select_all()
        a.paste("x" * 80)
        await until(lambda: field.value == "x" * 60)
        assert "Cut to 60 characters." in [each.message for each in a.app._notifications]
