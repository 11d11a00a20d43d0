"""Files go up with a message and come down into the folder for them."""

import asyncio
import stat
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Button, Input

from tests.e2e.client import playing
from tests.e2e.endpoints import uses
from tests.e2e.team import asked, team, write
from tests.live import Live, until
from tui.commands.uploads import Uploads
from tui.config import Settings


@uses("GET /user_uploads/{realm_id_str}/{filename}", "POST /user_uploads")
async def test_a_file_is_attached_and_saved_by_the_other(server: Live, tmp_path: Path) -> None:
    """Ann attaches a plan; Ben saves it, twice, and has it twice."""
    ann, ben, tea = await team(server)
    plan = tmp_path / "plan [1].txt"
    plan.write_text("two cups")
    settings = Settings(downloads=str(tmp_path / "saved"))
    async with (
        playing(server, ann, tmp_path) as a,
        playing(server, ben, tmp_path, settings=settings) as b,
    ):
        await a.go(tea)
        await b.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"see", "alt+u")
        await asked(a)
        a.app.screen.query_one(Input).value = str(tmp_path / "plan")
        await a.press("tab", "enter")
        await until(lambda: "user_uploads" in a.screen.panes.composer.text)
        assert a.screen.panes.composer.text.startswith("see [plan (1).txt](/user_uploads/")
        await write(a, a.screen.panes.composer.text)
        await until(lambda: b.texts[-1].startswith("see plan"))
        b.screen.panes.messages.focus()
        await b.press("end", "k", "a")
        await until(lambda: len(list((tmp_path / "saved").glob("plan*"))) == 1)
        await b.press("a")
        await until(lambda: len(list((tmp_path / "saved").glob("plan*"))) == 2)
        for path in (tmp_path / "saved").iterdir():
            assert path.read_text() == "two cups"
            assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_a_link_goes_where_the_file_was_attached(
    server: Live, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is typed until the file is there stays in one piece, with the cursor behind it."""
    ann, _, tea = await team(server)
    plan = tmp_path / "plan.txt"
    plan.write_text("two cups")
    typed = asyncio.Event()
    send = Uploads.send

    async def after_typing(*arguments: Any, **named: Any) -> Any:
        await typed.wait()
        return await send(*arguments, **named)

    monkeypatch.setattr(Uploads, "send", after_typing)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        await a.press(*"see", "alt+u")
        await asked(a)
        a.app.screen.query_one(Input).value = str(plan)
        await a.press("enter")
        await until(lambda: a.screen.panes.status_line.text.count("attaching") == 1)
        await a.press("space", *"it is n")
        typed.set()
        await until(lambda: "user_uploads" in a.screen.panes.composer.text)
        await a.press(*"ew")
        text = a.screen.panes.composer.text
        assert text.startswith("see [plan.txt](/user_uploads/")
        assert text.endswith(") it is new")


async def test_a_pasted_path_becomes_the_file(server: Live, tmp_path: Path) -> None:
    """A file dropped on the terminal is offered to be attached, in place of its path."""
    ann, _, tea = await team(server)
    plan = tmp_path / "plan.txt"
    plan.write_text("two cups")
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.focus()
        a.paste(str(plan))
        await asked(a)
        a.app.screen.query_one("#yes", Button).press()
        await until(lambda: a.screen.panes.composer.text.startswith("[plan.txt]("))
        assert str(plan) not in a.screen.panes.composer.text


async def test_a_file_that_cannot_be_sent_costs_no_word(server: Live, tmp_path: Path) -> None:
    """The refusal is told, and what was written is still there."""
    ann, _, tea = await team(server)
    plan = tmp_path / "huge.bin"
    with plan.open("wb") as file:
        file.truncate(200 * 2**20)
    async with playing(server, ann, tmp_path) as a:
        await a.go(tea)
        a.screen.panes.composer.load_text("see this")
        a.screen.panes.composer.focus()
        await a.press("alt+u")
        await asked(a)
        a.app.screen.query_one(Input).value = str(plan)
        await a.press("enter")
        await until(lambda: any("the limit is" in n.message for n in a.app._notifications))
        assert a.screen.panes.composer.text == "see this"
        assert "attaching" not in a.screen.panes.status_line.text
