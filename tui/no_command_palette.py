"""Imports Textual's application without its command palette, which is turned off. Shows nothing.

The palette brings widgets that this program opens late or never: a sixth of what importing Textual takes.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Final

_APP: Final = "textual.app"
_PALETTE: Final = "textual.command"
_NAMES: Final = ("CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "Provider", "SimpleProvider")  # fmt: skip
"""The names that `textual.app` and `textual.theme` import: for annotations, and to open the palette."""


def import_textual() -> None:
    """Import `textual.app`, unless it is imported already; later imports of the palette get Textual's own."""
    if _APP in sys.modules:
        return
    palette = ModuleType(_PALETTE)
    vars(palette).update({name: type(name, (), {}) for name in _NAMES})
    sys.modules[_PALETTE] = palette
    import_module(_APP)
    del sys.modules[_PALETTE]
