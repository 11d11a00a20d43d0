"""The client's state: `Store`, kept current by events. No I/O, no clock, no Textual."""

from tui.store.changes import NOTHING, Changes
from tui.store.store import Store

__all__ = ["NOTHING", "Changes", "Store"]
