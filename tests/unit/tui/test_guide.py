"""The guides tell the truth: their keys do something, their links lead somewhere, every page is in the site."""

import re
from argparse import _SubParsersAction
from pathlib import Path

import pytest

from tests.shape.sources import ROOT
from tui.app import ChinwagApp
from tui.cli.arguments import parser
from tui.keys import key_name
from tui.narrow.terms import HAS_OPERANDS, IS_OPERANDS, OPERATORS
from tui.screens.account_screen import AccountScreen
from tui.widgets.composer import Composer
from tui.widgets.overview_list import OverviewList
from tui.widgets.row_lists import ConversationList

GUIDE = (ROOT / "docs" / "guide" / "client.md").read_text("utf-8")
CODE = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", GUIDE, flags=re.DOTALL))
IN_DIALOGS = {"Ctrl+Y", "Ctrl+O", "Ctrl+C", "Ctrl+S", "Alt+Enter"}
"""Keys of a dialog or of the terminal."""


PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / "docs").glob("guide/*.md"),
]
"""What people read before they try it."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_keys_of_a_page_do_something(page: Path) -> None:
    """Whoever tries what is written there is not left wondering."""
    widgets = (ChinwagApp, AccountScreen, ConversationList, OverviewList, Composer)
    known = {
        key_name(key).casefold()
        for widget in widgets
        for key in widget._merge_bindings().key_to_bindings
    }
    text = re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL)
    words = re.findall(r"`([^`\n]+)`", text)
    named = {word for word in words if re.fullmatch(r"(?:Ctrl|Alt|Shift)\+\S+|F\d+", word)}
    assert page.stem != "client" or len(named) > 20
    assert sorted(each for each in named - IN_DIALOGS if each.casefold() not in known) == []


def test_the_commands_and_operators_of_the_guide_are_there() -> None:
    """The command line and the language of searches, as they are."""
    (commands,) = (each for each in parser()._actions if isinstance(each, _SubParsersAction))
    whole = set(commands.choices)
    named = {match[1] for word in CODE if (match := re.match(r"chinwag ([a-z]+)", word))}
    assert named <= whole
    terms = [re.fullmatch(r"-?([a-z-]+):(?!//)(\S.*)", word) for word in CODE]
    operators = {match[1] for match in terms if match}
    assert {"sender", "has", "is"} <= operators <= OPERATORS
    assert all(f"`{each}`" in GUIDE or f":{each}`" in GUIDE for each in IS_OPERANDS | HAS_OPERANDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    """Files exist, and the headings that are pointed to."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:|mailto:", target):
            continue
        there, _, anchor = target.partition("#")
        file = page.parent / there if there else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def anchors(page: Path) -> set[str]:
    """The names by which links point to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}


def test_the_site_has_every_page() -> None:
    """A page that is written is found in the navigation, and what the navigation names is there."""
    nav = set(
        re.findall(r"^ +- .*: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    )
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in PAGES[1:]}
    assert nav - {"changelog.md", "contributing.md", "security.md"} == pages
