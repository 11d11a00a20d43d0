"""What is written now and happens later: scheduled messages, reminders, snippets."""

from pathlib import Path

import pytest
from textual.widgets import Input, Static, TextArea

from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import yes
from tests.e2e.endpoints import uses
from tests.e2e.team import KETTLE, answered, asked, contents, team
from tests.live import Live, until
from tui.errors import ServerFailed

DAY = 86_400


async def _choose(player: AppDriver, *keys: str) -> None:
    """Answer the dialog that is open, and the next that comes."""
    await asked(player)
    screen = player.app.screen
    await player.press(*keys)
    await until(lambda: player.app.screen is not screen)


@uses(
    "DELETE /scheduled_messages/{scheduled_message_id}",
    "PATCH /scheduled_messages/{scheduled_message_id}",
    "POST /scheduled_messages",
)
async def test_a_message_is_sent_later_and_then_now(server: Live, tmp_path: Path) -> None:
    """It waits on the server, can get other words, and can be sent at once after all."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"milk", "alt+l")
        await asked(a)
        a.app.screen.query_one("#when", Input).value = "tomorrow 9"
        await _choose(a, "enter")
        await until(lambda: a.count("Scheduled") == 1)
        await until(
            lambda: a.screen.panes.composer.text == ""
        )  # by the answer, which the event may overtake
        await until(lambda: a.count("Drafts") == 0)

        await a.press("f10")
        await _choose(a, "enter")
        await _choose(a, *"edit", "enter")
        await asked(a)
        a.app.screen.query_one(TextArea).load_text("oat milk")
        await _choose(a, "ctrl+s")
        waiting = a.screen.account.session.store.scheduled
        await until(lambda: [each.content for each in waiting.all()] == ["oat milk"])

        await a.press("f10")
        await _choose(a, "enter")
        await _choose(a, *"send", "enter")
        await until(lambda: a.texts == [KETTLE, "oat milk"])
        await until(lambda: a.count("Scheduled") == -1)
        assert (await ann.get("scheduled_messages"))["scheduled_messages"] == []
        await until(lambda: not a.screen.account.session.store.outbox.by_id)
        assert (await contents(ann, tea.channel_id, "tea")) == [KETTLE, "oat milk"]


async def test_a_time_that_is_none_costs_no_word(server: Live, tmp_path: Path) -> None:
    """The dialog stays until it has a time to come, and Esc leaves what was written."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"milk", "alt+l")
        await asked(a)
        await a.press(*"soon", "enter")
        assert a.app.screen is not a.screen
        await a.press("escape")
        await answered(a)
        assert a.screen.panes.composer.text == "milk"
        assert (await ann.get("scheduled_messages"))["scheduled_messages"] == []


@uses("DELETE /reminders/{reminder_id}", "POST /reminders")
async def test_a_reminder_leads_back_to_its_message(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`l` sets it for tomorrow by the server's clock; the list of what waits leads to the message and can drop it."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        presences = a.screen.account.session.store.presences
        presences.server_ahead += DAY  # the clock of this machine is a day late
        monkeypatch.setattr(presences, "compare_clocks", lambda *_: frozenset())
        await a.press("k", "l")
        await asked(a)
        await a.press(*"tomorrow", "down", *"bring", "space", *"cups", "up", "end", "space", "9")
        assert a.app.screen.query_one("#when", Input).value == "tomorrow 9"
        await _choose(a, "enter")
        await until(lambda: a.count("Scheduled") == 1)
        (reminder,) = a.screen.account.session.store.reminders.all()
        assert DAY < reminder.scheduled_delivery_timestamp - a.screen.account.clock() < 3 * DAY
        a.screen.action_open_view("starred")
        await a.press("f10")
        await _choose(a, "enter")
        await _choose(a, "enter")
        await until(lambda: a.screen.account.open_narrow.is_shown(tea))
        await a.press("f10")
        await _choose(a, "enter")
        await _choose(a, *"resched", "enter")
        await asked(a)
        a.app.screen.query_one("#when", Input).value = "1 jan 2100 9:00"
        await _choose(a, "enter")
        await until(lambda: _reminded(a) == [("bring cups", 2100)])
        await a.press("f10")
        await _choose(a, "enter")
        await _choose(a, *"delete", "enter")
        assert await yes(a) == "bring cups"
        await until(lambda: a.count("Scheduled") == -1)


def _reminded(player: AppDriver) -> list[tuple[str, int]]:
    """The notes of the reminders, and their years."""
    return [
        (each.content, player.screen.account.times.local(each.scheduled_delivery_timestamp).year)
        for each in player.screen.account.session.store.reminders.all()
    ]


@uses("DELETE /saved_snippets/{saved_snippet_id}", "POST /saved_snippets")
async def test_a_snippet_is_kept_and_used_again(server: Live, tmp_path: Path) -> None:
    """What is written becomes a snippet, and the snippet becomes what is written."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"Regards", "alt+i")
        await _choose(a, *"save", "enter")
        await asked(a)
        a.app.screen.query_one(Input).value = "goodbye"
        await _choose(a, "ctrl+s")
        await until(lambda: len(a.screen.account.session.store.snippets.all()) == 1)
        a.screen.panes.composer.load_text("")
        a.screen.panes.composer.focus()
        await a.press("alt+i")
        await _choose(a, *"goodb", "enter")
        await until(lambda: a.screen.panes.composer.text == "Regards")
        await a.press("alt+i")
        await _choose(a, *"delete", "enter")
        await _choose(a, "right", "enter")
        await until(lambda: not a.screen.account.session.store.snippets.all())


@uses("PATCH /saved_snippets/{saved_snippet_id}", "POST /saved_snippets")
async def test_what_the_server_does_not_take_stays_in_the_dialog(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the server fails, a new snippet and a changed one say so; another Ctrl+S saves what I wrote."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        snippets = a.screen.account.session.store.snippets

        async def fails(*_: object, **__: object) -> None:
            raise ServerFailed("/saved_snippets", 502, retry_after=None)

        async def saves_in_the_end(name: str, text: str) -> None:
            await asked(a)
            dialog = a.app.screen
            dialog.query_one(Input).value = "hi"
            dialog.query_one(TextArea).load_text(text)
            with monkeypatch.context() as patch:
                patch.setattr(f"tui.commands.saved_snippets.{name}", fails)
                await a.press("ctrl+s")
                await until(lambda: "502" in str(dialog.query_one("#trouble", Static).content))
            await _choose(a, "ctrl+s")
            await until(lambda: [each.content for each in snippets.all()] == [text])

        await a.press("alt+i")
        await _choose(a, *"save", "enter")
        await saves_in_the_end("create", "Good morning")
        await a.press("alt+i")
        await _choose(a, *"edit", "enter")
        await saves_in_the_end("edit", "Good evening")
