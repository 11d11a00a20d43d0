"""Keys that come in one read, in a real terminal: each goes where it would have gone if typed slowly."""

from pathlib import Path

from textual import events
from textual.widgets import Input

from tests.e2e.client import playing
from tests.e2e.team import KETTLE, asked, contents, team, write
from tests.faults.cutting import cuttable
from tests.live import Live, Person, until
from tests.real_terminal import real_client
from tui.narrow import TopicNarrow

TEA = "channel:design topic:tea"


async def _says(person: Person, place: TopicNarrow, *texts: str) -> None:
    async def there() -> bool:
        return await contents(person, place.channel_id, place.topic) == list(texts)

    await until(there)


async def test_a_burst_of_keys_is_what_slow_fingers_would_do(server: Live, tmp_path: Path) -> None:
    """Write, clear, send, jump elsewhere and write there: all in one read, and nothing goes astray."""
    ann, ben, tea = await team(server)
    await ben.post("messages", type="stream", to="design", topic="milk", content="any left?")
    async with real_client(server, ann, tmp_path, narrow=TEA) as seen:
        await seen.until(KETTLE.encode())
        seen.send(b"cwrong\x15right\r\x05next\r\t\x0bmilk\rcplenty\r")
        await _says(ann, tea, KETTLE, "right", "next")
        await _says(ann, TopicNarrow(tea.channel_id, "milk"), "any left?", "plenty")


async def test_keys_before_the_first_frame_are_keys(server: Live, tmp_path: Path) -> None:
    """I type while the program starts and asks the terminal things: it is written and sent."""
    ann, _, tea = await team(server)
    async with real_client(server, ann, tmp_path, narrow=TEA) as seen:
        await seen.until(KETTLE.encode())  # from now on it begins here, with what the disk has
    async with real_client(server, ann, tmp_path, narrow=TEA, warm=False) as seen:
        await seen.until(b"\x1b[6n")
        seen.send(b"cearly\r")
        await _says(ann, tea, KETTLE, "early")
        seen.send(b"bird\r")
        await _says(ann, tea, KETTLE, "early", "bird")


async def test_words_for_an_edit_wait_until_it_begins(server: Live, tmp_path: Path) -> None:
    """The server is slow: I am told what is waited for, and what I type is in the edit, no command."""
    ann, _, tea = await team(server)
    async with cuttable(server.url) as wire:
        server.url = wire.url
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            await write(a, "tea")
            await until(lambda: a.texts[-1] == "tea" and len(a.rows) == 2)
            a.screen.panes.messages.focus()
            await a.press("end")
            gate = wire.stop(b"GET /api/v1/messages/", "answer")
            await a.press(*"e times", "enter")
            await gate.reached.wait()
            await until(lambda: "fetching the message" in a.screen.panes.status_line.text)
            assert a.texts[-1] == "tea"
            wire.gates.clear()
            gate.opened.set()
            await until(lambda: a.texts[-1] == "tea times")
            assert a.screen.panes.composer.text == ""


async def test_an_edit_that_never_begins_costs_no_words(server: Live, tmp_path: Path) -> None:
    """Esc goes on without an answer; what I typed for it is in the composer, and nothing was done."""
    ann, _, tea = await team(server)
    async with cuttable(server.url) as wire:
        server.url = wire.url
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            await write(a, "tea")
            await until(lambda: a.texts[-1] == "tea" and len(a.rows) == 2)
            a.screen.panes.messages.focus()
            gate = wire.stop(b"GET /api/v1/messages/", "answer")
            await a.press("end", *"e*dx")
            await gate.reached.wait()
            await a.press("escape")
            await until(lambda: a.screen.panes.composer.text == "*dx")
            assert a.screen.account.composing.editing is None
            assert "fetching" not in a.screen.panes.status_line.text
            assert not any(row.is_starred for row in a.rows)
            gate.opened.set()
            await a.press("k")
            await until(lambda: a.screen.panes.messages.selected == a.rows[0])


async def test_alt_and_a_letter_types_nothing_into_a_field(server: Live, tmp_path: Path) -> None:
    """A key of the main screen, pressed while something is asked, neither acts nor leaves a letter."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("ctrl+k")
        await asked(a)
        dialog = a.app.screen
        for letter in "wlipuxo":
            a.app.post_message(events.Key(f"alt+{letter}", None))
        await a.press("m")
        await until(lambda: dialog.query_one(Input).value == "m")
        assert a.app.screen is dialog
