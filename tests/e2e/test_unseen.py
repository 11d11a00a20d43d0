"""Small things that go to the server unseen: presence, drafts as they grow, what is read at once."""

from pathlib import Path

import pytest
from textual.widgets import TextArea

from tests.e2e.client import playing
from tests.e2e.endpoints import uses
from tests.e2e.team import answered, asked, team
from tests.live import live, until
from tui.config import Settings


@uses("POST /drafts", "PATCH /drafts/{draft_id}", "DELETE /drafts/{draft_id}")
async def test_a_draft_is_on_the_server_while_it_grows(
    tmp_path: Path, asked_for: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Begun here, it can be gone on with at another machine; thrown away, it is gone there too."""
    monkeypatch.setattr("tui.commands.drafts.PAUSE_SECONDS", 0.01)
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)

        async def drafts() -> list[str]:
            return [each["content"] for each in (await ann.get("drafts"))["drafts"]]

        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.composer.focus()
            await a.press(*"milk")
            a.screen.account.keep_draft()
            await until(lambda: "POST /drafts" in asked_for)
            assert await drafts() == ["milk"]
            await a.press(*"!")
            a.screen.account.keep_draft()
            await until(lambda: "PATCH /drafts/{draft_id}" in asked_for)
            assert await drafts() == ["milk!"]
            a.screen.panes.composer.load_text("")
            a.screen.account.keep_draft()
            await until(lambda: "DELETE /drafts/{draft_id}" in asked_for)
            assert await drafts() == []


@uses("POST /messages/flags/narrow")
async def test_a_conversation_is_unread_again_from_a_message_on(tmp_path: Path) -> None:
    """`u` keeps for later what one has no time for now."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        async with playing(server, ann, tmp_path, settings=Settings(mark_read=False)) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("ctrl+r")
            await a.sees(lambda: a.count("tea") == 0)
            await a.press("u")
            await a.sees(lambda: a.count("tea") == 1)

            async def on_server() -> bool:
                state = await ann.post(
                    "register", fetch_event_types=["message", "update_message_flags"]
                )
                return bool(state["unread_msgs"]["count"] == 1)

            await until(on_server)


async def test_nothing_becomes_unread_in_a_channel_that_one_has_not_joined(tmp_path: Path) -> None:
    """The server ignores it, so that is said, and no count pretends otherwise."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        await ann.delete("users/me/subscriptions", subscriptions=["design"])
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.messages.focus()
            await a.press("k", "u")
            words = "You have not joined #design: messages there stay read."
            await until(lambda: words in [each.message for each in a.app._notifications])
            assert not a.rows[0].is_unread
            assert not a.screen.account.session.store.unread_ids(tea)


@uses("PATCH /saved_snippets/{saved_snippet_id}")
async def test_a_snippet_gets_other_words(tmp_path: Path) -> None:
    """What one says often changes with the time."""
    async with live(tmp_path) as server:
        ann, _, tea = await team(server)
        await ann.post("saved_snippets", title="bye", content="Regards")
        async with playing(server, ann, tmp_path) as a:
            await a.go(tea)
            a.screen.panes.composer.focus()
            await a.press("alt+i")
            await asked(a)
            await a.press(*"edit", "enter")
            await until(lambda: bool(a.app.screen.query(TextArea)))
            await a.pilot.pause()
            a.app.screen.query_one(TextArea).load_text("Cheers")
            await a.press("ctrl+s")
            await answered(a)
            snippets = a.screen.account.session.store.snippets
            await until(lambda: [each.content for each in snippets.all()] == ["Cheers"])


@uses("POST /users/me/presence")
async def test_one_is_there_as_soon_as_the_screen_is(tmp_path: Path, asked_for: set[str]) -> None:
    """Others see that I am back when I come back, not a minute later."""
    async with live(tmp_path) as server:
        ann, ben, _ = await team(server)
        async with playing(server, ann, tmp_path):
            await until(lambda: "POST /users/me/presence" in asked_for)
            answer = await ben.get(f"users/{ann.id}/presence")
            assert answer["presence"]["aggregated"]["status"] == "active"
