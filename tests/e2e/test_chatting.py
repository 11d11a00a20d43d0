"""People chat: two apps, one server, one file. What one does, the other sees."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from textual.widgets import Button, Checkbox, Input, Static, TabbedContent

from server_lite.actions.credentials import hash_password
from server_lite.actions.users import create_user
from server_lite.store.users import Role
from tests.e2e.client import AppDriver, folders, playing
from tests.e2e.endpoints import uses
from tests.live import CHEAP, Live, Person, live, until
from tui.api.model import ChannelId, UserId
from tui.app import ChinwagApp
from tui.config import Settings
from tui.narrow import ChannelNarrow, DmNarrow, TopicNarrow
from tui.screens.account_screen import AccountScreen
from tui.screens.accounts.sign_in import SignInScreen


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    async with live(tmp_path / "server") as running:
        yield running


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    (tmp_path / "server").mkdir()
    return tmp_path


async def _team(server: Live) -> tuple[Person, Person, TopicNarrow]:
    """Ann and Ben, both in a channel with one topic that has one message of Ben's."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben")
    await ann.post(
        "users/me/subscriptions",
        subscriptions=[{"name": "design"}],
        principals=[ann.id, ben.id],
        send_new_subscription_messages=False,
    )
    answer = await ann.get("get_stream_id", stream="design")
    await ben.post("messages", type="stream", to="design", topic="tea", content="is the kettle on?")
    return ann, ben, TopicNarrow(ChannelId(answer["stream_id"]), "tea")


async def _write(player: AppDriver, text: str) -> None:
    player.screen.panes.composer.load_text(text)
    player.screen.panes.composer.focus()
    await player.press("enter")


@uses("POST /messages")
async def test_what_one_writes_the_other_sees_at_once(server: Live, tmp_path: Path) -> None:
    """Two people in one topic talk without either doing anything but write."""
    ann, ben, tea = await _team(server)
    async with (
        playing(server, ann, tmp_path, size=(80, 24)) as a,
        playing(server, ben, tmp_path, size=(80, 24)) as b,
    ):
        await a.go(tea)
        await b.go(tea)
        await _write(a, "it *is*")
        await b.sees(lambda: b.texts == ["is the kettle on?", "it is"])
        await a.sees(lambda: [row.sender for row in a.rows] == ["Ben", "Ann"])
        assert a.texts == ["is the kettle on?", "it is"], "the echo became the message"
        assert a.screen.panes.composer.text == ""


async def test_unread_counts_fall_when_what_is_new_was_on_screen(
    server: Live, tmp_path: Path
) -> None:
    """A count stands beside the channel until its messages were looked at."""
    ann, ben, tea = await _team(server)
    await ann.post("messages/flags", messages=[1], op="add", flag="read")
    async with playing(server, ann, tmp_path, settings=Settings(mark_read=False)) as a:
        await a.sees(lambda: a.count("design") >= 0)
        before = a.count("design")
        await ben.post("messages", type="stream", to="design", topic="milk", content="and milk?")
        await a.sees(lambda: a.count("design") == before + 1)
    async with playing(server, ann, tmp_path) as a:
        await a.go(ChannelNarrow(tea.channel_id))
        await a.sees(lambda: a.count("design") == 0)


async def test_a_conversation_opens_at_what_is_new(server: Live, tmp_path: Path) -> None:
    """The line above the first unread message says how many there are."""
    ann, ben, tea = await _team(server)
    await ben.post("messages", type="stream", to="design", topic="tea", content="hello?")
    async with playing(server, ann, tmp_path, settings=Settings(mark_read=False)) as a:
        await a.go(tea)
        line = next(row for row in a.screen.panes.messages.items if row.key == "unread")
        assert line.revision == 2


@uses(
    "DELETE /messages/{message_id}/reactions",
    "GET /events",
    "GET /messages",
    "GET /users/me/{stream_id}/topics",
    "POST /messages/{message_id}/reactions",
)
async def test_a_reaction_is_added_and_taken_back_by_key(server: Live, tmp_path: Path) -> None:
    """`+`, a few letters and Enter react; `=` takes it back."""
    ann, ben, tea = await _team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("k", "plus")
        await a.sees(lambda: bool(a.app.screen is not a.screen and a.app.screen.query(Input)))
        await a.press(*"tada", "enter")
        await a.sees(lambda: [chip.text for row in a.rows for chip in row.chips] == ["🎉"])
        await until(lambda: _said(ben, "reactions", ["tada"]))
        await a.press("equals_sign")
        await until(lambda: _said(ben, "reactions", []))


