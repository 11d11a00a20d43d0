"""Between Enter and the message being sent: limits, questions, and where it goes."""

from pathlib import Path

from textual.containers import VerticalScroll
from textual.widgets import Button, Static

from tests.e2e.client import playing
from tests.e2e.endpoints import uses
from tests.e2e.team import KETTLE, answered, asked, channel, contents, team, write
from tests.faults.cutting import Cut, cuttable
from tests.live import Live, until
from tui.narrow import TopicNarrow


async def test_what_is_too_long_stays_where_it_is(server: Live, tmp_path: Path) -> None:
    """The counter says how much too long it is; Enter sends nothing and loses nothing."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        longest = a.screen.account.session.store.realm.limits.max_message_length
        a.screen.panes.composer.load_text("x" * (longest - 3))
        await until(lambda: "3 characters left" in a.screen.panes.status_line.text)
        a.screen.panes.composer.load_text("x" * (longest + 2))
        await until(lambda: "2 characters too long" in a.screen.panes.status_line.text)
        await a.press("enter")
        await until(lambda: any("too long" in n.message for n in a.app._notifications))
        assert len(a.screen.panes.composer.text) == longest + 2
        a.screen.panes.composer.load_text("short")
        await until(lambda: "characters" not in a.screen.panes.status_line.text)
        assert (await contents(ann, tea.channel_id, "tea")) == [KETTLE]


async def test_a_resolved_topic_asks_once(server: Live, tmp_path: Path) -> None:
    """No keeps the words in the composer; yes sends them, and the next ones without a question."""
    ann, ben, tea = await team(server)
    done = TopicNarrow(tea.channel_id, "✔ milk")
    await ben.post("messages", type="stream", to="design", topic="✔ milk", content="got it")
    async with playing(server, ann, tmp_path) as a:
        await a.go(done)
        await write(a, "thanks")
        await asked(a)
        await a.press("escape")
        await answered(a)
        assert a.screen.panes.composer.text == "thanks"
        await a.press("enter")
        await asked(a)
        a.app.screen.query_one("#yes", Button).press()
        await until(lambda: a.texts == ["got it", "thanks"])
        await write(a, "really")
        await until(lambda: a.texts == ["got it", "thanks", "really"])


async def test_a_message_is_forwarded(server: Live, tmp_path: Path) -> None:
    """`f` quotes it in another conversation, with who said it and a link to it."""
    ann, ben, tea = await team(server)
    hall = await channel(ann, "hall", ann)
    await ann.post("messages", type="stream", to="hall", topic="news", content="hello")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("k", "f")
        await asked(a)
        assert str(a.app.screen.query(".title").only_one(Static).content) == "Forward to"
        await a.press(*"news", "enter")
        await until(lambda: a.screen.account.open_narrow.is_shown(TopicNarrow(hall, "news")))
        text = a.screen.panes.composer.text
        begins, _, link = text.partition(f"@_**Ben|{ben.id}** [said](")
        assert (begins, link.partition("#narrow/")[0]) in (("", ""), ("", f"{server.url}/"))
        assert KETTLE in text
        await write(a, text)
        await until(lambda: len(a.rows) == 2)
        assert KETTLE in a.texts[-1]


async def test_a_command_is_completed(server: Live, tmp_path: Path) -> None:
    """A slash and a letter are enough to begin a poll."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press("slash", "p")
        await until(lambda: a.screen.panes.completion_list.is_open)
        await a.press("tab")
        await until(lambda: a.screen.panes.composer.text == "/poll ")


@uses("POST /messages/render")
async def test_what_is_written_is_shown_as_it_will_look(server: Live, tmp_path: Path) -> None:
    """Alt+R keeps it above what I write, with people's names and links, and says where it cannot."""
    ann, _, tea = await team(server)
    async with cuttable(server.url) as wire:
        server.url = wire.url
        async with playing(server, ann, tmp_path, size=(80, 24)) as a:
            await a.go(tea)
            a.screen.panes.composer.focus()
            await a.press("alt+r")
            assert any("Live preview" in each.message for each in a.app._notifications)
            a.screen.panes.composer.load_text("**hot** tea, @**Ben**")
            await until(lambda: a.screen.panes.preview.text == "preview\nhot tea, @Ben")
            await a.press("end", *" now")
            await until(lambda: a.screen.panes.preview.text.endswith("@Ben now"))
            a.screen.panes.composer.load_text("\n".join(f"* {n}" for n in range(30)))
            a.screen.panes.composer.move_cursor(a.screen.panes.composer.document.end)
            await until(lambda: "• 29" in a.screen.panes.preview.text)
            await a.pilot.pause()
            assert a.screen.panes.preview.size.height == 5
            assert a.screen.panes.messages.size.height >= 6
            body = a.screen.panes.preview.query_one(VerticalScroll)
            bottom = body.scroll_y
            await a.press("ctrl+pageup")
            await until(lambda: body.scroll_y < bottom)
            wire.cut = Cut(b"POST /api/v1/messages/render", "request", 1)
            a.screen.panes.composer.load_text("mere words need no server")
            await until(lambda: a.screen.panes.preview.text == "preview\nmere words need no server")
            a.screen.panes.composer.load_text("**cold**")
            await until(lambda: "unavailable offline" in a.screen.panes.preview.text)
            assert "**cold**" in a.screen.panes.preview.text
            await a.press("enter")
            await until(lambda: not a.screen.panes.preview.display and a.texts[-1:] == ["cold"])
            await a.press(*"more")
            await until(lambda: a.screen.panes.preview.display)
            await a.press("alt+r")
            await until(lambda: not a.screen.panes.preview.display)
            assert a.screen.panes.composer.text == "more"
