"""The guide tells the truth: the keys it names do something, and the commands it names are there."""

import re
from pathlib import Path

from tests.shape.sources import ROOT
from tui.app import ChinwagApp
from tui.cli.arguments import parser
from tui.cli.completions import commands
from tui.keys import key_name
from tui.narrow.terms import HAS_OPERANDS, IS_OPERANDS, OPERATORS
from tui.screens.main import MainScreen
from tui.widgets.composer import Composer
from tui.widgets.overview_list import OverviewList
from tui.widgets.row_lists import ConversationList

GUIDE = (ROOT / "docs" / "guide" / "client.md").read_text("utf-8")
CODE = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", GUIDE, flags=re.DOTALL))
IN_DIALOGS = {"Ctrl+Y", "Ctrl+O", "Ctrl+C", "Alt+Enter"}
"""Keys of a dialog or of the terminal."""


def test_the_keys_of_the_guide_do_something() -> None:
    """Whoever tries what is written there is not left wondering."""
    widgets = (ChinwagApp, MainScreen, ConversationList, OverviewList, Composer)
    known = {
        key_name(key).casefold()
        for widget in widgets
        for key in widget._merge_bindings().key_to_bindings
    }
    named = {word for word in CODE if re.fullmatch(r"(?:Ctrl|Alt|Shift)\+\S+|F\d+", word)}
    assert len(named) > 20
    assert sorted(each for each in named - IN_DIALOGS if each.casefold() not in known) == []


def test_the_commands_and_operators_of_the_guide_are_there() -> None:
    """The command line and the language of searches, as they are."""
    whole = {command.name for command in commands(parser())}
    named = {found[1] for word in CODE if (found := re.match(r"chinwag ([a-z]+)", word))}
    assert named <= whole
    terms = [re.fullmatch(r"-?([a-z-]+):(?!//)(\S.*)", word) for word in CODE]
    operators = {found[1] for found in terms if found}
    assert {"sender", "has", "is"} <= operators <= OPERATORS
    assert all(f"`{each}`" in GUIDE or f":{each}`" in GUIDE for each in IS_OPERANDS | HAS_OPERANDS)


def test_the_pages_that_the_guide_points_to_are_there() -> None:
    """No link of it leads nowhere."""
    headings = re.findall(r"^#+ (.+)$", GUIDE, flags=re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}
    for target in re.findall(r"\]\(([^)]+)\)", GUIDE):
        here, _, anchor = target.partition("#")
        assert (ROOT / "docs" / "guide" / Path(here)).exists(), target
        assert not anchor or here or anchor in anchors, target
