"""The guide to the organization's pages and the pages agree: every page has a chapter, with its keys."""

import re

import pytest

from tests.shape.sources import ROOT
from tui.screens.organization.administration import PAGES, Entry

GUIDE = (ROOT / "docs" / "guide" / "organization.md").read_text("utf-8")
ORDERING = {"shift+up", "shift+down"}
NAMES = {"↑": "up", "↓": "down"}
BESIDE = {"channels": ("../channels/actions.py",), "bots": ("bot_keys.py", "bot_storage.py")}
"""Where actions of a page stand that are not in its own module."""
SPOKEN_OF = {
    "playgrounds": {"o"},
    "bots": {"v", "c", "r"},
    "channels": {"a", "d", "s", "i"},
    "integrations": {"v", "c"},
}
"""Keys in a chapter that belong to a dialog of the page."""


def chapter(title: str) -> str:
    """What the guide says of a page."""
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^#|\Z)", GUIDE, re.MULTILINE | re.DOTALL)
    assert match is not None, f"the guide has no chapter “{title}”"
    return re.sub(r"```.*?```", "", match[1], flags=re.DOTALL)


def documented(text: str) -> set[str]:
    """The keys that a chapter names: single letters, Enter, and those with Shift."""
    named = set(re.findall(r"`([a-z]|Enter|Shift\+[↑↓])`", text))
    return {re.sub("[↑↓]", lambda arrow: NAMES[arrow[0]], key.lower()) for key in named}


def acting(page: Entry) -> set[str]:
    """The keys of a page's module."""
    folder = ROOT / "tui" / "screens" / "organization"
    keys: set[str] = set()
    for file in (f"{page.name}.py", *BESIDE.get(page.name, ())):
        source = (folder / file).read_text("utf-8")
        keys |= set(re.findall(r'DialogAction\(\s*key="([^"]+)"', source))
        keys |= ORDERING if "move_actions" in source else set()
        keys |= ORDERING | {"enter", "d"} if "ordered_item_actions" in source else set()
        keys |= {"enter"} if "tui.screens.organization.settings_sections" in source else set()
    return keys


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_keys_of_a_page_are_those_of_its_chapter(page: Entry) -> None:
    """Whoever presses what is written there gets what is written there; nothing is left out."""
    said = documented(chapter(page.label))
    assert acting(page) <= said
    assert said - acting(page) <= SPOKEN_OF.get(page.name, set())
