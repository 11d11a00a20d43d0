"""Bots as their people look after them: made, given out, told what to keep, closed."""

import hashlib
import hmac
import stat
from pathlib import Path

import pytest
from textual.widgets import Input, Static

from server_lite.store.users import Role
from server_lite.web.identicons import pattern
from tests.e2e.client import AppDriver, playing
from tests.e2e.dialogs import (
    choose_file,
    cursor_on,
    fill,
    form,
    lines,
    page,
    refused,
    save,
    typed,
    yes,
)
from tests.e2e.endpoints import uses
from tests.e2e.team import contents, team
from tests.live import Live, until
from tui.accounts import read_zuliprc
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.listing import ListDialog
from tui.screens.dialogs.secret import HIDDEN, Secret


async def _secret(player: AppDriver) -> None:
    """Wait for the dialog of a key."""
    await player.sees(lambda: isinstance(player.app.screen, Secret))
    await player.pilot.pause()


def _shown(player: AppDriver) -> str:
    return str(player.app.screen.query_one("#secret", Static).content)


@uses(
    "POST /bots",
    "GET /bots/{bot_id}/api_key",
    "POST /bots/{bot_id}/api_key/regenerate",
)
async def test_a_bot_is_made_and_its_key_is_not_shown_unasked(server: Live, tmp_path: Path) -> None:
    """A name that is taken costs no word; the zuliprc is for its owner alone and overwrites nothing."""
    ann = await server.person("Ann")
    async with playing(server, ann, tmp_path) as a:
        await page(a, "bots")
        await a.press("n")
        await a.sees(lambda: isinstance(a.app.screen, Chooser))
        await typed(a, "generic")
        await form(a)
        await fill(a, "full_name", "Ann")
        await fill(a, "short_name", "echo")
        assert await refused(a) == "Name is already in use."
        await fill(a, "full_name", "Echo")
        await save(a)
        await _secret(a)
        assert _shown(a) == HIDDEN
        (bot,) = (await ann.get("bots"))["bots"]
        key = bot["api_key"]
        await a.press("v")
        await a.sees(lambda: _shown(a) == key)
        await a.press("v")
        await a.sees(lambda: _shown(a) == HIDDEN)
        await a.press("c")
        await a.sees(lambda: a.app.clipboard == key)

        taken = tmp_path / "echo.zuliprc"
        taken.write_text("mine")
        await a.press("s")
        await form(a)
        await fill(a, "path", str(taken))
        await save(a)
        saved = tmp_path / "echo (1).zuliprc"
        assert (taken.read_text(), read_zuliprc(saved).key) == ("mine", key)
        assert stat.S_IMODE(saved.stat().st_mode) == 0o600

        await _secret(a)
        await a.press("r")
        await yes(a)
        await _secret(a)
        await a.press("c")
        await a.sees(lambda: a.app.clipboard != key)
        shown = await ann.get(f"bots/{bot['user_id']}/api_key")
        assert shown["api_key"] == a.app.clipboard


@uses(
    "GET /bots",
    "PATCH /bots/{bot_id}",
    "DELETE /bots/{bot_id}",
    "POST /users/{user_id}/reactivate",
)
async def test_a_bot_gets_another_name_and_owner_and_is_closed(
    server: Live, tmp_path: Path
) -> None:
    """An administrator sees everybody's bots; what an outgoing one calls is there to be changed."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben")
    await ben.post("bots", full_name="Bens", short_name="bens")
    called = {"bot_type": 3, "payload_url": "https://x.example/1"}
    made = await ann.post("bots", full_name="Hook", short_name="hook", **called)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "bots")
        assert [line.split()[0] for line in lines(a)] == ["Hook", "Bens"]
        assert "outgoing webhook · owned by Ann" in lines(a)[0]
        await a.press("enter")
        shown = await form(a)
        assert shown.query_one("#field-payload_url", Input).value == "https://x.example/1"
        await fill(a, "owner", "Ben")
        await fill(a, "full_name", "Caller")
        await fill(a, "payload_url", "https://x.example/2")
        await fill(a, "trigger_words", "deploy")
        assert "then letters" in await refused(a)
        await fill(a, "trigger_words", "/deploy")
        await save(a)
        await cursor_on(a, "Caller  outgoing webhook · owned by Ben")
        (service,) = (await ben.get("bots"))["bots"][-1]["services"]
        assert (service["base_url"], service["trigger_words"]) == (
            "https://x.example/2",
            ["/deploy"],
        )

        image = tmp_path / "face.png"
        image.write_bytes(pattern("face", 20))
        await a.press("p")
        await choose_file(a, image)
        await a.sees(lambda: isinstance(a.app.screen, ListDialog))
        bot_id = made["user_id"]
        known = a.screen.account.session.store.users.by_id
        await a.sees(lambda: known[bot_id].avatar_version > 1)

        await cursor_on(a, "Caller")
        await a.press("d")
        assert "disconnected at once" in await yes(a)
        await a.sees(lambda: "deactivated" in lines(a)[1])
        await cursor_on(a, "Caller")
        await a.press("d")
        await a.sees(lambda: "deactivated" not in lines(a)[1])


@uses("GET /bot_storage", "PUT /bot_storage", "DELETE /bot_storage")
async def test_what_a_bot_keeps_is_looked_at_and_put(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Values are seen, changed and deleted; too much is refused, and is still there to be cut."""
    ann = await server.person("Ann")
    made = await ann.post("bots", full_name="Echo", short_name="echo")
    bot = server.client(auth=("echo-bot@chinwag.local", made["api_key"]))
    monkeypatch.setattr("server_lite.actions.bots.MAX_STORAGE", 100)
    await bot.put("bot_storage", data={"storage": f'{{"book": "{"x" * 80}", "seen": "12"}}'})
    async with playing(server, ann, tmp_path) as a:
        await page(a, "bots")
        await a.press("s")
        await cursor_on(a, "seen  12")
        await a.press("enter")
        await form(a)
        await fill(a, "value", "far too much by now")
        assert "limit is 100 characters" in await refused(a)
        await fill(a, "value", "13")
        await save(a)
        await cursor_on(a, "seen  13 · 2 characters")
        await cursor_on(a, "book")
        await a.press("d")
        await yes(a)
        await until(lambda: lines(a) == ["seen  13 · 2 characters"])
        await a.press("n")
        await form(a)
        await fill(a, "name", "mood")
        await fill(a, "value", "fine")
        await save(a)
        await until(lambda: len(lines(a)) == 2)
        assert (await bot.get("bot_storage")).json()["storage"] == {"mood": "fine", "seen": "13"}


