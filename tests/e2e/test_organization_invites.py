"""Bringing people in: links for many and for one, what a colleague is told, taking it back."""

import asyncio
import shlex
from pathlib import Path

import pytest

from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import actions, card, cursor_on, fill, form, lines, page, refused, save, yes
from tests.e2e.endpoints import uses
from tests.e2e.team import channel, team
from tests.live import Live
from tui.accounts import last_used, read_zuliprc
from tui.cli.main import main
from tui.config import folders
from tui.screens.dialogs.card import Card
from tui.view import invites

NEWCOMER = {"full_name": "Zoe", "email": "zoe@example.com", "password": "very long and secret"}


async def _card(player: AppDriver) -> str:
    await player.sees(
        lambda: isinstance(player.app.screen, Card) and "chinwag join" in card(player)
    )
    return card(player)


@uses("GET /invites", "POST /invites/multiuse", "DELETE /invites/multiuse/{invite_id}")
async def test_a_link_for_many_is_made_passed_on_and_revoked(server: Live, tmp_path: Path) -> None:
    """The link and the command to run are shown and copied; who has the link comes in as it says."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "invites")
        await a.press("l")
        await form(a)
        await fill(a, "role", "guest")
        await fill(a, "channels", "design")
        await fill(a, "minutes", "never")
        await save(a)
        said = await _card(a)
        command_line = next(line for line in said.splitlines() if line.startswith("chinwag join"))
        await a.press("k")
        await a.sees(lambda: "as guest · never expires · by you" in lines(a)[0])
        command, link = a.app.clipboard, a.app.clipboard.split("'")[1]
        assert command == f"chinwag join '{link}'"
        assert command_line.strip() == command  # on one line, for whoever copies it with the mouse
        assert link in said
        joined = await server.client().post(link, json=NEWCOMER)
        assert joined.json()["result"] == "success"
        await a.press("d")
        assert "People who have already joined stay." in await yes(a)
        await a.sees(lambda: lines(a) == ["No open invitations."])
    members = await ann.get(f"streams/{tea.channel_id}/members")
    assert joined.json()["user_id"] in members["subscribers"]
    again = await server.client().post(link, json={**NEWCOMER, "email": "zo@example.com"})
    assert again.status_code >= 400


@uses("POST /invites", "POST /invites/{invite_id}/resend", "DELETE /invites/{invite_id}")
async def test_people_are_invited_by_address(server: Live, tmp_path: Path) -> None:
    """A bad address is said in the form; each gets a link of their own, again if it is lost."""
    ann, _, _ = await team(server)
    later = await channel(ann, "later", ann)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "invites")
        await a.press("n")
        await form(a)
        await fill(a, "defaults", True)
        await fill(a, "notify", False)
        await fill(a, "welcome", "Ask me anything!")
        await fill(a, "emails", "zoe@example.com, nobody")
        told = await refused(a)
        assert "did not validate" in told
        assert "nobody: " in told, "which address is meant"
        await fill(a, "emails", "zoe@example.com\nyan@example.com")
        await save(a)
        said = await _card(a)
        assert "zoe@example.com" in said
        assert "yan@example.com" in said
        await a.press("escape")
        await cursor_on(a, "yan@example.com")
        await a.press("s")
        link = next(word for word in (await _card(a)).split() if "/join/" in word)
        assert (await server.client().get(link)).json()["email"] == "yan@example.com"
        await a.press("escape", "d")
        await yes(a)
        await a.sees(lambda: len(lines(a)) == 1)
    (invite,) = (await ann.get("invites"))["invites"]
    assert invite["notify_referrer_on_join"] is False
    await ann.post("default_streams", stream_id=later)  # since she was invited
    joined = (await server.client().post(invite["link_url"], json=NEWCOMER)).json()
    assert joined["user_id"] in (await ann.get(f"streams/{later}/members"))["subscribers"]
    zoe = server.client(auth=(NEWCOMER["email"], joined["api_key"]))
    greetings = await zoe.get("messages?anchor=newest&num_before=9&num_after=0")
    assert "Ask me anything!" in greetings.text


async def test_a_member_sees_and_revokes_only_their_own(server: Live, tmp_path: Path) -> None:
    """Where members may invite; a new one of somebody else does not show."""
    ann, ben, _ = await team(server)
    groups = await ann.get("user_groups")
    members = next(each for each in groups["user_groups"] if each["name"] == "role:members")
    await ann.patch("realm", create_multiuse_invite_group={"new": members["id"]})
    await ann.post("invites/multiuse", stream_ids=[])
    async with playing(server, ben, tmp_path) as b:
        await page(b, "invites")
        assert lines(b) == ["No open invitations."]
        await b.sees(lambda: "reusable link" in actions(b).replace("\xa0", " "))
        await ben.post("invites/multiuse", stream_ids=[])
        await b.sees(lambda: lines(b)[0].startswith("reusable link"))
        await cursor_on(b, "reusable link")
        await b.press("d")
        await yes(b)
        await b.sees(lambda: lines(b) == ["No open invitations."])
    assert len((await ann.get("invites"))["invites"]) == 1


async def test_the_command_that_is_passed_on_makes_an_account_and_signs_it_in(
    server: Live,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line in a shell: who the invitation is for is known already, and the next start is signed in."""
    ann, _, _ = await team(server)
    made = await ann.post("invites", invitee_emails="zoe@example.com", stream_ids=[])
    link = made["invite_links"]["zoe@example.com"]
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("CHINWAG_SECRET", "very long and secret")
    command = invites.command(link)
    assert await asyncio.to_thread(main, [*shlex.split(command)[1:], "--name", "Zoe"]) == 0
    said = capsys.readouterr()
    assert said.out == f"zoe@example.com at {server.url}\n"
    assert "You are invited to" in said.err
    account = read_zuliprc(last_used(folders()) or tmp_path)
    who = await server.client(auth=(account.email, account.key)).get("users/me")
    assert who.json()["full_name"] == "Zoe"
    assert await asyncio.to_thread(main, [*shlex.split(command)[1:], "--name", "Zoe"]) == 1
    assert await asyncio.to_thread(main, ["join", "https://example.com/elsewhere"]) == 1
    assert "not an invitation link" in capsys.readouterr().err
