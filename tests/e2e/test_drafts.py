"""Drafts as somebody finds them: every one can be opened and deleted, and opening loses nothing."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Bugs
from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import cursor_on, lines, yes
from tests.e2e.team import asked, channel, contents, team
from tests.live import Live, Person, until
from tui.cache.drafts import DraftFile
from tui.errors import ConfigError
from tui.narrow import Starred, TopicNarrow
from tui.screens import account_screen
from tui.screens.dialogs.listing import ListDialog


async def _list(player: AppDriver) -> list[str]:
    """Open the page of drafts; what its lines say, columns parted by one space."""
    player.screen.action_open_view("drafts")
    await until(lambda: isinstance(player.app.screen, ListDialog) and player.app.screen.is_mounted)
    await player.pilot.pause()
    return [" ".join(line.split()) for line in lines(player)]


async def _open(player: AppDriver, beginning: str) -> None:
    await cursor_on(player, beginning)
    await player.press("enter")
    await until(lambda: player.app.screen is player.screen)


async def _on_server(person: Person) -> dict[str, Any]:
    return {each["content"]: each for each in (await person.get("drafts"))["drafts"]}


async def test_every_draft_is_opened_and_what_was_begun_is_kept(
    server: Live, tmp_path: Path
) -> None:
    """Two of one topic, one without a recipient, one of a channel that is archived by now."""
    ann, _, tea = await team(server)
    gone = await channel(ann, "attic", ann)
    await ann.post(
        "drafts",
        drafts=[
            {"type": "stream", "to": [tea.channel_id], "topic": "tea", "content": text}
            for text in ("first", "second")
        ]
        + [
            {"type": "", "to": [], "topic": "", "content": "to nobody"},
            {"type": "stream", "to": [gone], "topic": "x", "content": "to the attic"},
        ],
    )
    await ann.delete(f"streams/{gone}")
    async with playing(server, ann, tmp_path) as a:
        await a.go(TopicNarrow(tea.channel_id, "milk"))
        composer = a.screen.panes.composer
        composer.focus()
        await a.press(*"begun")
        labels = await _list(a)
        # What was begun is listed once there was a pause, which a slow machine makes.
        assert sorted(each for each in labels if not each.startswith("begun")) == [
            "first to #design › tea",
            "second to #design › tea",
            "to nobody no recipient",
            "to the attic channel is gone",
        ]
        before = "begun"
        for text in ("first", "second", "to nobody", "to the attic", "begun"):
            await _open(a, text)
            await until(lambda text=text: composer.text == text)
            at_tea = TopicNarrow(tea.channel_id, "tea")
            if text in ("first", "second"):
                assert a.screen.account.composing.place == at_tea
            elif text != "begun":
                assert a.screen.account.composing.place is None
                assert "no recipient" in a.screen.panes.status_line.text
            labels = await _list(a)
            assert any(line.startswith(before) for line in labels)
            before = text
        assert len(labels) == 5
        await a.press("escape")


async def test_a_draft_is_deleted_after_a_question_on_the_server_too(
    server: Live, tmp_path: Path
) -> None:
    """Also the one that is in the composer, which is empty then."""
    ann, _, tea = await team(server)
    await ann.post("drafts", drafts=[{"type": "", "to": [], "topic": "", "content": "old"}])
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"new")
        a.screen.account.composing.keep()
        for text in ("new", "old"):
            await _list(a)
            await cursor_on(a, text)
            await a.press("d")
            assert await yes(a) == text
            await until(lambda text=text: not any(each.startswith(text) for each in lines(a)))
            await a.press("escape")
        await until(lambda: a.screen.panes.composer.text == "")

        async def none_left() -> bool:
            return await _on_server(ann) == {}

        await until(none_left)


async def test_what_was_written_before_its_place_was_chosen_goes_there(
    server: Live, tmp_path: Path
) -> None:
    """Enter asks where to; Ctrl+T chooses, and the words are still there, on the server as well."""
    ann, _, tea = await team(server)
    await ann.post(
        "drafts",
        drafts=[{"type": "stream", "to": [tea.channel_id], "topic": "tea", "content": "other"}],
    )
    async with playing(server, ann, tmp_path) as a:
        await a.go(Starred())
        assert a.screen.account.composing.place is None
        a.screen.panes.composer.focus()
        await a.press(*"words", "enter")
        await until(lambda: any("Ctrl+T" in each.message for each in a.app._notifications))

        async def kept() -> bool:
            return "words" in await _on_server(ann)

        await until(kept)
        assert (await _on_server(ann))["words"]["type"] == ""
        await a.press("ctrl+t")
        await asked(a)
        await a.press(*"tea", "enter")
        await until(lambda: a.screen.account.composing.place == tea)
        assert a.screen.panes.composer.text == "words"
        await a.press("enter")

        async def sent() -> bool:
            return (await contents(ann, tea.channel_id, "tea"))[-1] == "words"

        await until(sent)
        await _list(a)
        await until(lambda: [line.split()[0] for line in lines(a)] == ["other"])


async def test_a_draft_from_another_machine_appears_when_the_empty_composer_is_left(
    server: Live, tmp_path: Path
) -> None:
    """It came while the user was about to write here; then it was not shown until the conversation was opened again."""
    ann, _, tea = await team(server)
    draft = {"type": "stream", "to": [tea.channel_id], "topic": "tea", "content": "of my laptop"}
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("c")
        await ann.post("drafts", drafts=[draft])
        await until(lambda: bool(list(a.screen.account.session.store.drafts.only_on_server())))
        await a.pilot.pause()
        assert a.screen.panes.composer.text == ""
        await a.press("escape")
        await until(lambda: a.screen.panes.composer.text == "of my laptop")


async def test_quitting_on_a_full_disk_asks_for_the_draft(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bugs: Bugs
) -> None:
    """A draft that is in memory only is not lost by one key; with some space again, quitting saves it."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        left: list[int] = []
        monkeypatch.setattr(a.app, "exit", lambda *, return_code: left.append(return_code))
        a.screen.panes.composer.focus()
        await a.press(*"milk")

        def full(*_: object, **__: object) -> None:
            raise ConfigError("The disk is full.")

        with monkeypatch.context() as patched:
            patched.setattr(DraftFile, "put", full)
            await a.press("ctrl+q")
            await asked(a)
            await a.press("escape")
            await until(lambda: a.app.screen is a.screen)
            assert (left, a.screen.panes.composer.text) == ([], "milk")
            await a.press("ctrl+q")
            await asked(a)
            await a.press("ctrl+q")
            await until(lambda: left == [0])
            await a.press("escape")
            await until(lambda: a.app.screen is a.screen)
        await a.press("ctrl+q")
        await until(lambda: left == [0, 0])
        assert not a.screen.account.session.drafts.unwritten
        assert a.app.screen is a.screen
        assert set(bugs.take()) == {"The disk is full."}


