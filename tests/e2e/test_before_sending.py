"""Between Enter and the message being sent: limits, questions, and where it goes."""

from pathlib import Path

from textual import events
from textual.widgets import Button, Input

from tests.e2e.client import playing
from tests.e2e.endpoints import uses
from tests.e2e.team import KETTLE, answered, asked, channel, contents, team, write
from tests.live import Live, until
from tui.narrow import TopicNarrow
from tui.screens.dialogs.status import StatusDialog
from tui.widgets.card_body import CardBody


async def test_what_is_too_long_stays_where_it_is(server: Live, tmp_path: Path) -> None:
    """The counter says how much too long it is; Enter sends nothing and loses nothing."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.composer.focus()
        longest = a.screen.session.store.realm.limits.max_message_length
        a.screen.composer.load_text("x" * (longest - 3))
        await until(lambda: "3 characters left" in a.screen.status_line.text)
        a.screen.composer.load_text("x" * (longest + 2))
        await until(lambda: "2 characters too long" in a.screen.status_line.text)
        await a.press("enter")
        await until(lambda: any("too long" in n.message for n in a.app._notifications))
        assert len(a.screen.composer.text) == longest + 2
        a.screen.composer.load_text("short")
        await until(lambda: "characters" not in a.screen.status_line.text)
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
        assert a.screen.composer.text == "thanks"
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
        a.app.screen.query_one(Input).value = "news"
        await a.press("enter")
        await until(lambda: a.screen.open_narrow.is_shown(TopicNarrow(hall, "news")))
        text = a.screen.composer.text
        assert f"@_**Ben|{ben.id}** [said](#narrow/" in text
        assert KETTLE in text
        await write(a, text)
        await until(lambda: len(a.rows) == 2)
        assert KETTLE in a.texts[-1]


async def test_a_command_is_completed(server: Live, tmp_path: Path) -> None:
    """A slash and a letter are enough to begin a poll."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.composer.focus()
        await a.press("slash", "p")
        await until(lambda: a.screen.completion_list.is_open)
        await a.press("tab")
        await until(lambda: a.screen.composer.text == "/poll ")


async def test_alt_and_a_letter_is_a_key_and_no_letter(server: Live, tmp_path: Path) -> None:
    """Terminals send Alt+W as Escape and w: it asks for the status, and types nothing."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.composer.focus()
        await a.press("h")
        a.app.post_message(events.Key("alt+w", "w"))
        await asked(a)
        assert isinstance(a.app.screen, StatusDialog)
        assert a.screen.composer.text == "h"


@uses("POST /messages/render")
async def test_what_is_written_is_shown_as_it_will_look(server: Live, tmp_path: Path) -> None:
    """Alt+R draws it with people's names and links; Esc goes on writing, and nothing was sent."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.composer.focus()
        await a.press("alt+r")
        assert any("write something first" in each.message for each in a.app._notifications)
        a.screen.composer.load_text("**hot** tea, @**Ben**")
        await a.press("alt+r")
        await asked(a)
        body = a.app.screen.query_one(CardBody)
        await a.sees(lambda: "hot tea, @Ben" in _drawn(body))
        assert "**" not in _drawn(body)
        await a.press("escape")
        await answered(a)
        assert a.screen.composer.has_focus
        assert a.screen.composer.text == "**hot** tea, @**Ben**"
        assert (await contents(ann, tea.channel_id, "tea")) == [KETTLE]


def _drawn(body: CardBody) -> str:
    return "\n".join(body.render_line(y).text for y in range(body.size.height))
