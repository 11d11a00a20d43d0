"""Dialogs are asked whether they are open in the one way that is true, and no screen leaves work behind."""

import ast
from typing import Final

from tests.shape.sources import modules, nodes

KNOWS: Final = {
    "tui/screens/dialogs/base.py": "`is_open` is made of it",
    "tui/screens/accounts/accounts.py": "screens of accounts that are in its list are not closed",
}


def test_nothing_asks_a_screen_whether_it_was_mounted_once() -> None:
    """Textual's `is_mounted` stays true when a dialog has closed; what comes late asks `is_open`."""
    asking = {
        name
        for name, tree in modules("tui")
        for node in nodes(tree)
        if isinstance(node, ast.Attribute) and node.attr == "is_mounted"
    }
    assert {name for name in asking if name.startswith("tui/screens/")} == set(KNOWS)


def test_every_screen_cancels_its_workers_before_its_widgets_go() -> None:
    """Textual cancels them last; an answer that came meanwhile found no screen."""
    bases = {
        node.name: {ast.unparse(base).split("[")[0] for base in node.bases}
        for name, tree in modules("tui")
        for node in nodes(tree)
        if isinstance(node, ast.ClassDef) and name.startswith("tui/")
    }
    of_textual = {name for name, above in bases.items() if above & {"Screen", "ModalScreen"}}
    assert "AccountScreen" in of_textual
    assert {name for name in of_textual if "CancelWorkersMixin" not in bases[name]} == set()