async def test_a_draft_without_a_recipient_stays_when_a_slow_conversation_has_opened(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The topic that was opened before comes later: it does not take the composer."""
    ann, _, tea = await team(server)
    await ann.post("drafts", drafts=[{"type": "", "to": [], "topic": "", "content": "to nobody"}])
    async with playing(server, ann, tmp_path) as a:
        narrow, may_end, is_open = a.screen.account.open_narrow, asyncio.Event(), asyncio.Event()
        usual = narrow.open

        def slow(*of: Any) -> Awaitable[None]:
            opening = usual(*of)

            async def ends() -> None:
                await may_end.wait()
                await opening
                is_open.set()

            return ends()

        monkeypatch.setattr(narrow, "open", slow)
        a.screen.account.go(tea)
        await until(lambda: a.screen.account.composing.place == tea)
        await _list(a)
        await _open(a, "to nobody")
        await until(lambda: a.screen.panes.composer.text == "to nobody")
        may_end.set()
        await is_open.wait()
        await a.pilot.pause()
        assert a.screen.panes.composer.text == "to nobody"
        assert a.screen.account.composing.place is None


async def test_a_draft_is_saved_while_its_writer_makes_no_pause(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who types for a minute without stopping would lose that minute with a power cut."""
    ann, _, tea = await team(server)
    monkeypatch.setattr(account_screen, "PAUSE_SECONDS", 1000.0)
    monkeypatch.setattr(account_screen, "MOST_UNSAVED_SECONDS", 0.05)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"long")
        drafts = a.screen.account.session.store.drafts
        await until(lambda: [draft.content for draft in drafts.local.values()] == ["long"])
