"""The events of the server: one class for each (type, op).

No I/O, no pydantic; `tui.api.decode` makes these from JSON. Each module ends with the union of its own. They
are imported with the first class that is asked for, which is when the first event comes.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Imported with the first event: a start has none.
    from tui.api.events.union import *
else:

    def __getattr__(name: str) -> object:
        if not name.startswith("__"):
            union = vars(import_module("tui.api.events.union"))
            globals().update((key, each) for key, each in union.items() if key[0] != "_")
            if name in union:
                return union[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
