"""What the client knows: `Store`, brought up to date by events. No I/O, no clock, no Textual."""

from tui.store.changes import NOTHING, Changes
from tui.store.store import Store

__all__ = ["NOTHING", "Changes", "Store"]
