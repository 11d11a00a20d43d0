"""Operates forms, lists and choices of a dialog as users do: read, choose, fill in, save."""

from pathlib import Path

from textual.widgets import Button, Checkbox, Input, Static, TextArea

from tests.e2e.client import AppDriver
from tui.screens.dialogs.chooser import Chooser
from tui.screens.dialogs.form import Form
from tui.screens.dialogs.listing import ListDialog
from tui.screens.dialogs.multi_select import MultiSelect
from tui.screens.dialogs.path import PathPrompt
from tui.screens.dialogs.question import Question
from tui.widgets.card_body import CardBody
from tui.widgets.choice_list import ChoiceList


async def page(player: AppDriver, name: str) -> None:
    """Open a page of the organization, and wait for its lines."""
    player.screen.action_organization(name)
    await player.sees(lambda: isinstance(player.app.screen, ListDialog) and bool(lines(player)))


def lines(player: AppDriver) -> list[str]:
    """Return the texts of the list's lines."""
    lists = player.app.screen.query("#rows").results(ChoiceList)
    return [each for listed in lists for each in listed.lines]


def line(player: AppDriver, name: str) -> str:
    """Return the first line with this start, its columns separated by one space; "" if there is none."""
    matching = (each for each in lines(player) if each.startswith(name))
    return " ".join(next(matching, "").split())


def card(player: AppDriver) -> str:
    """Return the text of a card's open page; "" while there is none."""
    bodies = player.app.screen.query(CardBody)
    return str(bodies.first().render()) if bodies else ""


def preview(player: AppDriver) -> str:
    """Return the form's preview of its current fields."""
    return str(player.app.screen.query_one("#preview", Static).content)


def trouble(player: AppDriver) -> str:
    """Return the error shown in the dialog."""
    return str(player.app.screen.query_one("#trouble", Static).content).strip()


def actions(player: AppDriver) -> str:
    """Return the actions for the line under the cursor."""
    return str(player.app.screen.query_one("#actions", Static).content)


async def cursor_on(player: AppDriver, words: str) -> None:
    """Put the cursor on the line with this start."""
    await player.sees(lambda: any(line.startswith(words) for line in lines(player)))
    listed = player.app.screen.query_one("#rows", ChoiceList)
    listed.cursor = next(i for i, line in enumerate(lines(player)) if line.startswith(words))
    await player.pilot.pause()


async def form(player: AppDriver) -> Form:
    """Wait for a form."""
    await player.sees(lambda: isinstance(player.app.screen, Form) and player.app.screen.is_mounted)
    await player.pilot.pause()
    shown = player.app.screen
    assert isinstance(shown, Form)
    return shown


async def fill(player: AppDriver, name: str, value: str | bool) -> None:
    """Fill a field of the form with a text, a tick, or the choice with this label."""
    field = player.app.screen.query_one(f"#field-{name}")
    match field:
        case Input():
            field.value = str(value)
        case TextArea():
            field.load_text(str(value))
        case Checkbox():
            field.value = bool(value)
        case Button():
            shown = player.app.screen
            field.press()
            await player.sees(lambda: isinstance(player.app.screen, Chooser | MultiSelect))
            await typed(player, str(value))
            await player.sees(lambda: player.app.screen is shown)
        case _:
            raise AssertionError(field)
    await player.pilot.pause()


async def typed(player: AppDriver, *words: str) -> None:
    """In a choice: type each text and press Enter; in a multiple choice, tick each and confirm."""
    screen = player.app.screen
    await player.sees(lambda: bool(screen.query("#wanted")))
    for each in words:
        player.paste(each)
        await player.press("enter")
    if isinstance(screen, MultiSelect):
        await player.press("ctrl+s")


async def choose_file(player: AppDriver, path: Path) -> None:
    """Answer the question for a file."""
    await player.sees(lambda: isinstance(player.app.screen, PathPrompt))
    await player.pilot.pause()
    player.app.screen.query_one("#path", Input).value = str(path)
    await player.press("enter")


async def save(player: AppDriver) -> None:
    """Send the form, and wait until the server accepted it."""
    shown = player.app.screen
    await player.press("ctrl+s")
    await player.sees(lambda: player.app.screen is not shown or trouble(player) not in ("", "…"))
    assert player.app.screen is not shown, trouble(player)


async def refused(player: AppDriver) -> str:
    """Send the form, and wait for the error."""
    player.app.screen.query_one("#trouble", Static).update("")
    await player.press("ctrl+s")
    await player.sees(lambda: trouble(player) not in ("", "…"))
    return trouble(player)


async def yes(player: AppDriver) -> str:
    """Answer a question with yes; returns its text."""
    await player.sees(lambda: isinstance(player.app.screen, Question))
    await player.pilot.pause()
    asked = player.app.screen
    said = str(asked.query_one(".description", Static).content)
    asked.query_one("#yes", Button).press()
    await player.sees(lambda: player.app.screen is not asked)
    return said
