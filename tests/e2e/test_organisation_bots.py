"""Bots as their people look after them: made, given out, told what to keep, closed."""

import stat
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from textual.widgets import Input, OptionList, Static, TextArea

from server_lite.store.users import Role
from tests.e2e.client import Player, playing
from tests.e2e.endpoints import uses
from tests.e2e.team import asked
from tests.live import Live, live, until
from tui.accounts import read_zuliprc
from tui.api.model import User
from tui.screens.dialogs.form import Form
from tui.screens.dialogs.listing import Listing
from tui.screens.dialogs.question import Question
from tui.screens.dialogs.secret import HIDDEN, Secret


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Live]:
    (tmp_path / "server").mkdir()
    async with live(tmp_path / "server") as running:
        yield running


async def _opened(player: Player, page: str) -> None:
    """Open a page of the organisation."""
    player.screen.action_organisation(page)
    await until(lambda: isinstance(player.app.screen, Listing))
    await player.pilot.pause()


async def _fill(player: Player, **fields: str) -> None:
    """Write into the fields of the form that is open, and send it."""
    await until(lambda: isinstance(player.app.screen, Form))
    await player.pilot.pause()
    for name, text in fields.items():
        field = player.app.screen.query_one(f"#field-{name}")
        if isinstance(field, TextArea):
            field.load_text(text)
        else:
            assert isinstance(field, Input)
            field.value = text
    await player.press("ctrl+s")


def _lines(player: Player) -> list[str]:
    listed = player.app.screen.query_one("#rows", OptionList)
    return [str(option.prompt) for option in listed.options if not option.disabled]


def _says(player: Player, where: str) -> str:
    return str(player.app.screen.query_one(where, Static).content)


def _bot(player: Player, name: str) -> User:
    everybody = player.screen.session.store.users.by_id.values()
    return next(user for user in everybody if user.full_name == name)


@uses("POST /bots", "GET /bots/{bot_id}/api_key", "POST /bots/{bot_id}/api_key/regenerate")
async def test_a_bot_is_made_and_its_key_is_not_shown_unasked(server: Live, tmp_path: Path) -> None:
    """A member makes one; a name that is taken costs no word; its zuliprc is for them alone."""
    ann = await server.person("Ann")
    async with playing(server, ann, tmp_path) as a:
        await _opened(a, "bots")
        await a.press("n")
        await asked(a)
        await a.press("enter")
        await _fill(a, full_name="Ann", short_name="echo")
        await until(lambda: "in use" in _says(a, "#trouble"))
        await _fill(a, full_name="Echo")
        await until(lambda: isinstance(a.app.screen, Secret))
        await a.pilot.pause()
        assert _says(a, "#secret") == HIDDEN
        key = (await ann.get(f"bots/{_bot(a, 'Echo').user_id}/api_key"))["api_key"]
        await a.press("v")
        await until(lambda: _says(a, "#secret") == key)
        await a.press("v")
        await until(lambda: _says(a, "#secret") == HIDDEN)
        await a.press("c")
        await until(lambda: a.app.clipboard == key)

        taken = tmp_path / "echo.zuliprc"
        taken.write_text("mine")
        await a.press("s")
        await _fill(a, path=str(taken))
        await until(lambda: isinstance(a.app.screen, Secret))
        assert taken.read_text() == "mine"
        saved = tmp_path / "echo (1).zuliprc"
        assert stat.S_IMODE(saved.stat().st_mode) == 0o600
        assert read_zuliprc(saved).key == key

        await a.pilot.pause()
        await a.press("r")
        await until(lambda: isinstance(a.app.screen, Question))
        await a.pilot.pause()
        await a.press("right", "enter")
        await until(lambda: isinstance(a.app.screen, Secret))
        await a.pilot.pause()
        await a.press("c")
        await until(lambda: a.app.clipboard != key)
        assert (await ann.get(f"bots/{_bot(a, 'Echo').user_id}/api_key"))[
            "api_key"
        ] == a.app.clipboard


@uses(
    "GET /bots", "PATCH /bots/{bot_id}", "DELETE /bots/{bot_id}", "POST /users/{user_id}/reactivate"
)
async def test_a_bot_gets_another_name_and_owner_and_is_closed(
    server: Live, tmp_path: Path
) -> None:
    """An administrator sees everybody's bots; what an outgoing one calls is there to be changed."""
    ann = await server.person("Ann", role=Role.OWNER)
    ben = await server.person("Ben")
    await ben.post("bots", full_name="Bens", short_name="bens")
    made = await ann.post(
        "bots", full_name="Hook", short_name="hook", bot_type=3, payload_url="https://x.example/1"
    )
    async with playing(server, ann, tmp_path) as a:
        await _opened(a, "bots")
        assert [line.split()[0] for line in _lines(a)] == ["Hook", "Bens"]
        assert "outgoing webhook · of Ann" in _lines(a)[0]
        await a.press("enter")
        await until(lambda: isinstance(a.app.screen, Form))
        await a.pilot.pause()
        assert a.app.screen.query_one("#field-payload_url", Input).value == "https://x.example/1"
        await a.press("tab", "enter")
        await until(lambda: not isinstance(a.app.screen, Form))
        await a.pilot.pause()
        await a.press(*"Ben", "enter")
        await _fill(a, full_name="Caller", payload_url="https://x.example/2")
        await until(lambda: "of Ben" in _lines(a)[1] and "Caller" in _lines(a)[1])
        services = (await ben.get("bots"))["bots"][-1]["services"]
        assert services[0]["base_url"] == "https://x.example/2"

        await a.press("end", "d")
        await until(lambda: isinstance(a.app.screen, Question))
        await a.pilot.pause()
        await a.press("right", "enter")
        await until(lambda: isinstance(a.app.screen, Listing) and "deactivated" in _lines(a)[1])
        bot_id = made["user_id"]
        assert not a.screen.session.store.users.by_id[bot_id].is_active
        await a.press("end", "d")
        await until(lambda: "deactivated" not in _lines(a)[1])


@uses("GET /bot_storage", "PUT /bot_storage", "DELETE /bot_storage")
async def test_what_a_bot_keeps_is_looked_at_and_put(server: Live, tmp_path: Path) -> None:
    """Values are seen, changed and deleted; too much is refused, and is still there to be cut."""
    ann = await server.person("Ann")
    made = await ann.post("bots", full_name="Echo", short_name="echo")
    bot = server.client(auth=("echo-bot@chinwag.local", made["api_key"]))
    book = "x" * 9_999_980
    await bot.put("bot_storage", data={"storage": f'{{"book": "{book}", "seen": "12"}}'})
    async with playing(server, ann, tmp_path) as a:
        await _opened(a, "bots")
        await a.press("s")
        await until(lambda: _lines(a)[1:] == ["seen  12 · 2 characters"])
        await a.press("end", "enter")
        await _fill(a, value="far too much by now")
        await until(lambda: "limit is 10000000 characters" in _says(a, "#trouble"))
        await _fill(a, value="13")
        await until(lambda: _lines(a)[1:] == ["seen  13 · 2 characters"])
        await a.press("home", "d")
        await until(lambda: isinstance(a.app.screen, Question))
        await a.pilot.pause()
        await a.press("right", "enter")
        await until(lambda: _lines(a) == ["seen  13 · 2 characters"])
        await a.press("n")
        await _fill(a, name="mood", value="fine")
        await until(lambda: len(_lines(a)) == 2)
        assert (await bot.get("bot_storage")).json()["storage"] == {"mood": "fine", "seen": "13"}
