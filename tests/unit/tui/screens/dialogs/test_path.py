"""Asking for a file: how it begins, and what a path that is typed or pasted does to what stands there."""

from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input, OptionList

from tests.unit.tui.screens.dialogs.asking import asking
from tui.screens.dialogs.path import PathPrompt
from tui.widgets.hint_line import HintLine


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, and beside it a folder with two files."""
    home, papers = tmp_path / "home", tmp_path / "papers"
    home.mkdir()
    papers.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for name in ("plan.txt", "photo one.png"):
        (papers / name).write_text("x")
    return home


def _lines(dialog: PathPrompt) -> list[str]:
    return [str(each.prompt) for each in dialog.query_one(OptionList).options]


@pytest.mark.usefixtures("home")
async def test_it_opens_without_an_error() -> None:
    """A home without visible files is no mistake of mine; a name that is not there is told."""
    dialog = PathPrompt("Attach a file")
    async with asking(dialog) as (app, pilot):
        assert dialog.query_one(HintLine).hints == [
            ("Enter", "Attach"), ("Tab", "Complete"), ("Esc", "Close"),
        ]  # fmt: skip
        assert _lines(dialog) == ["No visible files here. Type a path."]
        await pilot.press("x")
        assert _lines(dialog) == ["No such file."]
        await pilot.press("enter")
        assert app.answers == []


async def test_an_absolute_path_takes_the_place_of_the_proposed_folder(home: Path) -> None:
    """Its slash begins anew, and so does a tilde; the rest is completed."""
    dialog = PathPrompt("Attach a file")
    async with asking(dialog) as (app, pilot):
        field = dialog.query_one(Input)
        await pilot.press("~")
        assert field.value == "~"
        await pilot.press("/", "/")
        assert (field.value, field.cursor_position) == ("/", 1)
        field.value = f"{home.parent}/papers/pl"
        await pilot.pause()
        assert _lines(dialog) == ["plan.txt"]
        await pilot.press("enter")
        assert app.answers == [home.parent / "papers/plan.txt"]


@pytest.mark.parametrize("form", ["{}", "'{}'\n", "file://{}", "{} "])
async def test_a_pasted_path_is_taken_as_terminals_write_it(home: Path, form: str) -> None:
    """A dropped file comes quoted, or as an address."""
    path = home.parent / "papers/photo one.png"
    text = str(path).replace(" ", "%20") if form.startswith("file") else str(path)
    dialog = PathPrompt("Attach a file")
    async with asking(dialog) as (app, pilot):
        app.post_message(events.Paste(form.format(text)))
        await pilot.pause()
        assert dialog.query_one(Input).value == str(path)
        await pilot.press("enter")
        assert app.answers == [path]


@pytest.mark.usefixtures("home")
async def test_other_text_is_put_in_where_the_cursor_is() -> None:
    """Also what a terminal would obey, which is shown and not sent to it."""
    dialog = PathPrompt("Attach a file")
    async with asking(dialog) as (app, pilot):
        app.post_message(events.Paste("plan\x1b]0;x\x07\r\n"))
        await pilot.pause()
        assert dialog.query_one(Input).value == "~/plan␛]0;x␇"
