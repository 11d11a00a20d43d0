"""A dialog looks the same whichever dialogs were open before: no order of style sheets decides."""

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest
from textual.app import App
from textual.containers import VerticalScroll

from tui import screens
from tui.screens.dialogs.base import Dialog
from tui.screens.dialogs.prefix import PrefixKeys
from tui.screens.dialogs.question import Question

for module in pkgutil.walk_packages(screens.__path__, f"{screens.__name__}."):
    importlib.import_module(module.name)


def _kinds(kind: type[Dialog[Any]]) -> Iterator[type[Dialog[Any]]]:
    for each in kind.__subclasses__():
        yield each
        yield from _kinds(each)


def _property(declaration: str) -> str:
    """Return the property, without the side of a margin, padding or border."""
    return re.sub("^(margin|padding|border)-.*", r"\1", declaration.split(":")[0].strip())


def _declarations(css: str, name: str) -> dict[tuple[str, str], str]:
    """Return the declarations by selector, with the dialog's own name as that of all, and property."""
    return {
        (re.sub(rf"\b{name}\b", "Dialog", selector.strip()), _property(each)): each
        for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", css)
        for selector in selectors.split(",")
        for each in body.split(";")
        if each.strip()
    }


@pytest.mark.parametrize("kind", sorted(set(_kinds(Dialog)), key=str))
def test_what_a_dialog_changes_of_all_dialogs_wins(kind: type[Dialog[Any]]) -> None:
    """Each dialog's sheet repeats the rules of all: the sheet that was loaded last would win a tie."""
    for_all = _declarations(Dialog.CSS, "Dialog")
    own = _declarations(kind.CSS.removeprefix(Dialog.CSS), kind.__name__)
    tied = [f"{at[0]} {{{own[at]}}}" for at in own.keys() & for_all.keys()]
    assert [each for each in tied if "!important" not in each] == []


async def test_the_keys_of_a_prefix_stay_at_the_bottom() -> None:
    """Also after another dialog was open."""
    app: App[None] = App()
    async with app.run_test(size=(120, 40)) as pilot:
        for dialog in (PrefixKeys("leader", {}), Question("Sure?", "", yes="Yes")):
            await app.push_screen(dialog)
            await app.pop_screen()
        await app.push_screen(PrefixKeys("leader", {}))
        await pilot.pause()
        region = app.screen.query_one(VerticalScroll).region
        assert (region.width, region.bottom) == (120, 39)
