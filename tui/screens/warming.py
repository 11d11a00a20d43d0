"""Prepares the dialogs while the program is idle, so that their first opening is quick. Shows nothing.

Modules are imported and their rules parsed: Textual parses the rules of all screens again when a dialog of
another kind is opened for the first time, and applies them to every widget.
"""

from __future__ import annotations

import asyncio
import inspect
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from textual.app import App

from tui.textual_import import import_widgets

if TYPE_CHECKING:
    # Imported while the program is idle, by the dialogs.
    from tui.screens.dialogs.base import Dialog

AFTER: Final = 1.0
"""Seconds: the account is on screen by then, and early keys are not delayed."""
MODULES: Final = (
    "tui.screens.dialogs.help",
    "tui.screens.navigation.searching",
    "tui.screens.navigation.navigator",
    "tui.screens.palette",
)
"""The modules behind F1, /, Ctrl+K and Ctrl+P."""
KINDS: Final = (
    ("tui.screens.dialogs.help", "Help"),
    ("tui.screens.dialogs.search", "SearchPrompt"),
    ("tui.screens.dialogs.chooser", "Chooser"),
)
"""Their dialogs. No more: rules that all dialogs share are checked once for each kind that is known."""


async def warm_up(app: App[Any]) -> None:
    """Import modules one by one, so that no key waits for all of them, and parse the dialogs' rules."""
    import_widgets("_button", "_input", "_option_list")
    for name in MODULES:
        import_module(name)
        await asyncio.sleep(0)
    for module, name in KINDS:
        kind: type[Dialog[Any]] = getattr(import_module(module), name)
        app.stylesheet.add_source(
            kind.CSS,
            read_from=(inspect.getfile(kind), f"{name}.CSS"),  # where Textual looks for it
            scope=kind._css_type_name if kind.SCOPED_CSS else "",
        )
        app.stylesheet.parse()  # only what is new
        await asyncio.sleep(0)
