"""One account in two windows, on one machine and on two; and words that meet something unexpected."""

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
from textual import events

from tests.e2e.client import AppDriver, playing
from tests.e2e.team import asked, contents, team, write
from tests.faults.cutting import cuttable
from tests.live import Live, live, until
from tui.commands import drafts
from tui.screens import account_controller, account_screen
from tui.widgets.status_line import StatusLine


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server") as running:
        yield running


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses are short."""
    monkeypatch.setattr(drafts, "PAUSE_SECONDS", 0.02)
    monkeypatch.setattr(account_screen, "PAUSE_SECONDS", 0.02)
    monkeypatch.setattr(account_controller, "TICK_SECONDS", 0.02)


def _kept(player: AppDriver) -> list[str]:
    """Drafts of this machine, and those of others that the server keeps."""
    known = player.screen.account.session.store.drafts
    here = [draft.content for draft in known.local.values()]
    return sorted([*here, *(draft.content for draft in known.only_on_server())])


@pytest.mark.parametrize("machines", [1, 2])
async def test_two_windows_keep_everything(server: Live, tmp_path: Path, machines: int) -> None:
    """What I write in one goes on in the other; written in both at once, both are kept."""
    ann, _, tea = await team(server)
    other = tmp_path / "other" if machines == 2 else tmp_path
    async with playing(server, ann, tmp_path) as a, playing(server, ann, other) as b:
        await a.go(tea)
        await b.go(tea)
        for each in (a, b):
            each.screen.panes.composer.focus()
        await a.press(*"half")
        await until(lambda: _kept(a) == ["half"])
        await until(lambda: _kept(b) == ["half"])
        assert b.screen.panes.composer.text == ""  # its user is about to write
        b.screen.account.composing.write_to(None)
        b.screen.account.composing.write_to(tea)
        assert b.screen.panes.composer.text == "half"
        await a.press("!")
        await until(lambda: b.screen.panes.composer.text == "half!")
        # Both go on before either has heard of the other.
        a.screen.panes.composer.load_text("half! from here")
        b.screen.panes.composer.load_text("half! from there")
        await until(lambda: _kept(a) == _kept(b) == ["half! from here", "half! from there"])
        await write(a, a.screen.panes.composer.text)
        await until(lambda: _kept(a) == _kept(b) == ["half! from there"])
        assert b.screen.panes.composer.text == "half! from there"
        await write(b, b.screen.panes.composer.text)
        await until(lambda: _kept(a) == _kept(b) == [])
        assert (await contents(ann, tea.channel_id, "tea"))[1:] == [
            "half! from here",
            "half! from there",
        ]


async def test_a_draft_begun_on_another_machine_appears_in_the_open_conversation(
    server: Live, tmp_path: Path
) -> None:
    """At my desk the conversation is open: what I began on the laptop is in its composer, and goes once sent."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a, playing(server, ann, tmp_path / "other") as b:
        await a.go(tea)
        await b.go(tea)
        a.screen.panes.composer.focus()
        b.screen.panes.messages.focus()
        await a.press(*"half")
        await until(lambda: b.screen.panes.composer.text == "half")
        await write(a, "half")
        await until(lambda: b.screen.panes.composer.text == "")
        assert _kept(b) == []
        b.screen.account.composing.write_to(None)
        b.screen.account.composing.write_to(tea)
        assert b.screen.panes.composer.text == ""


async def test_a_draft_that_was_sent_elsewhere_is_no_draft_here(
    server: Live, tmp_path: Path
) -> None:
    """The other window sent it: it does not stay here to be sent once more."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"done")
        await until(lambda: _kept(a) == ["done"])
        async with playing(server, ann, tmp_path) as b:
            await b.go(tea)
            assert b.screen.panes.composer.text == "done"
            await write(a, "done")
            await until(lambda: b.screen.panes.composer.text == "")
            assert _kept(b) == []


async def test_a_change_of_a_message_outlives_everything_but_esc(
    server: Live, tmp_path: Path
) -> None:
    """I go elsewhere, or the program ends: F8 has it, and e goes on where I was."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await write(a, "to be")
        await until(lambda: a.texts[-1] == "to be" and len(a.rows) == 2)
        a.screen.panes.messages.focus()
        await a.press("end", "e")
        await until(lambda: a.screen.account.composing.editing is not None)
        await a.press(*" or not")
        a.screen.action_open_view("mentions")
        await until(lambda: a.screen.account.composing.editing is None)
        assert a.screen.panes.composer.text == ""
    async with playing(server, ann, tmp_path) as a:
        await a.press("f8")
        await asked(a)
        await a.press("enter")
        await until(lambda: a.screen.panes.composer.text == "to be or not")
        assert a.screen.account.composing.editing is not None
        await a.press("enter")

        async def changed() -> bool:
            return (await contents(ann, tea.channel_id, "tea"))[-1] == "to be or not"

        await until(changed)
        await until(lambda: not a.screen.account.session.edits.all())


async def test_what_is_typed_after_enter_is_the_next_message(server: Live, tmp_path: Path) -> None:
    """Fast fingers: no letter is lost, and none gets into the message before."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.pilot.pause()
        for key in [*"one", "enter", *"two", "enter", *"three"]:
            a.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await until(lambda: a.texts[1:] == ["one", "two"])
        await until(lambda: a.screen.panes.composer.text == "three")


@pytest.mark.parametrize("way", ["key", "click"])
async def test_a_file_on_its_way_is_stopped(server: Live, tmp_path: Path, way: str) -> None:
    """Too large for this line: one key or click, and it is over; nothing comes back after a restart."""
    ann, _, tea = await team(server)
    plan = tmp_path / "plan.txt"
    plan.write_text("two cups")
    async with cuttable(server.url) as wire:
        server.url = wire.url
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            gate = wire.stop(b"POST /api/v1/user_uploads ", "answer")
            a.screen.account.run(partial(a.screen.account.compose_actions.attachments.upload, plan))
            await gate.reached.wait()
            line = a.screen.query_one(StatusLine)
            await until(lambda: "attaching plan.txt" in line.text)
            a.screen.panes.messages.focus()
            if way == "key":
                await a.press("alt+x")
            else:
                await a.pilot.click(StatusLine, offset=(8, 0))
            await until(lambda: "attaching" not in line.text)
            assert a.screen.panes.composer.text == ""
            assert a.screen.account.session.uploads.adopt() == []
            assert a.screen.account.session.database.rows("SELECT * FROM upload") == []