async def test_a_member_has_their_own_bots_only(server: Live, tmp_path: Path) -> None:
    """Bots of others are not listed; Esc close a form and the page."""
    ann, ben = await server.person("Ann", role=Role.OWNER), await server.person("Ben")
    await ann.post("bots", full_name="Anns", short_name="anns")
    await ben.post("bots", full_name="Bens", short_name="bens")
    async with playing(server, ben, tmp_path) as b:
        await page(b, "bots")
        assert [line.split()[0] for line in lines(b)] == ["Bens"]
        await b.press("enter")
        await form(b)
        await b.press("escape")
        await b.sees(lambda: isinstance(b.app.screen, ListDialog))
        await b.press("escape")
        await b.sees(lambda: b.app.screen is b.screen)


async def test_the_address_of_a_webhook_is_shown_and_a_service_posts_to_it(
    server: Live, tmp_path: Path
) -> None:
    """After the bot is made and from its line; the key in it is not shown unasked."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "bots")
        await a.press("n")
        await a.sees(lambda: isinstance(a.app.screen, Chooser))
        await typed(a, "incoming")
        await form(a)
        await fill(a, "full_name", "Builds")
        await fill(a, "webhook", "JSON")
        await fill(a, "channel", "design")
        await fill(a, "topic", "builds")
        await save(a)
        await _secret(a)
        (bot,) = (await ann.get("bots"))["bots"]
        key = bot["api_key"]
        place = f"stream={tea.channel_id}&topic=builds"
        hidden = f"{server.url}/api/v1/external/json?api_key=••••••••&{place}"
        assert _shown(a) == hidden
        await a.press("c")
        await a.sees(lambda: key in a.app.clipboard)
        assert _shown(a) == hidden
        await ann.patch(f"streams/{tea.channel_id}", new_name="drawings")
        posted = await server.client().post(a.app.clipboard, json={"content": "all green"})
        assert posted.json()["result"] == "success"  # the channel's new name changes nothing
        await a.press("escape")
        await cursor_on(a, "Builds")
        await a.press("w")
        await form(a)
    assert await contents(ann, tea.channel_id, "builds") == ["all green"]


async def test_an_integration_is_created_signed_and_closed(server: Live, tmp_path: Path) -> None:
    """One form makes the bot and shows the URL; the secret goes to the server and is not shown again."""
    ann, _, tea = await team(server)
    async with playing(server, ann, tmp_path) as a:
        await page(a, "integrations")
        await a.press("n")
        await form(a)
        await fill(a, "webhook", "Jenkins")
        await fill(a, "channel", "design")
        await fill(a, "secret", "s3cret")
        assert await refused(a) == "Jenkins does not sign. Leave the secret empty."
        await fill(a, "webhook", "GitHub")
        await save(a)
        await _secret(a)
        await a.press("c")
        await a.sees(lambda: "external/github?api_key=" in a.app.clipboard)
        body, header = b'{"zen": "x"}', {"x-github-event": "ping"}
        signed = hmac.new(b"s3cret", body, hashlib.sha256).hexdigest()
        http, url = server.client(), a.app.clipboard
        assert (await http.post(url, content=body, headers=header)).status_code == 400
        header["x-hub-signature-256"] = f"sha256={signed}"
        assert (await http.post(url, content=body, headers=header)).status_code == 200
        await a.press("escape")
        await cursor_on(a, "GitHub")
        await a.press("e")
        await form(a)
        await fill(a, "content_template", "{{who}} did it")
        await fill(a, "no_secret", True)
        await save(a)
        http_json = url.replace("external/github", "external/json") + "&topic=x"
        assert (await http.post(http_json, json={"who": "Bob"})).status_code == 200
        await cursor_on(a, "GitHub")
        await a.press("d")
        await yes(a)
        await a.sees(lambda: lines(a)[0].startswith("No integrations"))
    assert await contents(ann, tea.channel_id, "x") == ["Bob did it"]