@uses("DELETE /messages/{message_id}", "GET /messages/{message_id}", "PATCH /messages/{message_id}")
async def test_an_edit_and_a_deletion_reach_everybody(server: Live, tmp_path: Path) -> None:
    """`e` brings one's own message into the composer, and saving leads back to it; `d` deletes it after a question."""
    ann, ben, tea = await _team(server)
    await ann.post("messages", type="stream", to="design", topic="tea", content="tee")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await a.press("end", "k", "e")
        await a.sees(lambda: a.screen.panes.composer.text == "tee")
        await _write(a, "tea")
        await a.sees(lambda: a.rows[-1].marks == ("edited",))
        await until(lambda: _said(ben, "content", "<p>tea</p>"))
        assert a.screen.panes.messages.has_focus  # where the edit began
        await a.press("d")
        await a.sees(lambda: a.app.screen is not a.screen)
        a.app.screen.query_one("#yes", Button).press()
        await until(lambda: _said(ben, "content", "<p>is the kettle on?</p>"))
        await a.sees(lambda: a.texts == ["is the kettle on?"])


async def _said(reader: Person, field: str, expected: object) -> bool:
    """Whether the newest message is so for somebody else; of reactions, their names."""
    page = await reader.get("messages", anchor="newest", num_before=1, num_after=0)
    value = page["messages"][-1][field]
    if field == "reactions":
        value = [each["emoji_name"] for each in value]
    return bool(value == expected)


async def test_a_draft_survives_the_app_and_comes_back_where_it_was(
    server: Live, tmp_path: Path
) -> None:
    """What was begun is there after a restart, in its own conversation only."""
    ann, _, tea = await _team(server)
    notes = DmNarrow(frozenset({UserId(ann.id)}))
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"milk")
        await a.go(notes)
        assert a.screen.panes.composer.text == ""
        a.screen.panes.composer.focus()
        await a.press(*"eggs", "ctrl+q")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        assert a.screen.panes.composer.text == "milk"
        await a.go(notes)
        assert a.screen.panes.composer.text == "eggs", "not even the last letters are lost"


@uses("GET /server_settings", "POST /fetch_api_key")
async def test_signing_in_by_password_leads_to_the_conversations(
    server: Live, tmp_path: Path
) -> None:
    """Server, email and password are enough; a wrong password is told in a sentence."""
    await server.app.database.write(
        lambda tx: create_user(
            tx,
            email="ann@example.com",
            full_name="Ann",
            role=Role.OWNER,
            password=hash_password(CHEAP, "correct horse"),
        )
    )
    app = ChinwagApp(folders=folders(tmp_path, "ann"), settings=Settings(), zuliprc=None)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(lambda: bool(app.screen.query("#password-password")))
        screen = app.screen
        assert isinstance(screen, SignInScreen)
        screen.query_one(TabbedContent).active = "password"
        await pilot.pause()
        screen.query_one("#password-site", Input).value = server.url
        screen.query_one("#password-email", Input).value = "ann@example.com"
        screen.query_one("#password-http", Checkbox).value = True
        screen.query_one("#password-password", Input).value = "wrong"
        screen.query_one("#by-password", Button).press()
        await until(lambda: "password" in str(screen.query_one("#trouble", Static).content))
        screen.query_one("#password-password", Input).value = "correct horse"
        screen.query_one("#by-password", Button).press()
        await until(lambda: isinstance(app.screen, AccountScreen))


async def test_a_key_that_is_revoked_leads_to_signing_in_again(
    server: Live, tmp_path: Path
) -> None:
    """Signed out elsewhere, one is told so, and can sign in anew."""
    ann, ben, tea = await _team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        await ann.post("users/me/api_key/regenerate")
        await ben.post("messages", type="direct", to=[ann.id], content="are you there?")
        await a.sees(lambda: isinstance(a.app.screen, SignInScreen))

        def trouble() -> str:
            return " ".join(str(e.content) for e in a.app.screen.query("#trouble").results(Static))

        await a.sees(lambda: "Signed out" in trouble())


async def test_a_name_is_completed_while_it_is_typed(server: Live, tmp_path: Path) -> None:
    """A few letters after @ and Enter write the mention; the message is not sent by that."""
    ann, _, tea = await _team(server)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"@be")
        await a.sees(lambda: a.screen.panes.completion_list.is_open)
        await a.press("enter")
        await a.sees(lambda: a.screen.panes.composer.text == "@**Ben** ")
        assert len(a.texts) == 1
